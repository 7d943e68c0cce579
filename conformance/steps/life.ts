/**
 * The life of one agent, as checks lead it through the calls of 4.4 to 4.13: each is made with its faults and without, and what it
 * does not change is compared with what it was. What a call does in full is judged by the checks of its endpoint.
 */
import type { Reply } from '../assertions/reply.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import { tried } from '../trial/presence.js';
import type { Trial } from '../trial/trial.js';
import { pause } from './beat-clock.js';
import { complaint, type Flags } from './flagging.js';
import { type Facet, keptBut, type Looked, lookUp } from './kept.js';
import {
  faultsBeforeSigil,
  flagFaults,
  heartbeatFaults,
  inVain,
  metadataFaults,
  proveFaults,
  receiptFaults,
  reissueFaults,
  spawnFaults,
  sponsorFaults,
} from './life-faults.js';
import type { Kind } from './life-kind.js';
import type { Others } from './life-others.js';
import { buy, epochCountIs, heartbeat, heartbeatFee, passportIs, passportKeeps, purchase, reissue } from './paid.js';
import { challengeTaken, comeBack, lapse, penalty, resync } from './resync-call.js';
import { makeChild, spawn } from './spawn-call.js';
import { heartbeatPaidBy, listed, notActive, sponsor, sponsoredHeartbeat } from './sponsor-call.js';
import { link } from './wallet-call.js';
import { asBeatProof, chainEnd, chainOn, chainProof } from './work.js';

/** The facets of a chain, which beats change. */
const CHAIN: readonly Facet[] = ['total', 'available', 'latest'];

/** Beats of each submission. */
const SUBMITTED = 4;

/** An agent and what it has done; its calls are the methods, each of which ends with a look at what it left as it was. */
export class Life {
  #seen: Looked = new Map();
  #parentSeen: Looked = new Map();
  #latest: Reply | undefined;
  #payment: string | undefined;
  #heartbeats = 0;
  #generation: number | undefined;
  readonly #children: Agent[] = [];

  constructor(
    readonly t: Trial,
    readonly kind: Kind,
    readonly agent: WalletAgent,
    readonly more: {
      readonly flags: Flags;
      readonly others: Others;
      /** Of a child: whose life is its own, too. */
      readonly parent: Agent | undefined;
      /** An ancestor with a wallet, whose chain has not started: it is never frozen. */
      readonly sponsor: WalletAgent | undefined;
    },
  ) {}

  /** The heartbeats that it has sent, whichever agent paid. */
  get heartbeats(): number {
    return this.#heartbeats;
  }

  /** The agents that it has spawned. */
  get children(): readonly Agent[] {
    return this.#children;
  }

  /** The whole of it: two rounds of every call, with a freeze between them. */
  async isLed(): Promise<void> {
    await this.begins();
    await this.submits();
    await this.waits();
    await this.buys();
    for (const round of [1, 2]) {
      // A freeze ends it.
      if (round === 2) await this.isSponsored();
      if (round === 2 && this.kind.accused) await this.isAccused();
      else await this.sendsHeartbeat();
      await this.changesMetadata();
      await this.spawnsAndSponsors();
      await this.complains(round);
      await this.asksForWhatItHas();
      await this.reprints();
      await this.leftParentAlone();
      if (round === 1) await this.freezesAndComesBack();
      else await this.submits();
    }
    await this.isCleared();
    await this.waits();
    await this.sendsHeartbeat();
    await this.waits();
    await this.isPaidFor();
    await this.endsWhatWasGiven();
    await this.changesMetadata();
    await this.submits();
  }

  /** Takes note of what the agent is before its first call. */
  async begins(): Promise<void> {
    const { t, agent } = this;
    this.#seen = await lookUp(t, agent);
    await this.#lookAtParent();
  }

  async #lookAtParent(): Promise<void> {
    const { parent } = this.more;
    if (parent !== undefined) this.#parentSeen = await lookUp(this.t, parent);
  }

  async #changes(calls: string, ...changed: readonly Facet[]): Promise<void> {
    const after = await lookUp(this.t, this.agent);
    keptBut(this.t, { before: this.#seen, after, calls, changed });
    this.#seen = after;
  }

  /** Its calls so far have changed nothing of its parent, but that time has passed. */
  async leftParentAlone(): Promise<void> {
    const { parent } = this.more;
    if (parent === undefined) return;
    const after = await lookUp(this.t, parent);
    keptBut(this.t, { before: this.#parentSeen, after, calls: 'the calls of a child', changed: ['standing', 'count'] });
  }

  /** 4.9: it submits beats, of which none count that follow from nothing. */
  async submits(): Promise<void> {
    const { t, agent } = this;
    const proof = await chainProof(t, await chainEnd(t, agent), SUBMITTED, SUBMITTED);
    const submit = (body: unknown): Promise<Reply> => t.call('beats-submit', { key: agent.key, body });
    const spot_checks = proof.spot_checks.map((check, place) => (place === 1 ? { ...check, hash: t.hex(32) } : check));
    await inVain(t, [
      ['beats-submit.credit', () => submit({ ...proof, from_hash: t.hex(32) })],
      ['beat.step', () => submit({ ...proof, spot_checks })],
    ]);
    const reply = t.accepted(await submit(proof), 'beats-submit.credit');
    t.shows('beats-submit.credit').field(reply, 'latest_beat_index', proof.to_beat);
    await this.#changes('submitting beats', ...CHAIN);
  }

  /** 4.6: it buys its SIGIL, for the fee of its class and once. */
  async buys(): Promise<void> {
    const { t, agent, kind } = this;
    const { identityClass, tier, depth } = kind;
    await inVain(t, faultsBeforeSigil(t, agent, { identityClass, flags: this.more.flags, depth }));
    await this.#changes('refused purchases');
    const what = purchase(t, { identity_class: identityClass, tier });
    const reply = t.accepted(await buy(t, agent, what, identityClass), 'sigil.transition.issued');
    passportIs(t, reply, agent, identityClass);
    const [registered, issued] = [reply.get('passport.registered_at_beat'), reply.get('sigil.issued_at_beat')];
    const later = typeof registered === 'number' && typeof issued === 'number' && issued > registered;
    const dated = t.shows('passport.field.sigil-issued-at-beat');
    dated.of(reply, 'sigil.issued_at_beat', later, `after registered_at_beat, ${String(registered)}`, issued);
    dated.field(reply, 'passport.sigil_issued_at_beat', issued);
    await this.#changes('a purchase', 'sigil', 'metadata', 'count');
    const again = await buy(t, agent, purchase(t));
    t.refused(again, 'sigil/SIGIL_ALREADY_EXISTS', 'sigil.transition.again', 'sigil.error.sigil-already-exists');
    await this.#changes('a second purchase');
  }

  /** 4.5: it sends a heartbeat, which needs a payment of its own and an interval. */
  async sendsHeartbeat(): Promise<void> {
    const { t, agent, kind } = this;
    const n = this.#heartbeats + 1;
    await inVain(t, heartbeatFaults(t, agent, { n, used: this.#payment }));
    await this.#changes('refused heartbeats');
    const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, n).lamports });
    const sent = await t.call('heartbeat', { key: agent.key, body: { payment_tx } });
    const reply = t.accepted(sent, 'heartbeat.sender.own');
    this.#payment = payment_tx;
    this.#heartbeats = n;
    t.shows('heartbeat.reply.total-heartbeats').field(reply, 'total_heartbeats', n);
    epochCountIs(t, reply, n, { before: this.#latest ?? reply, clause: 'fee.heartbeat.epoch' });
    passportIs(t, reply, agent, kind.identityClass);
    this.#latest = reply;
    const clauses = ['heartbeat.interval.min', 'heartbeat.error.heartbeat-too-soon'];
    t.refused(await heartbeat(t, agent, n + 1), 'heartbeat/HEARTBEAT_TOO_SOON', ...clauses);
    await this.#changes('a heartbeat', 'count', 'standing');
  }

  /** 4.13: an ancestor may pay for it from now on; what it pays for itself is not charged to the sponsorship. */
  async isSponsored(): Promise<void> {
    const { t, agent } = this;
    const { sponsor: payer } = this.more;
    if (payer === undefined) return;
    await this.leftParentAlone();
    t.accepted(await sponsor(t, payer, agent.hash), 'sponsor.transition.create');
    await this.#lookAtParent();
    await this.#changes('a sponsorship by an ancestor');
  }

  /** 4.13 to 4.17: what others may do to it they may do while it is frozen. */
  async isMetByOthers(): Promise<void> {
    const { t, agent, kind } = this;
    const { others, sponsor: payer } = this.more;
    await others.find();
    await others.complain(kind.identityClass);
    await this.#changes('a complaint of it');
    await others.discount();
    await this.#changes('a subsidy of a fee of it');
    if (payer === undefined) return;
    await this.leftParentAlone();
    // 3.4: under the requirements of 4.13 it is active; that the child is not frozen is not one of them.
    t.alsoShows('sponsor.transition.create').succeeds(await sponsor(t, payer, agent.hash));
    await this.#lookAtParent();
    await this.#changes('a sponsorship by an ancestor');
  }

  /** 3.5: a sustained complaint has its heartbeats refused, and nothing besides. */
  async isAccused(): Promise<void> {
    const { t, agent } = this;
    await this.more.others.sustain();
    t.refusedWith(await heartbeat(t, agent, this.#heartbeats + 1), '4xx', 'flag.transition.sustained');
    await this.#changes('a complaint that was sustained', 'standing', 'count');
  }

  /** 3.5: the complaint of it is resolved or dismissed. */
  async isCleared(): Promise<void> {
    const { others } = this.more;
    await others.settle(this.kind.accused ? 'resolve' : 'dismiss');
    await this.#changes('the end of a complaint', 'standing', 'count');
  }

  /** 3.4: it ends what it has given its latest child, and its ancestor what it has given it. */
  async endsWhatWasGiven(): Promise<void> {
    const { t, agent } = this;
    const { others, sponsor: payer } = this.more;
    const child = t.need(this.#children.at(-1), 'a child that it sponsors');
    const ends = async (giver: Agent, { hash: child_hash }: Agent): Promise<void> => {
      const reply = await t.call('sponsor.delete', { key: giver.key, body: { child_hash } });
      t.accepted(reply, 'sponsor.transition.revoke');
      await notActive(t, giver, child_hash, 'sponsor.transition.revoke');
    };
    await ends(agent, child);
    await this.#changes('the end of a sponsorship that it gave', 'sponsorships');
    if (payer !== undefined) await ends(payer, agent);
    await others.endDiscount();
    await others.find();
    await this.#changes('the end of what it was given');
  }

  /** 4.13: an ancestor pays for a heartbeat of it, which counts as one that it pays for itself. */
  async isPaidFor(): Promise<void> {
    const { t, agent, kind } = this;
    const { sponsor: payer } = this.more;
    if (payer === undefined) return;
    const n = this.#heartbeats + 1;
    const reply = t.accepted(await heartbeatPaidBy(t, agent, payer, n), 'heartbeat.sender.sponsor');
    this.#heartbeats = n;
    t.shows('heartbeat.reply.total-heartbeats').field(reply, 'total_heartbeats', n);
    passportIs(t, reply, agent, kind.identityClass);
    const { reply: listing, path } = await listed(t, payer, agent.hash);
    t.shows('heartbeat.sender.charged').field(listing, `${path}.heartbeats_used_epoch`, 1);
    await this.#changes('a heartbeat that an ancestor paid for', 'count', 'standing');
  }

  /** 4.5: the interval later it may send the next. */
  async waits(): Promise<void> {
    await pause(this.t);
    await this.#changes('waiting', 'standing', 'count');
  }

  /** 4.11: it changes what may be changed of its SIGIL. */
  async changesMetadata(): Promise<void> {
    const { t, agent } = this;
    await inVain(t, metadataFaults(t, agent));
    await this.#changes('a change that was refused');
    const body = { capability: 'executor', generation_trigger: t.word() };
    const reply = t.accepted(await t.call('metadata', { key: agent.key, body }), 'metadata.body');
    const generation = reply.number('generation');
    if (this.#generation !== undefined)
      t.shows('metadata.field.generation-trigger.counter').field(reply, 'generation', this.#generation + 1);
    this.#generation = generation;
    await this.#changes('a change of its metadata', 'metadata');
  }

  /** 4.16: it complains of its latest child, if its tier lets it. An agent that files more than three an hour is limited. */
  async complains(round: number): Promise<void> {
    const { t, agent, kind } = this;
    const { flags } = this.more;
    const target = t.need(this.#children.at(-1), 'a child to complain of');
    const eligible = kind.tier !== 'sbx';
    const reply = await flags.file(agent, complaint(target));
    if (eligible) {
      t.alsoShows('flag.rule.reporter-tier').succeeds(reply);
      const pending = round === 1 ? target : undefined;
      await inVain(t, flagFaults(t, agent, { flags, pending }));
    } else t.alsoShows('flag.error.flag-reporter-ineligible.sandbox').refuses(reply);
    await this.#changes('complaints of others');
  }

  /** 3.6 and 4.13: it spawns a child, and pays for a heartbeat of it. */
  async spawnsAndSponsors(): Promise<void> {
    const { t, agent, kind } = this;
    const siblings = this.#children.length;
    const probe = await spawn(t, agent, { child_name: t.word() });
    t.refused(probe, 'spawn/RECEIPT_REQUIRED', 'spawn.error.receipt-required');
    t.alsoShows('spawn.cost.siblings-of').field(probe, 'siblings', siblings);
    await inVain(t, spawnFaults(t, agent, { depth: kind.depth, siblings }));
    await this.#changes('births that were refused');
    const child = await makeChild(t, agent, { depth: kind.depth, siblings, init: true });
    this.#children.push(child);
    await this.#changes('the birth of a child', 'family', 'available');
    await inVain(t, sponsorFaults(t, agent, { parent: this.more.parent, child }));
    await this.#changes('sponsorships that were refused');
    t.accepted(await sponsor(t, agent, child.hash), 'sponsor.transition.create');
    t.accepted(await sponsoredHeartbeat(t, child, agent), 'sponsor.transition.create');
    const { reply, path } = await listed(t, agent, child.hash);
    t.shows('heartbeat.sender.charged').field(reply, `${path}.heartbeats_used_epoch`, 1);
    await this.#changes('a heartbeat that it paid for', 'sponsorships');
  }

  /** 3.2 and 4.10: it asks for a link and for a resync, and needs neither. */
  async asksForWhatItHas(): Promise<void> {
    const { t, agent } = this;
    t.shows('wallet.transition.again').refuses(await link(t, agent, { action: 'challenge' }));
    const musts = ['resync.transition.not-frozen', 'resync.error.agent-wrong-state'];
    t.refused(await resync(t, agent), 'resync/AGENT_WRONG_STATE', ...musts);
    const asked = { key: agent.key, body: { action: 'challenge' }, address: t.newAddress() };
    t.refused(await t.call('resync', asked), 'resync/AGENT_WRONG_STATE', ...musts);
    await this.#changes('a link and a resync that were refused');
  }

  /** 4.7: its passport, printed again. */
  async reprints(): Promise<void> {
    const { t, agent, kind } = this;
    await inVain(t, reissueFaults(t, agent));
    const reply = t.accepted(await reissue(t, agent), 'reissue-proof.reprint');
    passportIs(t, reply, agent, kind.identityClass);
    if (this.#latest !== undefined) passportKeeps(t, this.#latest, reply);
    await this.#changes('a reissue');
    // It may read its passport, which costs nothing and changes nothing; what is returned is not shown.
    await tried(() => t.call('passport', { key: agent.key }));
    await this.#changes('reading a passport');
  }

  /** 3.1: it is frozen, and comes back as it was, except for its sponsorships. */
  async freezesAndComesBack(): Promise<void> {
    const { t, agent, kind } = this;
    const missed = await lapse(t, agent);
    await this.#changes('a freeze', 'standing', 'sponsorships', 'count');
    const musts = ['dms.freeze', 'dms.freeze.heartbeats'];
    t.refused(await heartbeat(t, agent, this.#heartbeats + 1), 'heartbeat/AGENT_FROZEN', ...musts);
    const child = t.need(this.#children.at(-1), 'a child that it sponsors');
    await notActive(t, agent, child.hash, 'sponsor.transition.frozen.parent');
    const anew = ['sponsor.rule.not-frozen', 'sponsor.error.sponsor-parent-frozen'];
    t.refused(await sponsor(t, agent, child.hash), 'sponsor/SPONSOR_PARENT_FROZEN', ...anew);
    await this.#changes('what the frozen may not do');
    await this.isMetByOthers();
    const back = kind.back === 'prove' ? await this.#proves() : await this.#showsReceipt(missed);
    t.accepted(back, 'resync.transition.active');
    t.shows('resync.transition.active').field(back, 'status', 'active');
    await this.#changes('a resync', 'standing', ...(kind.back === 'prove' ? CHAIN : []));
  }

  async #showsReceipt(missed: number): Promise<Reply> {
    await inVain(this.t, receiptFaults(this.t, this.agent, missed));
    return comeBack(this.t, this.agent, penalty(this.t, missed));
  }

  /** By challenge. Whether a nonce outlives an answer that is refused is not shown: the good answer has one of its own. */
  async #proves(): Promise<Reply> {
    const { t, agent } = this;
    const ask = async (address?: string): Promise<Reply> =>
      challengeTaken(t, await t.call('resync', { key: agent.key, body: { action: 'challenge' }, address }));
    const asked = await ask(t.newAddress());
    const beats = asked.number('challenge.required_beats');
    const chain = await chainOn(t, await chainEnd(t, agent), beats);
    const proof = asBeatProof(chain);
    // By whichever reading of the penalty, an anchor less is too little.
    const shorter = asBeatProof(chain, Math.max(1, beats - 2 * t.protocol.resync.beatsPerMissedAnchor));
    const nonce = asked.string('challenge.nonce');
    if (t.session.offers.has('client-ip')) await inVain(t, proveFaults(t, agent, { nonce, proof, shorter }));
    const challenge_nonce = (await ask()).string('challenge.nonce');
    return t.call('resync', { key: agent.key, body: { action: 'prove', challenge_nonce, proof } });
  }
}
