/** Heartbeats that a sponsor pays, and the end of a sponsorship. The terms of sponsorships are in sponsor.ts. */

import type { Protocol } from '../../spec/protocol.js';
import { HOUR_SEC } from '../../spec/time.js';
import { unreachable } from '../assertions/unjudged.js';
import { heartbeat as heartbeatMove } from '../moves/heartbeat.js';
import { lookup } from '../moves/lookup.js';
import { spawn } from '../moves/spawn.js';
import { endSponsorship, listSponsorships, sponsor } from '../moves/sponsor.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { pause, pauseWithin } from '../steps/beat-clock.js';
import { revokeKey } from '../steps/keys.js';
import { heartbeat, heartbeatFee } from '../steps/paid.js';
import { byoWalletOnly, needByoWallet } from '../steps/policies.js';
import { comeBack, fewest, lapse, penalty } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, heartbeatPaidBy, listed, sponsoredHeartbeat } from '../steps/sponsor-call.js';

import { betweenHeartbeats, pauseAnchors, untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent, WalletAgent, WalletRootOptions } from '../trial/fixtures.js';
import { needReachableCount } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats', 'payments'] } as const;
const withSigil = { sigil: 'narrow_task' } as const;

/** The shortest sponsorship that expires, in whole hours. */
const expiryHours = ({ sponsor }: Protocol): number => Math.max(1, sponsor.expiresHoursMin);
const expirySec = (protocol: Protocol): number => expiryHours(protocol) * HOUR_SEC;

/**
 * The number of heartbeats, and the anchors between them, that keep an agent active until the shortest sponsorship has
 * expired.
 */
function keepingAlive(protocol: Protocol): { readonly times: number; readonly apart: number } {
  const anchors = Math.floor((expirySec(protocol) + 1) / protocol.anchor.intervalSec);
  const most = protocol.dms.missedAnchorsMax;
  const times = anchors <= most ? 0 : Math.ceil((anchors + 1) / Math.max(1, most)) - 1;
  return { times, apart: Math.floor(anchors / (times + 1)) };
}

/** The most heartbeats that a check sends to keep its agents active. */
const TIMES_MAX = 200;

/** Links a fresh wallet with lamports for some heartbeats to an agent. */
async function ownWallet(t: Trial, agent: Agent): Promise<WalletAgent['wallet']> {
  const wallet = t.wallet();
  await linkWith(t, agent, wallet);
  await t.fund(wallet, 10 * heartbeatFee(t.protocol, 1).lamports);
  return wallet;
}

/** True if an idle agent is still active after `pauses` heartbeat intervals. */
const outlivesPauses = (protocol: Protocol, pauses: number): boolean =>
  pauses * pauseAnchors(protocol) <= protocol.dms.missedAnchorsMax;

const pays: WrittenCheck = {
  ...base,
  id: 'sponsor/pays',
  title: "A child without wallet and SIGIL sends a heartbeat that its sponsor's wallet pays",
  async run(t) {
    const { parent, child } = await family(t);
    await t.send(sponsor(parent, child.hash));
    await sponsoredHeartbeat(t, child, parent);
    await t.send(listSponsorships(parent));
    // The interval to the next heartbeat is the same, whichever agent pays, and a refused heartbeat does not use its payment.
    if (t.protocol.heartbeat.intervalBeatsMin > t.protocol.anchor.beatsPerAnchor)
      await heartbeatPaidBy(t, child, parent, 2);
    await t.send(listSponsorships(parent));
    await t.send(lookup('beat-status', child.hash));
  },
};

const payers: WrittenCheck = {
  ...base,
  id: 'sponsor/payers',
  title: "A parent's wallet pays for a child under a sponsorship, and no other wallet does",
  unsuitableFor: byoWalletOnly,
  async run(t) {
    await needByoWallet(t);
    const { parent: root, child: parent } = await family(t);
    const own = { ...parent, wallet: await ownWallet(t, parent) };
    const child = await makeChild(t, parent, { depth: 1, init: true });
    const paid = await t.pay({ from: own.wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
    const beat = () => t.send(heartbeatMove(child, paid));
    await beat();
    await t.send(sponsor(own, child.hash));
    // An unrelated agent, and the parent of the sponsor, which has no sponsorship.
    for (const payer of [await t.walletRoot(), root]) await sponsoredHeartbeat(t, child, payer);
    await beat();
  },
};

const cap: WrittenCheck = {
  ...base,
  id: 'sponsor/cap-reached',
  title: 'A sponsored heartbeat over the cap is refused; a higher cap keeps the used number',
  needs: ['beats', 'payments', 'clock'],
  waits: betweenHeartbeats(3),
  async run(t) {
    // If the sponsor froze during this check, its sponsorship would end.
    pauseWithin(t, t.protocol.dms.missedAnchorsMax);
    const alive = !outlivesPauses(t.protocol, 3);
    const { heartbeatsEpochMin: least, heartbeatsEpochMax: most } = t.protocol.sponsor;
    if (least > 2 || most < 3)
      throw unreachable(`a sponsorship has a cap of ${least} to ${most}, and this check needs caps of 2 and 3`);
    const { parent, child } = await family(t, alive ? withSigil : { init: true });
    const sibling = await makeChild(t, parent, { siblings: 1, init: true });
    // A cap applies to one sponsorship; those of its siblings do not count.
    for (const one of [child, sibling]) {
      await t.send(sponsor(parent, one.hash, { max_heartbeats_epoch: 2 }));
      await sponsoredHeartbeat(t, one, parent);
    }
    await pause(t);
    if (alive) await heartbeat(t, parent);
    await sponsoredHeartbeat(t, child, parent, { n: 2 });
    await t.send(listSponsorships(parent));
    await pause(t);
    if (alive) await heartbeat(t, parent, 2);
    const third = await t.pay({ from: parent.wallet, lamports: heartbeatFee(t.protocol, 3).lamports });
    await t.send(heartbeatMove(child, third));
    if (outlivesPauses(t.protocol, 2)) await sponsoredHeartbeat(t, sibling, parent, { n: 2 });
    await t.send(sponsor(parent, child.hash, { max_heartbeats_epoch: 3 }));
    await t.send(listSponsorships(parent));
    await sponsoredHeartbeat(t, child, parent, { paid: third });
    await pause(t);
    await heartbeatPaidBy(t, child, parent, 4);
  },
};

const expired: WrittenCheck = {
  ...base,
  id: 'sponsor/expired',
  title: 'A sponsorship past its expiry is listed as expired, and a payment by the sponsor is refused',
  unsuitableFor: byoWalletOnly,
  needs: ['beats', 'payments', 'clock'],
  waits: (protocol) => ({ sec: expirySec(protocol) }),
  async run(t) {
    await needByoWallet(t);
    const { times, apart } = keepingAlive(t.protocol);
    needReachableCount(times, TIMES_MAX, 'heartbeats keep an agent active until a sponsorship expires');
    if (times > 0) pauseWithin(t, apart);
    const { parent, child } = await family(t, times > 0 ? withSigil : { init: true });
    const cap = times > 0 ? { max_heartbeats_epoch: t.protocol.sponsor.heartbeatsEpochMax } : {};
    await t.send(sponsor(parent, child.hash, { expires_in_hours: expiryHours(t.protocol), ...cap }));
    const startMs = t.nowMs();
    await sponsoredHeartbeat(t, child, parent);
    for (let n = 1; n <= times; n += 1) {
      // Both agents send heartbeats until the sponsorship expires, so neither is frozen before.
      await t.sleep({ anchors: apart });
      await heartbeat(t, parent, n);
      await sponsoredHeartbeat(t, child, parent, { n: n + 1 });
    }
    await t.sleep({ ms: startMs + (expirySec(t.protocol) + 1) * 1_000 - t.nowMs() });
    t.refused(
      await heartbeatPaidBy(t, child, parent, times + 2),
      'heartbeat/WALLET_REQUIRED',
      'sponsor.expired.unused',
    );
    // 3.4 does not say whether an expired sponsorship is listed.
    const { reply, path } = await listed(t, parent, child.hash, false);
    t.shows('sponsor.expired.status').field(reply, `${path}.status`, 'expired');
  },
};

const parentFroze: WrittenCheck = {
  ...base,
  id: 'sponsor/parent-froze',
  title:
    'The freeze of a sponsor ends its sponsorships for good: a revocation finds none, and a payment by the sponsor is refused',
  needs: ['beats', 'payments', 'clock'],
  waits: untilFrozen(),
  async run(t) {
    const between = pauseWithin(t, fewest(t) - 1);
    const parent = await t.walletRoot({ init: true });
    const child = await makeChild(t, parent);
    const sibling = await makeChild(t, parent, { siblings: 1 });
    const grandchild = await makeChild(t, child, { depth: 1 });
    // The child starts its chain late enough not to be frozen with its parent, and early enough for two heartbeats.
    const late = Math.min(30, fewest(t) - Math.max(1, between));
    await t.sleep({ anchors: late });
    await t.call('init', { key: child.key });
    for (const one of [child, sibling, grandchild]) await t.send(sponsor(parent, one.hash));
    await sponsoredHeartbeat(t, child, parent);
    const missed = await lapse(t, parent, { left: fewest(t) - late });
    await heartbeatPaidBy(t, child, parent, 2);
    await t.send(listSponsorships(parent));
    await t.send(endSponsorship(parent, child.hash), { mayMiss: true });
    // A resync reactivates the agent, but not its sponsorships.
    await comeBack(t, parent, penalty(t, missed));
    await t.send(listSponsorships(parent));
    // The sponsor is no longer frozen, so only its being no sponsor is a reason to refuse its payment.
    await linkWith(t, child, t.wallet());
    await heartbeatPaidBy(t, child, parent, 2);
  },
};

/** A root, its child with the same wallet, and a grandchild that both sponsor. */
async function twoSponsors(
  t: Trial,
  options: WalletRootOptions,
): Promise<readonly [root: WalletAgent, parent: WalletAgent, child: Agent]> {
  const root = await t.walletRoot(options);
  const parent = { ...(await makeChild(t, root, { init: true })), wallet: root.wallet };
  await linkWith(t, parent, root.wallet);
  const child = await makeChild(t, parent, { depth: 1, init: true });
  await t.send(sponsor(root, child.hash));
  // A sponsorship that would also expire, but later.
  await t.send(sponsor(parent, child.hash, { expires_in_hours: 10 * expiryHours(t.protocol) }));
  return [root, parent, child];
}

const childFroze: WrittenCheck = {
  ...base,
  id: 'sponsor/child-froze',
  title: 'The freeze of a child ends the sponsorships that it has and gives, and the child still counts as a sibling',
  needs: ['beats', 'payments', 'clock'],
  waits: untilFrozen(),
  async run(t) {
    const [root, parent, child] = await twoSponsors(t, { sigil: 'narrow_task' });
    // The child is itself the sponsor of its own child.
    const grandchild = await makeChild(t, child, { depth: 2 });
    await linkWith(t, child, t.wallet());
    await t.send(sponsor(child, grandchild.hash));
    // Heartbeats keep the sponsors from being frozen when the child is.
    const late = Math.min(30, fewest(t) - 1);
    if (late === 0)
      throw unreachable('one missed anchor freezes an agent, so heartbeats do not keep one active longer than another');
    await t.sleep({ anchors: late });
    for (const sponsor of [root, parent]) await heartbeat(t, sponsor);
    const missed = await lapse(t, child, { left: fewest(t) - late });
    await t.send(spawn(parent, { child_name: t.word() }));
    for (const agent of [root, parent, child]) await t.send(listSponsorships(agent));
    // No sponsorship pays for a heartbeat of a frozen child.
    await t.send(sponsor(root, child.hash));
    await heartbeatPaidBy(t, child, root);
    await t.send(endSponsorship(root, child.hash), { mayMiss: true });
    // A revoked sponsorship stays revoked when the child is active again.
    await comeBack(t, child, penalty(t, missed));
    for (const agent of [root, parent, child]) await t.send(listSponsorships(agent));
  },
};

const keyRevoked: WrittenCheck = {
  ...base,
  id: 'sponsor/key-revoked',
  title: "Revoking the child's key ends its sponsorships and no others; lookups find the child as before",
  needs: ['beats', 'control'],
  controls: ['agents/:hash/revoke-key'],
  async run(t) {
    const [root, parent, child] = await twoSponsors(t, { init: true });
    await t.send(sponsor(root, parent.hash));
    await revokeKey(t, child);
    for (const agent of [root, parent]) await t.send(listSponsorships(agent));
    await t.send(verifyBatch([child.hash]));
  },
};

export const sponsorHeartbeatChecks: readonly WrittenCheck[] = [
  pays,
  payers,
  cap,
  expired,
  parentFroze,
  childFroze,
  keyRevoked,
];
