/** Whose wallet pays for whom, and what a sponsorship's use counts. */
import { beatsAreAnchors, pause, pauseWithin, sleepNearEpochEnd } from '../steps/beat-clock.js';
import { heartbeatFee } from '../steps/paid.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, heartbeatPaidBy, listed, sponsor, sponsored, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { pauseAnchors } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import { devnetOnly, ethereumRoot } from '../steps/wallet-modes.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'], registers: 1, walletRegisters: 2, writes: true } as const;

/** Asserts the count of its child's heartbeats of this epoch in a sponsor's listing, for clauses of either level. */
async function used(
  t: Trial,
  parent: Agent,
  child: Agent,
  expected: number,
  ...clauses: readonly string[]
): Promise<void> {
  const { reply, path } = await listed(t, parent, child.hash);
  for (const clause of clauses) t.shows(clause).field(reply, `${path}.heartbeats_used_epoch`, expected);
}

const nearest: Check = {
  ...base,
  id: 'sponsor/nearest',
  title: 'Of two ancestors with one wallet the nearest pays while it has room, then the other',
  clauses: ['sponsor.nearest', 'heartbeat.sender.sponsor', 'sponsor.rule.descendant', 'sponsor.pays', 'dms.freeze'],
  needs: ['beats', 'payments', 'clock'],
  registers: 2,
  requests: 30,
  lamports: (protocol) => 2 * heartbeatFee(protocol, 1).lamports,
  waits: (protocol) => ({ anchors: pauseAnchors(protocol) + Math.max(0, protocol.dms.missedAnchorsMax - 1) }),
  async run(t) {
    const { parent: root, child: parent } = await family(t);
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, parent, root.wallet)));
    const child = await makeChild(t, parent, { depth: 1, init: true });
    await sponsored(t, root, child);
    t.accepted(await sponsor(t, parent, child.hash, { max_heartbeats_epoch: 1 }), 'sponsor.rule.descendant');
    t.accepted(await sponsoredHeartbeat(t, child, root));
    await used(t, parent, child, 1, 'sponsor.nearest');
    await used(t, root, child, 0, 'sponsor.nearest');
    await pause(t);
    t.accepted(await sponsoredHeartbeat(t, child, root, { n: 2 }), 'heartbeat.sender.sponsor', 'sponsor.pays');
    await used(t, parent, child, 1, 'sponsor.nearest');
    await used(t, root, child, 1, 'sponsor.nearest');
    // A heartbeat of a child's child counts, whichever agent pays: so long after its start it would else be frozen.
    await t.sleep({ anchors: Math.max(0, t.protocol.dms.missedAnchorsMax - 1) });
    const alive = t.accepted(await t.call('init', { key: child.key }));
    t.shows('dms.freeze').field(alive, 'status', 'active');
  },
};

const ethereum: Check = {
  ...base,
  id: 'sponsor/wallet-ethereum',
  title: 'A parent whose wallet is an Ethereum one sponsors nobody, one with a Solana wallet does',
  clauses: ['sponsor.wallet.solana'],
  registers: 2,
  walletRegisters: 4,
  requests: 20,
  unsuitableFor: devnetOnly,
  refusal: true,
  async run(t) {
    const other = await ethereumRoot(t);
    await t.setup('a started chain', async () => t.accepted(await t.call('init', { key: other.key })));
    const own = await makeChild(t, other);
    t.refused(await sponsor(t, other, own.hash), 'sponsor/WALLET_REQUIRED', 'sponsor.wallet.solana');
    const { parent, child } = await family(t);
    t.accepted(await sponsor(t, parent, child.hash));
  },
};

const withoutWallet: Check = {
  ...base,
  id: 'sponsor/wallet-post-only',
  title: 'An agent without a wallet lists its sponsorships, and is told that there is none to revoke',
  clauses: ['sponsor.wallet.post-only'],
  registers: 2,
  walletRegisters: 0,
  requests: 9,
  async run(t) {
    const parent = await t.root({ init: true });
    const child = await makeChild(t, parent);
    const reply = t.accepted(await t.call('sponsor.get', { key: parent.key }), 'sponsor.wallet.post-only');
    t.shows('sponsor.wallet.post-only').field(reply, 'sponsorships', []);
    const body = { child_hash: child.hash };
    const refused = await t.call('sponsor.delete', { key: parent.key, body, mayMiss: true });
    t.refusedWith(refused, 404, 'sponsor.wallet.post-only');
  },
};

const epoch: Check = {
  ...base,
  id: 'sponsor/epoch',
  title: 'What a sponsorship has paid for is forgotten when a billing epoch begins',
  clauses: ['sponsor.use.reset', 'heartbeat.sender.sponsor', 'sponsor.field.heartbeats-used-epoch'],
  needs: ['beats', 'payments', 'clock'],
  exclusive: true,
  registers: 2,
  walletRegisters: 4,
  requests: 62,
  lamports: (protocol) => 5 * heartbeatFee(protocol, 1).lamports,
  async run(t) {
    await turn(t);
    // One epoch is like another: the second turn as well as the first, and a refusal for the cap ends with its epoch.
    await t.part(() => turn(t, true));
  },
};

/**
 * A sponsorship that is made before the turn of an epoch, and used before and after it; with `over` it refuses one heartbeat
 * more in the first, where its child lives long enough to send it.
 */
async function turn(t: Trial, over = false): Promise<void> {
  const between = pauseWithin(t, t.protocol.dms.missedAnchorsMax);
  // Long enough for two heartbeats, and short enough for nobody to be frozen meanwhile.
  const early = Math.min(2 * between, t.protocol.dms.missedAnchorsMax);
  await sleepNearEpochEnd(t, early * t.protocol.anchor.beatsPerAnchor);
  const { parent, child } = await family(t);
  await sponsored(t, parent, child, { max_heartbeats_epoch: 1 });
  await beatsAreAnchors(t, t.accepted(await sponsoredHeartbeat(t, child, parent)));
  await used(t, parent, child, 1, 'sponsor.use.reset');
  const twice = over && early === 2 * between;
  if (twice) {
    await t.sleep({ anchors: between });
    t.shows('heartbeat.sender.sponsor').refuses(await heartbeatPaidBy(t, child, parent, 2));
  }
  await t.sleep({ anchors: twice ? early - between : early });
  // 2.10 and 4.5: used and cap are of an epoch, and this is another; that both begin again with it is all that is left open.
  const clauses = ['sponsor.field.heartbeats-used-epoch', 'sponsor.use.reset'];
  await used(t, parent, child, 0, ...clauses);
  // Terms that are set again bring back nothing of the epoch before.
  if (!over) await sponsored(t, parent, child, { max_heartbeats_epoch: 1 });
  await used(t, parent, child, 0, ...clauses);
  t.accepted(await sponsoredHeartbeat(t, child, parent), 'heartbeat.sender.sponsor', 'sponsor.use.reset');
  await used(t, parent, child, 1, ...clauses);
}

export const sponsorWalletChecks: readonly Check[] = [nearest, ethereum, withoutWallet];
/** The turn of an epoch, for which months pass. */
export const sponsorEpochChecks: readonly Check[] = [epoch];
