/** Heartbeats that a sponsor pays, and what ends a sponsorship. Its terms are in sponsor.ts. */

import { sameMeaning } from '../../model/reading/compare.js';
import { at } from '../../model/reading/values.js';
import type { Protocol } from '../../spec/protocol.js';
import { HOUR_SEC } from '../../spec/time.js';
import type { Reply } from '../assertions/reply.js';
import { unreachable } from '../assertions/unjudged.js';
import { pause, pauseWithin } from '../steps/beat-clock.js';
import { aliasIs, feeIs, heartbeat, heartbeatFee, stillGood } from '../steps/paid.js';
import { byoWalletOnly, needByoWallet } from '../steps/policies.js';
import { comeBack, fewest, lapse, penalty } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import {
  family,
  heartbeatPaidBy,
  listed,
  notActive,
  sponsor,
  sponsored,
  sponsoredHeartbeat,
} from '../steps/sponsor-call.js';
import { foundInBatch } from '../steps/verify-batch-call.js';
import { betweenHeartbeats, pauseAnchors, untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import { type Agent, sigilFeeLamports, type WalletAgent, type WalletRootOptions } from '../trial/fixtures.js';
import { needReachableCount } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats', 'payments'], registers: 1, walletRegisters: 2, writes: true } as const;
const fees =
  (count: number) =>
  (protocol: Protocol): number =>
    count * heartbeatFee(protocol, 1).lamports;

const withSigil = { sigil: 'narrow_task' } as const;

/** Lamports that it costs a root to stay alive by `count` heartbeats. */
const aliveFees = (protocol: Protocol, count: number): number =>
  count === 0 ? 0 : sigilFeeLamports(protocol, 'narrow_task') + fees(count)(protocol);

/** The shortest sponsorship that expires, in whole hours. */
const expiryHours = ({ sponsor }: Protocol): number => Math.max(1, sponsor.expiresHoursMin);
const expirySec = (protocol: Protocol): number => expiryHours(protocol) * HOUR_SEC;

/**
 * How many heartbeats an agent has to send, and how many anchors apart, so that it is not frozen before the shortest
 * sponsorship has expired.
 */
function keepingAlive(protocol: Protocol): { readonly times: number; readonly apart: number } {
  const anchors = Math.floor((expirySec(protocol) + 1) / protocol.anchor.intervalSec);
  const most = protocol.dms.missedAnchorsMax;
  const times = anchors <= most ? 0 : Math.ceil((anchors + 1) / Math.max(1, most)) - 1;
  return { times, apart: Math.floor(anchors / (times + 1)) };
}

/** How often a check keeps its agents alive at most. */
const TIMES_MAX = 200;

/** As setup: a fresh wallet that is linked to an agent, with lamports for some heartbeats. */
async function ownWallet(t: Trial, agent: Agent): Promise<WalletAgent['wallet']> {
  const wallet = t.wallet();
  await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, agent, wallet)));
  await t.fund(wallet, 10 * heartbeatFee(t.protocol, 1).lamports);
  return wallet;
}

/** Whether an agent that sends nothing stays active for the time in which another agent sends `pauses` heartbeats. */
const outlivesPauses = (protocol: Protocol, pauses: number): boolean =>
  pauses * pauseAnchors(protocol) <= protocol.dms.missedAnchorsMax;

const pays: Check = {
  ...base,
  id: 'sponsor/pays',
  title: "A child without wallet and SIGIL sends a heartbeat that its sponsor's wallet pays",
  clauses: [
    'sponsor.pays',
    'service.sponsor',
    'heartbeat.sender.sponsor',
    'heartbeat.sender.charged',
    'heartbeat.child.sponsored',
    'spawn.child.heartbeat',
    'spawn.child.sigil',
    'heartbeat.sigil.child',
    'heartbeat.cap.child',
    'passport.identity-class.none',
    'passport.public-key.none',
    'passport.field.sigil-issued-at-beat',
    'passport.field.agent-public-key',
    'passport.alias.identical',
    'sponsor.field.heartbeats-used-epoch',
    'fee.heartbeat.tier-1',
    'heartbeat.interval.min',
  ],
  requests: 19,
  lamports: fees(2),
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child);
    const { lamports } = heartbeatFee(t.protocol, 1);
    const payment_tx = await t.pay({ from: parent.wallet, lamports });
    const sent = await sponsoredHeartbeat(t, child, parent, { paid: payment_tx });
    // A payment that is refused for its amount says nothing about who may pay.
    if (sent.get('code') === 'PAYMENT_INVALID') t.accepted(sent, 'fee.heartbeat.tier-1');
    const reply = t.accepted(
      sent,
      'sponsor.pays',
      'service.sponsor',
      'heartbeat.sender.sponsor',
      'heartbeat.child.sponsored',
      'spawn.child.heartbeat',
      'spawn.child.sigil',
      'heartbeat.sigil.child',
    );
    t.alsoShows('heartbeat.reply').field(reply, 'agent_hash', child.hash);
    t.alsoShows('heartbeat.reply.total-heartbeats').field(reply, 'total_heartbeats', 1);
    feeIs(t, reply, { lamports, payment: payment_tx, clauses: ['fee.heartbeat.tier-1'] });
    // Fields that are null in the one are null in the other.
    aliasIs(t, reply, 'passport.alias.identical');
    t.shows('passport.public-key.none').field(reply, 'passport.agent_public_key', null);
    t.shows('passport.identity-class.none').field(reply, 'passport.identity_class', null);
    const { address, publicKeyHex } = parent.wallet;
    t.shows('passport.field.agent-public-key').fieldIs(reply, 'passport.agent_public_key', {
      words: 'a key of its own or null, not that of the wallet that paid',
      holds: (value) =>
        ![address, publicKeyHex].some((text) => String(value).toLowerCase().includes(text.toLowerCase())),
    });
    // 2.6: a number or null, and it has no SIGIL that was issued at a beat.
    t.shows('passport.field.sigil-issued-at-beat').field(reply, 'passport.sigil_issued_at_beat', null);
    const { reply: listing, path } = await listed(t, parent, child.hash);
    const charged = t.shows('heartbeat.sender.charged', 'sponsor.field.heartbeats-used-epoch');
    charged.field(listing, `${path}.heartbeats_used_epoch`, 1);
    // The next one is equally far off, whichever of them pays.
    if (t.protocol.heartbeat.intervalBeatsMin > t.protocol.anchor.beatsPerAnchor)
      t.shows('heartbeat.interval.min').refuses(await heartbeatPaidBy(t, child, parent, 2));
    // A refused heartbeat is not charged, as the model judges.
    await listed(t, parent, child.hash);
    const beats = t.accepted(await t.call('beat-status', { params: { hash: child.hash } }));
    t.shows('heartbeat.cap.child').field(beats, 'heartbeat_epoch.volume_cap', t.protocol.heartbeat.narrowTaskCap);
  },
};

const unsponsored: Check = {
  ...base,
  id: 'sponsor/unsponsored-heartbeat',
  title: "A parent's wallet pays for a child under a sponsorship, and not without one",
  clauses: [
    'heartbeat.child.unsponsored',
    'heartbeat.error.wallet-required',
    'heartbeat.byo-wallet',
    'heartbeat.error.payment-already-used',
  ],
  unsuitableFor: byoWalletOnly,
  requests: 16,
  lamports: fees(2),
  refusal: true,
  async run(t) {
    await needByoWallet(t);
    const { parent, child } = await family(t);
    const paid = await t.pay({ from: parent.wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
    const refused = await t.call('heartbeat', { key: child.key, body: { payment_tx: paid } });
    const clauses = ['heartbeat.child.unsponsored', 'heartbeat.error.wallet-required', 'heartbeat.byo-wallet'];
    t.refused(refused, 'heartbeat/WALLET_REQUIRED', ...clauses);
    await sponsored(t, parent, child);
    const again = await sponsoredHeartbeat(t, child, parent, { paid });
    t.accepted(await stillGood(t, again, () => sponsoredHeartbeat(t, child, parent)));
  },
};

const cap: Check = {
  ...base,
  id: 'sponsor/cap-reached',
  title: 'A sponsorship pays no more heartbeats an epoch than its cap; a higher cap keeps what was used',
  clauses: [
    'heartbeat.error.sponsor-cap-reached',
    'heartbeat.error.payment-already-used',
    'heartbeat.sender.sponsor',
    'heartbeat.sender.charged',
    'spawn.child.sigil',
    'sponsor.field.heartbeats-used-epoch',
    'sponsor.update.use',
    'sponsor.update.terms',
  ],
  needs: ['beats', 'payments', 'clock'],
  registers: 2,
  requests: 50,
  lamports: (protocol) => fees(7)(protocol) + aliveFees(protocol, outlivesPauses(protocol, 3) ? 0 : 2),
  refusal: true,
  waits: betweenHeartbeats(3),
  async run(t) {
    // A sponsor that were frozen meanwhile would have its sponsorships end.
    pauseWithin(t, t.protocol.dms.missedAnchorsMax);
    const alive = !outlivesPauses(t.protocol, 3);
    const { heartbeatsEpochMin: least, heartbeatsEpochMax: most } = t.protocol.sponsor;
    if (least > 2 || most < 3)
      throw unreachable(`a sponsorship has a cap of ${least} to ${most}, and these have 2 and 3`);
    const { parent, child } = await family(t, alive ? withSigil : { init: true });
    const sibling = await makeChild(t, parent, { siblings: 1, init: true });
    for (const one of [child, sibling]) await sponsored(t, parent, one, { max_heartbeats_epoch: 2 });
    t.accepted(await sponsoredHeartbeat(t, child, parent));
    // A cap is that of one sponsorship, whatever the parent's others have used.
    t.accepted(await sponsoredHeartbeat(t, sibling, parent), 'heartbeat.sender.sponsor');
    await pause(t);
    if (alive) await t.setup('a heartbeat', async () => void t.accepted(await heartbeat(t, parent)));
    t.accepted(await sponsoredHeartbeat(t, child, parent, { n: 2 }), 'heartbeat.sender.sponsor', 'spawn.child.sigil');
    for (const [one, used] of [[child, 2] as const, [sibling, 1] as const]) {
      const { reply, path } = await listed(t, parent, one.hash);
      const charged = t.shows('heartbeat.sender.charged', 'sponsor.field.heartbeats-used-epoch');
      charged.field(reply, `${path}.heartbeats_used_epoch`, used);
    }
    await pause(t);
    if (alive) await t.setup('a heartbeat', async () => void t.accepted(await heartbeat(t, parent, 2)));
    const third = await t.pay({ from: parent.wallet, lamports: heartbeatFee(t.protocol, 3).lamports });
    const over = await t.call('heartbeat', { key: child.key, body: { payment_tx: third } });
    t.refused(over, 'heartbeat/SPONSOR_CAP_REACHED', 'heartbeat.error.sponsor-cap-reached');
    if (outlivesPauses(t.protocol, 2)) {
      t.accepted(await sponsoredHeartbeat(t, sibling, parent, { n: 2 }), 'heartbeat.sender.sponsor');
    }
    await sponsored(t, parent, child, { max_heartbeats_epoch: 3 });
    const updated = await listed(t, parent, child.hash);
    const taken = await sponsoredHeartbeat(t, child, parent, { paid: third });
    const another = () => sponsoredHeartbeat(t, child, parent, { n: 3 });
    // That an update changes the cap is D-30's; where it has, the cap is not reached.
    const holds = updated.reply.get(`${updated.path}.max_heartbeats_epoch`) === 3 ? ['heartbeat.sender.sponsor'] : [];
    t.accepted(await stillGood(t, taken, another), 'sponsor.update.terms', ...holds);
    await pause(t);
    const full = await heartbeatPaidBy(t, child, parent, 4);
    t.refused(full, 'heartbeat/SPONSOR_CAP_REACHED', 'sponsor.update.use');
  },
};

const revoked: Check = {
  ...base,
  id: 'sponsor/revoked-heartbeat',
  title: 'A sponsorship that was revoked pays for nothing, and one of another ancestor pays on',
  clauses: [
    'sponsor.transition.revoke',
    'sponsor.transition.create',
    'heartbeat.sender.sponsor',
    'heartbeat.error.payment-sender-mismatch',
    'sponsor.pays',
    'heartbeat.child.unsponsored',
  ],
  unsuitableFor: byoWalletOnly,
  needs: ['beats', 'payments', 'clock'],
  registers: 3,
  requests: 60,
  lamports: (protocol) => fees(6)(protocol) + aliveFees(protocol, outlivesPauses(protocol, 2) ? 0 : 1),
  refusal: true,
  waits: betweenHeartbeats(2),
  async run(t) {
    await needByoWallet(t);
    const alive = !outlivesPauses(t.protocol, 2);
    const { parent: root, child: parent } = await family(t, alive ? withSigil : { init: true });
    const own = { ...parent, wallet: await ownWallet(t, parent) };
    const child = await makeChild(t, parent, { depth: 1, init: true });
    const sibling = await makeChild(t, parent, { depth: 1, siblings: 1, init: true });
    for (const one of [child, sibling]) {
      await sponsored(t, own, one);
      await sponsored(t, root, one);
    }
    t.accepted(await sponsoredHeartbeat(t, child, own), 'heartbeat.sender.sponsor');
    // Whichever of two sponsors made its sponsorship first.
    t.accepted(await sponsoredHeartbeat(t, sibling, root), 'heartbeat.sender.sponsor', 'sponsor.pays');
    const end = async ({ key }: Agent): Promise<void> => {
      const body = { child_hash: child.hash };
      await t.setup('a revocation', async () => t.accepted(await t.call('sponsor.delete', { key, body })));
      await pause(t);
    };
    await end(own);
    const after = await heartbeatPaidBy(t, child, own, 2);
    t.shows('sponsor.transition.revoke').refuses(after);
    t.refused(after, 'heartbeat/PAYMENT_SENDER_MISMATCH', 'heartbeat.error.payment-sender-mismatch');
    if (alive) await t.setup('a heartbeat', async () => void t.accepted(await heartbeat(t, root)));
    t.accepted(await sponsoredHeartbeat(t, child, root, { n: 2 }), 'heartbeat.sender.sponsor', 'sponsor.pays');
    await end(root);
    const last = await heartbeatPaidBy(t, child, root, 3);
    t.shows('sponsor.transition.revoke').refuses(last);
    t.refused(last, 'heartbeat/WALLET_REQUIRED', 'heartbeat.child.unsponsored');
    // 3.4: what was revoked is made again, and pays again.
    t.accepted(await sponsor(t, root, child.hash), 'sponsor.transition.create');
    t.accepted(await sponsoredHeartbeat(t, child, root, { n: 3 }), 'sponsor.transition.create', 'sponsor.pays');
  },
};

const otherPayer: Check = {
  ...base,
  id: 'sponsor/other-payer',
  title: 'A sponsored child cannot have its heartbeat paid by a wallet that sponsors somebody else',
  clauses: ['heartbeat.error.payment-sender-mismatch', 'heartbeat.sender.sponsor'],
  unsuitableFor: byoWalletOnly,
  walletRegisters: 4,
  requests: 18,
  lamports: fees(2),
  refusal: true,
  async run(t) {
    await needByoWallet(t);
    const { parent, child } = await family(t);
    await sponsored(t, parent, child);
    const stranger = await sponsoredHeartbeat(t, child, await t.walletRoot());
    const clauses = ['heartbeat.error.payment-sender-mismatch', 'heartbeat.sender.sponsor'];
    t.refused(stranger, 'heartbeat/PAYMENT_SENDER_MISMATCH', ...clauses);
    t.accepted(await sponsoredHeartbeat(t, child, parent));
  },
};

const expired: Check = {
  ...base,
  id: 'sponsor/expired',
  title: 'A sponsorship past its hour reads expired and pays for nothing',
  clauses: ['sponsor.expired.status', 'sponsor.expired.unused'],
  unsuitableFor: byoWalletOnly,
  needs: ['beats', 'payments', 'clock'],
  requests: 18,
  lamports: (protocol) => {
    const { times } = keepingAlive(protocol);
    return fees(2 + times)(protocol) + aliveFees(protocol, times);
  },
  refusal: true,
  waits: (protocol) => ({ sec: expirySec(protocol) }),
  async run(t) {
    await needByoWallet(t);
    const { times, apart } = keepingAlive(t.protocol);
    needReachableCount(times, TIMES_MAX, 'heartbeats keep an agent alive until a sponsorship expires');
    if (times > 0) pauseWithin(t, apart);
    const { parent, child } = await family(t, times > 0 ? withSigil : { init: true });
    const cap = times > 0 ? { max_heartbeats_epoch: t.protocol.sponsor.heartbeatsEpochMax } : {};
    await sponsored(t, parent, child, { expires_in_hours: expiryHours(t.protocol), ...cap });
    const startMs = t.nowMs();
    t.accepted(await sponsoredHeartbeat(t, child, parent));
    for (let n = 1; n <= times; n += 1) {
      // Neither is frozen before the sponsorship has lapsed, since both send heartbeats while it holds.
      await t.sleep({ anchors: apart });
      await t.setup('heartbeats', async () => {
        t.accepted(await heartbeat(t, parent, n));
        t.accepted(await sponsoredHeartbeat(t, child, parent, { n: n + 1 }));
      });
    }
    await t.sleep({ ms: startMs + (expirySec(t.protocol) + 1) * 1_000 - t.nowMs() });
    const unused = await heartbeatPaidBy(t, child, parent, times + 2);
    t.refused(unused, 'heartbeat/WALLET_REQUIRED', 'sponsor.expired.unused');
    // 3.4 does not show what becomes of it: a listing may leave it out.
    const reply = t.accepted(await t.call('sponsor.get', { key: parent.key }));
    const all = reply.get('sponsorships');
    const own = Array.isArray(all) ? all.find((one) => sameMeaning(at(one, 'child_hash'), child.hash)) : undefined;
    t.shows('sponsor.expired.status').of(
      reply,
      'an expired sponsorship',
      at(own, 'status') === 'expired',
      'expired',
      all,
    );
  },
};

const parentFroze: Check = {
  ...base,
  id: 'sponsor/parent-froze',
  title:
    'The freeze of a sponsor ends its sponsorships for good, none is left to revoke, and a payment from there is refused',
  clauses: [
    'sponsor.error.sponsor-not-found',
    'sponsor.transition.frozen.parent',
    'dms.freeze.sponsorships',
    'heartbeat.error.sponsor-parent-frozen',
    'heartbeat.error.payment-sender-mismatch',
    'heartbeat.sponsor.frozen',
    'heartbeat.child.sponsor-frozen',
  ],
  needs: ['beats', 'payments', 'clock'],
  registers: 3,
  requests: 59,
  lamports: fees(3),
  refusal: true,
  waits: untilFrozen(),
  async run(t) {
    const between = pauseWithin(t, fewest(t) - 1);
    const parent = await t.walletRoot({ init: true });
    const child = await makeChild(t, parent);
    const sibling = await makeChild(t, parent, { siblings: 1 });
    const grandchild = await makeChild(t, child, { depth: 1 });
    const sponsoredOnes = [child, sibling, grandchild];
    // The child starts later, so that it is not frozen with its parent, and early enough for two heartbeats.
    const late = Math.min(30, fewest(t) - Math.max(1, between));
    await t.sleep({ anchors: late });
    await t.setup('a started child', async () => t.accepted(await t.call('init', { key: child.key })));
    for (const one of sponsoredOnes) await sponsored(t, parent, one);
    t.accepted(await sponsoredHeartbeat(t, child, parent));
    const missed = await lapse(t, parent, { left: fewest(t) - late });
    const refused = await heartbeatPaidBy(t, child, parent, 2);
    // 7 says that a frozen sponsor has the heartbeat refused; which refusal comes first is D-29's.
    t.shows(
      'sponsor.transition.frozen.parent',
      'dms.freeze.sponsorships',
      'heartbeat.error.sponsor-parent-frozen',
    ).refuses(refused);
    const decided = ['heartbeat.sponsor.frozen', 'heartbeat.child.sponsor-frozen'];
    t.refused(refused, 'heartbeat/SPONSOR_PARENT_FROZEN', ...decided);
    const ended = async (): Promise<void> => {
      for (const { hash } of sponsoredOnes) {
        await notActive(t, parent, hash, 'sponsor.transition.frozen.parent', 'dms.freeze.sponsorships');
      }
    };
    await ended();
    // Nothing is active that could be revoked; whether a frozen agent is refused for that first is not said.
    const revoking = { key: parent.key, body: { child_hash: child.hash }, mayMiss: true };
    t.refusedWith(await t.call('sponsor.delete', revoking), '4xx', 'sponsor.error.sponsor-not-found');
    // A revoked sponsorship stays so: a resync makes the agent active, but no sponsorship.
    await t.part(async () => {
      await t.setup('a resync', async () => t.accepted(await comeBack(t, parent, penalty(t, missed))));
      await ended();
      // The sponsor is frozen no more, so what is wrong with its payment is its sender.
      await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, child, t.wallet())));
      const back = await heartbeatPaidBy(t, child, parent, 2);
      t.refused(back, 'heartbeat/PAYMENT_SENDER_MISMATCH', 'heartbeat.error.payment-sender-mismatch');
    });
  },
};

/** As setup: a root, its child, which has the same wallet, and the child's child, which both sponsor. */
async function twoSponsors(
  t: Trial,
  options: WalletRootOptions,
): Promise<readonly [root: WalletAgent, parent: WalletAgent, child: Agent]> {
  const root = await t.walletRoot(options);
  const parent = { ...(await makeChild(t, root, { init: true })), wallet: root.wallet };
  await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, parent, root.wallet)));
  const child = await makeChild(t, parent, { depth: 1, init: true });
  await sponsored(t, root, child);
  // One that would end by itself, too, and later.
  await sponsored(t, parent, child, { expires_in_hours: 10 * expiryHours(t.protocol) });
  return [root, parent, child];
}

const childFroze: Check = {
  ...base,
  id: 'sponsor/child-froze',
  title:
    'The freeze of the child ends the sponsorships it has and those it gives, and it stays one of the siblings of the next',
  clauses: [
    'sponsor.transition.frozen.child',
    'sponsor.transition.frozen.parent',
    'dms.freeze.sponsorships',
    'spawn.cost.siblings',
  ],
  needs: ['beats', 'payments', 'clock'],
  registers: 3,
  requests: 74,
  lamports: (protocol) => protocol.sigil.narrowTaskFeeLamports + fees(3)(protocol),
  waits: untilFrozen(),
  async run(t) {
    const [root, parent, child] = await twoSponsors(t, { sigil: 'narrow_task' });
    // It is a party as the parent, too.
    const grandchild = await makeChild(t, child, { depth: 2 });
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, child, t.wallet())));
    await sponsored(t, child, grandchild);
    for (const sponsor of [root, parent]) {
      const shown = await listed(t, sponsor, child.hash);
      const active = shown.reply.get(`${shown.path}.status`) === 'active' || undefined;
      t.need(active, 'an active sponsorship before the freeze');
    }
    // Heartbeats of the sponsors keep them from being frozen with the child.
    const late = Math.min(30, fewest(t) - 1);
    if (late === 0) throw unreachable('who misses one anchor is frozen, so nobody outlives another by a heartbeat');
    await t.sleep({ anchors: late });
    for (const sponsor of [root, parent]) {
      await t.setup('a heartbeat', async () => t.accepted(await heartbeat(t, sponsor)));
    }
    const probe = (): Promise<Reply> => t.call('spawn', { key: parent.key, body: { child_name: t.word() } });
    const before = await probe();
    const missed = await lapse(t, child, { left: fewest(t) - late });
    const after = await probe();
    for (const field of ['siblings', 'required_beats']) {
      const counted = before.get(field);
      if (typeof counted === 'number') t.shows('spawn.cost.siblings').field(after, field, counted);
    }
    const ended = async (): Promise<void> => {
      for (const sponsor of [root, parent]) {
        await notActive(t, sponsor, child.hash, 'sponsor.transition.frozen.child', 'dms.freeze.sponsorships');
      }
      await notActive(t, child, grandchild.hash, 'sponsor.transition.frozen.parent', 'dms.freeze.sponsorships');
    };
    await ended();
    // No sponsorship pays for a heartbeat of a frozen child; the model judges these replies.
    await sponsor(t, root, child.hash);
    await heartbeatPaidBy(t, child, root);
    await t.call('sponsor.delete', { key: root.key, body: { child_hash: child.hash } });
    // A revoked sponsorship stays so when the child is back.
    await t.part(async () => {
      await t.setup('a resync', async () => t.accepted(await comeBack(t, child, penalty(t, missed))));
      await ended();
    });
  },
};

const keyRevoked: Check = {
  ...base,
  id: 'sponsor/key-revoked',
  title:
    "The revocation of the child's key ends its sponsorships, and those of nobody else; the child is found as before",
  clauses: ['sponsor.transition.key-revoked', 'verify-batch.reply.found', 'verify-batch.reply.summary'],
  needs: ['beats', 'control'],
  controls: ['agents/:hash/revoke-key'],
  registers: 2,
  requests: 35,
  async run(t) {
    const [root, parent, child] = await twoSponsors(t, { init: true });
    await sponsored(t, root, parent);
    await t.control(`POST agents/${encodeURIComponent(child.hash)}/revoke-key`, {});
    for (const sponsor of [root, parent]) {
      await notActive(t, sponsor, child.hash, 'sponsor.transition.key-revoked');
    }
    const { reply, path } = await listed(t, root, parent.hash);
    t.shows('sponsor.transition.key-revoked').field(reply, `${path}.status`, 'active');
    await foundInBatch(t, child.hash);
  },
};

export const sponsorHeartbeatChecks: readonly Check[] = [
  pays,
  unsponsored,
  cap,
  revoked,
  otherPayer,
  expired,
  parentFroze,
  childFroze,
  keyRevoked,
];
