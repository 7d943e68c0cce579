/**
 * The life of one agent of any kind: the calls of 4.4 to 4.17, each with faults and without, before a freeze and after it, and the calls of others
 * about it. The model judges each exchange.
 */

import type { Reply } from '../assertions/reply.js';
import { submitBeats } from '../moves/beats-submit.js';
import { complaint } from '../moves/flag.js';
import { heartbeat as heartbeatMove } from '../moves/heartbeat.js';
import { lookup } from '../moves/lookup.js';
import { change } from '../moves/metadata.js';
import type { Move } from '../moves/move.js';
import { reissue as reissueMove } from '../moves/reissue-proof.js';
import { resync, resyncChallenge } from '../moves/resync.js';
import { buySigil } from '../moves/sigil.js';
import { spawn } from '../moves/spawn.js';
import { endSponsorship, listSponsorships, sponsor } from '../moves/sponsor.js';
import { endSubsidy, grant, terms } from '../moves/subsidy.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { linkChallenge } from '../moves/wallet.js';
import type { BeatProof } from '../protocol/beats.js';
import { type Agent, sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';
import { tried } from '../trial/presence.js';
import type { Trial } from '../trial/trial.js';
import { pause } from './beat-clock.js';
import type { Flags } from './flagging.js';
import { adminKey } from './keys.js';
import { buy, heartbeat, heartbeatFee, purchase, reissue } from './paid.js';
import { comeBack, lapse, penalty } from './resync-call.js';
import { costBeats, makeChild, preflight, registerChild } from './spawn-call.js';
import { heartbeatPaidBy, sponsoredHeartbeat } from './sponsor-call.js';
import { chainEnd, chainProof, receiptOf, withOneWrong } from './work.js';

/** An agent, and the facts that its life depends on. */
export interface Born {
  readonly agent: WalletAgent;
  readonly identityClass: string;
  readonly tier: string;
  /** 0 for a root. */
  readonly depth: number;
  /** The complaint about it is sustained; if false, it is dismissed. */
  readonly accused: boolean;
  readonly parent?: Agent;
  /** An ancestor with a wallet, whose chain has not started: it is never frozen. */
  readonly sponsor?: WalletAgent;
}

/** The fees of a life, in lamports: refused payments cost money, too. */
export const feesOfLife =
  (identityClass: string) =>
  (protocol: Trial['protocol']): number =>
    3 * sigilFeeLamports(protocol, identityClass) +
    2 * sigilFeeLamports(protocol, 'narrow_task') +
    4 * protocol.reissue.feeLamports +
    16 * heartbeatFee(protocol, 1).lamports;

/** A proof with a beat that does not follow from the one before. */
const broken = (t: Trial, proof: BeatProof): BeatProof => ({
  ...proof,
  spot_checks: withOneWrong(t, proof.spot_checks),
});

/** The calls of one agent and of others about it. */
class Life {
  readonly children: Agent[] = [];
  /** The heartbeats that it has sent, also those that an ancestor paid for. */
  heartbeats = 0;
  #looks = 0;
  #used: string | undefined;

  constructor(
    readonly t: Trial,
    readonly flags: Flags,
    readonly born: Born,
    readonly reporter: WalletAgent,
  ) {}

  #send(move: Move): Promise<Reply> {
    return this.t.send(move, { mayMiss: true });
  }

  #pay(lamports: number): Promise<string> {
    return this.t.pay({ from: this.born.agent.wallet, lamports });
  }

  /** Looks up the agent and its parent, by one of four lookups in turn. */
  async looks(): Promise<void> {
    const { t, born } = this;
    const way = (['status', 'sponsor.get', 'verify', 'beat-status'] as const)[this.#looks % 4] ?? 'status';
    this.#looks += 1;
    for (const { hash, key } of born.parent === undefined ? [born.agent] : [born.agent, born.parent])
      await tried(() =>
        way === 'sponsor.get' ? t.send(listSponsorships({ key })) : t.send(lookup(way, hash), { mayMiss: true }),
      );
  }

  /** 4.9: beats from an unknown start, beats that do not follow from each other, and valid ones. */
  async submits(): Promise<void> {
    const { t, born } = this;
    const proof = await chainProof(t, await chainEnd(t, born.agent), 4);
    for (const body of [{ ...proof, from_hash: t.hex(32) }, broken(t, proof), proof])
      await this.#send(submitBeats(born.agent, body));
    await this.looks();
  }

  /** 4.6, 4.11 and 4.16: calls that require a SIGIL are refused; purchases: one with a fault, a valid one and a second one. */
  async buys(): Promise<void> {
    const { t, born } = this;
    const { agent, identityClass, tier } = born;
    const fee = sigilFeeLamports(t.protocol, identityClass);
    const what = purchase(t, { identity_class: identityClass, tier });
    if (born.depth === 0) await heartbeat(t, agent);
    await this.#send(change(agent, { capability: 'analyst' }));
    await this.flags.file(agent, complaint(await t.sharedRoot()));
    await this.#send(buySigil(agent, { ...what, tier: 'none' }, await this.#pay(fee)));
    await this.#send(buySigil(agent, what, t.hex(32)));
    await this.#send(buySigil(agent, what, await this.#pay(fee - 1)));
    await this.looks();
    t.mustSucceed(await buy(t, agent, what, identityClass));
    await this.looks();
    await buy(t, agent, purchase(t));
    await this.looks();
  }

  /** 4.5: heartbeats with a missing, unknown, wrong, foreign and used payment, a valid one, and one too soon. */
  async sendHeartbeats(): Promise<void> {
    const { t, born } = this;
    const n = this.heartbeats + 1;
    const { lamports } = heartbeatFee(t.protocol, n);
    const send = (payment?: string): Promise<Reply> => this.#send(heartbeatMove(born.agent, payment));
    await send();
    await send(t.hex(32));
    await send(await this.#pay(lamports + 1));
    const stranger = t.wallet();
    await t.fund(stranger, lamports);
    await send(await t.pay({ from: stranger, lamports }));
    if (this.#used !== undefined) await send(this.#used);
    await this.looks();
    this.#used = await this.#pay(lamports);
    t.mustSucceed(await send(this.#used));
    this.heartbeats = n;
    await heartbeat(t, born.agent, n + 1);
    await this.looks();
  }

  /** 4.11: a change of its tier is refused, a change of a mutable field accepted. */
  async changes(): Promise<void> {
    const { agent } = this.born;
    await this.#send(change(agent, { capability: 'witness', tier: 'ind' }));
    await this.looks();
    await this.#send(change(agent, { capability: 'executor', generation_trigger: this.t.word() }));
    await this.looks();
  }

  /** 4.8 and 4.2: spawns with too few beats, without authorization, or naming another parent's child; then a valid one. */
  async spawns(): Promise<Agent> {
    const { t, born, children } = this;
    const { agent, depth } = born;
    const siblings = children.length;
    await t.send(spawn(agent, { child_name: t.word() }));
    // The text does not show whether the depth of parent or child counts; by either reading a child of the first generation costs less.
    await preflight(t, agent, t.word(), Math.min(costBeats(t, depth, siblings), costBeats(t, 0, siblings)) - 1);
    await registerChild(t, agent.key, { name: t.word(), parent: agent.hash, spawn_authorization: t.hex(32) });
    const { name: child_name, hash: child_hash } = await t.sharedRoot();
    await t.send(spawn(agent, { child_name, child_hash }));
    await this.looks();
    const child = await makeChild(t, agent, { depth, siblings, init: true });
    children.push(child);
    await this.looks();
    return child;
  }

  /** 4.13: sponsorships of itself, of an unknown agent and of its ancestors; then of a child. */
  async sponsors(child: Agent): Promise<void> {
    const { t, born } = this;
    const { agent, parent } = born;
    const nobody = `0x${t.hex(t.protocol.agent.hashBytes)}`;
    const hashes = [agent.hash, nobody, (await t.sharedRoot()).hash, ...(parent === undefined ? [] : [parent.hash])];
    for (const child_hash of hashes) await this.#send(sponsor(agent, child_hash));
    for (const child_hash of [nobody, child.hash]) await this.#send(endSponsorship(agent, child_hash));
    await this.looks();
    t.mustSucceed(await t.send(sponsor(agent, child.hash)));
    await sponsoredHeartbeat(t, child, agent);
    await this.looks();
  }

  /** 4.16: flags against its child, twice, against itself and against an unknown agent. More than three an hour are limited. */
  async complains(child: Agent, round: number): Promise<void> {
    const { t, flags } = this;
    const { agent, tier } = this.born;
    await flags.file(agent, complaint(child));
    const nobody = { hash: `0x${t.hex(t.protocol.agent.hashBytes)}` };
    const others = tier === 'sbx' ? [] : round === 1 ? [child] : [agent, nobody];
    for (const each of others) await flags.file(agent, complaint(each), { mayMiss: true });
    await this.looks();
  }

  /** 3.2, 4.10 and 4.7: requests for a link and a resync that it does not need, and for its passport. */
  async requestUnneeded(): Promise<void> {
    const { t, born } = this;
    await t.send(linkChallenge(born.agent));
    await t.send(resync(born.agent));
    await t.send(resyncChallenge(born.agent), { address: t.newAddress() });
    await this.looks();
    await this.#send(reissueMove(born.agent, t.hex(32)));
    await this.#send(reissueMove(born.agent, await this.#pay(t.protocol.reissue.feeLamports - 1)));
    await reissue(t, born.agent);
    await tried(() => this.#send({ endpoint: 'passport', key: born.agent.key }));
    await this.looks();
  }

  /** 3.1: a freeze, calls that are refused while frozen, calls of others about it, and its resync. */
  async freezes(child: Agent): Promise<Reply> {
    const { t, born } = this;
    const missed = await lapse(t, born.agent);
    await heartbeat(t, born.agent, this.heartbeats + 1);
    await t.send(sponsor(born.agent, child.hash));
    await this.looks();
    const filed = await this.meetOthers();
    await t.send(resync(born.agent, await receiptOf(t, penalty(t, missed - 1) - 1)));
    t.mustSucceed(await comeBack(t, born.agent, penalty(t, missed)));
    await this.looks();
    return filed;
  }

  /** 4.13 to 4.17: others look it up, flag it and lower a fee; a sponsorship begins and ends. */
  async meetOthers(): Promise<Reply> {
    const { t, born } = this;
    const { agent, identityClass, sponsor: payer } = born;
    await tried(() => t.send(verifyBatch([agent.hash])));
    await tried(() => this.#send({ endpoint: 'checkin', key: agent.key }));
    const body = complaint(agent, { asserted_class: identityClass });
    const filed = t.mustSucceed(await this.flags.file(this.reporter, body));
    await this.subsidy((key) => grant(key, terms(agent, { fee_type: 'sigil' })));
    await this.looks();
    if (payer === undefined) return filed;
    await t.send(sponsor(payer, agent.hash));
    await t.send(endSponsorship(payer, agent.hash));
    await this.looks();
    return filed;
  }

  /** 4.17: a discount of the SIGIL fee, which an agent with a SIGIL never pays again. */
  async subsidy(moveOf: (key: string) => Move): Promise<void> {
    const { t } = this;
    if (t.session.offers.has('admin')) await tried(async () => this.#send(moveOf(await adminKey(t))));
  }

  /** 4.5 and 4.13: its ancestor pays for a heartbeat, and then the sponsorships end. */
  async ends(child: Agent): Promise<void> {
    const { t, born } = this;
    const { agent, sponsor: payer } = born;
    if (payer !== undefined) {
      t.mustSucceed(await heartbeatPaidBy(t, agent, payer, this.heartbeats + 1));
      this.heartbeats += 1;
      await t.send(listSponsorships(payer));
      await this.looks();
    }
    await this.#send(endSponsorship(agent, child.hash));
    await this.looks();
    if (payer !== undefined) {
      await t.send(endSponsorship(payer, agent.hash));
      await t.send(listSponsorships(payer));
    }
    await this.subsidy((key) => endSubsidy(key, agent, 'sigil'));
    await this.looks();
  }
}

/** Leads a life: two rounds of every call with a freeze between them. Returns the agents that it has spawned, and the number of its heartbeats. */
export async function leadLife(
  t: Trial,
  flags: Flags,
  born: Born,
): Promise<{ readonly children: readonly Agent[]; readonly heartbeats: number }> {
  const life = new Life(t, flags, born, await t.walletRoot({ sigil: 'narrow_task' }));
  await life.looks();
  await life.submits();
  await pause(t);
  await life.buys();
  const round = async (n: number): Promise<Agent> => {
    await life.changes();
    const child = await life.spawns();
    await life.sponsors(child);
    await life.complains(child, n);
    await life.requestUnneeded();
    return child;
  };
  await life.sendHeartbeats();
  const filed = await life.freezes(await round(1));
  if (born.sponsor !== undefined) t.mustSucceed(await t.send(sponsor(born.sponsor, born.agent.hash)));
  if (born.accused) {
    await flags.review(filed, 'sustain');
    await heartbeat(t, born.agent, life.heartbeats + 1);
    await life.looks();
  } else await life.sendHeartbeats();
  const child = await round(2);
  await life.submits();
  await flags.review(filed, born.accused ? 'resolve' : 'dismiss');
  await life.looks();
  await pause(t);
  await life.sendHeartbeats();
  await pause(t);
  await life.ends(child);
  await life.changes();
  await life.submits();
  return life;
}
