/** The wallet that pays the heartbeat of a sponsored agent, and the count of used heartbeats of a sponsorship. */
import { lookup } from '../moves/lookup.js';
import { listSponsorships, sponsor } from '../moves/sponsor.js';
import { pause, pauseWithin, sleepNearEpochEnd } from '../steps/beat-clock.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, heartbeatPaidBy, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { pauseAnchors } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import { devnetOnly, ethereumRoot } from '../steps/wallet-modes.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'] } as const;

const nearest: WrittenCheck = {
  ...base,
  id: 'sponsor/nearest',
  title: 'Of two ancestors with one wallet the nearest pays while it has room, then the other',
  needs: ['beats', 'payments', 'clock'],
  waits: (protocol) => ({ anchors: pauseAnchors(protocol) + Math.max(0, protocol.dms.missedAnchorsMax - 1) }),
  async run(t) {
    const { parent: root, child: parent } = await family(t);
    await linkWith(t, parent, root.wallet);
    const child = await makeChild(t, parent, { depth: 1, init: true });
    await t.send(sponsor(root, child.hash));
    await t.send(sponsor(parent, child.hash, { max_heartbeats_epoch: 1 }));
    const beat = async (n: number): Promise<void> => {
      await sponsoredHeartbeat(t, child, root, { n });
      for (const payer of [parent, root]) await t.send(listSponsorships(payer));
    };
    await beat(1);
    await pause(t);
    await beat(2);
    // A sponsored heartbeat of a grandchild counts: without it the grandchild would be frozen by now.
    await t.sleep({ anchors: Math.max(0, t.protocol.dms.missedAnchorsMax - 1) });
    await t.call('init', { key: child.key });
    await t.send(lookup('status', child.hash));
  },
};

const ethereum: WrittenCheck = {
  ...base,
  id: 'sponsor/wallet-ethereum',
  title: 'A sponsorship by a parent with an Ethereum wallet is refused',
  unsuitableFor: devnetOnly,
  async run(t) {
    const parent = await ethereumRoot(t);
    await t.call('init', { key: parent.key });
    await t.send(sponsor(parent, (await makeChild(t, parent)).hash));
  },
};

const epoch: WrittenCheck = {
  ...base,
  id: 'sponsor/epoch',
  title: 'The used heartbeats of a sponsorship start at 0 in each billing epoch',
  needs: ['beats', 'payments', 'clock'],
  exclusive: true,
  async run(t) {
    await turn(t);
    // The use of a sponsorship starts at 0 in every epoch, and a refusal for the cap ends with its epoch.
    await t.part(() => turn(t, true));
  },
};

/**
 * Makes a sponsorship before an epoch ends, and uses it in this epoch and in the next. With `over` the child also sends a heartbeat over the cap in
 * the first epoch, if it is active long enough.
 */
async function turn(t: Trial, over = false): Promise<void> {
  const between = pauseWithin(t, t.protocol.dms.missedAnchorsMax);
  // Long enough for two heartbeats, and too short for an agent to be frozen.
  const early = Math.min(2 * between, t.protocol.dms.missedAnchorsMax);
  await sleepNearEpochEnd(t, early * t.protocol.anchor.beatsPerAnchor);
  const { parent, child } = await family(t);
  await t.send(sponsor(parent, child.hash, { max_heartbeats_epoch: 1 }));
  await sponsoredHeartbeat(t, child, parent);
  await t.send(listSponsorships(parent));
  const twice = over && early === 2 * between;
  if (twice) {
    await t.sleep({ anchors: between });
    await heartbeatPaidBy(t, child, parent, 2);
  }
  await t.sleep({ anchors: twice ? early - between : early });
  await t.send(listSponsorships(parent));
  // Setting the terms again does not bring back the use of the previous epoch.
  if (!over) await t.send(sponsor(parent, child.hash, { max_heartbeats_epoch: 1 }));
  await sponsoredHeartbeat(t, child, parent);
  await t.send(listSponsorships(parent));
}

export const sponsorWalletChecks: readonly WrittenCheck[] = [nearest, ethereum];
/** Sponsorships at the end of an epoch, for which the clock moves by months. */
export const sponsorEpochChecks: readonly WrittenCheck[] = [epoch];
