import { sleepNearEpochEnd } from '../steps/beat-clock.js';
import { heartbeatFee } from '../steps/paid.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, heartbeatPaidBy, listed, sponsor, sponsored } from '../steps/sponsor-call.js';
import { betweenHeartbeats } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { devnetOnly, ethereumRoot } from './register-operator.js';

const base = { needs: ['beats'], registers: 1, walletRegisters: 2, writes: true } as const;

/** What a sponsor's listing says a child has used of its epoch. */
async function used(t: Trial, parent: Agent, child: Agent): Promise<unknown> {
  const { reply, path } = await listed(t, parent, child.hash);
  return reply.get(`${path}.heartbeats_used_epoch`);
}

const nearest: Check = {
  ...base,
  id: 'sponsor/nearest',
  title: 'Of two ancestors with one wallet the nearest pays while it has room, then the other',
  clauses: ['sponsor.nearest'],
  needs: ['beats', 'payments', 'clock'],
  registers: 2,
  requests: 28,
  lamports: (protocol) => 2 * heartbeatFee(protocol, 1).lamports,
  waits: betweenHeartbeats(),
  async run(t) {
    const { parent: root, child: parent } = await family(t);
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, parent, root.wallet)));
    const child = await makeChild(t, parent, { depth: 1, init: true });
    await sponsored(t, root, child);
    await sponsored(t, parent, child, { max_heartbeats_epoch: 1 });
    t.accepted(await heartbeatPaidBy(t, child, root));
    t.equal('used of the nearest', await used(t, parent, child), 1);
    t.equal('used of the other', await used(t, root, child), 0);
    await t.sleep({ anchors: t.protocol.heartbeat.intervalBeatsMin / t.protocol.anchor.beatsPerAnchor });
    t.accepted(await heartbeatPaidBy(t, child, root));
    t.equal('used of the nearest, full', await used(t, parent, child), 1);
    t.equal('used of the other then', await used(t, root, child), 1);
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
  unfit: devnetOnly,
  refusal: true,
  async run(t) {
    const other = await ethereumRoot(t);
    await t.setup('a started chain', async () => t.accepted(await t.call('init', { key: other.key })));
    const own = await makeChild(t, other);
    t.refused(await sponsor(t, other, own.hash), 'sponsor/WALLET_REQUIRED');
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
    t.equal('sponsorships', t.accepted(await t.call('sponsor.get', { key: parent.key })).get('sponsorships'), []);
    const body = { child_hash: child.hash };
    t.refused(await t.call('sponsor.delete', { key: parent.key, body, mayMiss: true }), 'sponsor/SPONSOR_NOT_FOUND');
  },
};

const epoch: Check = {
  ...base,
  id: 'sponsor/epoch',
  title: 'What a sponsorship has paid for is forgotten when a billing epoch begins',
  clauses: ['sponsor.use.reset'],
  needs: ['beats', 'payments', 'clock'],
  exclusive: true,
  requests: 24,
  lamports: (protocol) => 2 * heartbeatFee(protocol, 1).lamports,
  async run(t) {
    const early = 2 * t.protocol.heartbeat.intervalBeatsMin;
    await sleepNearEpochEnd(t, early);
    const { parent, child } = await family(t);
    await sponsored(t, parent, child, { max_heartbeats_epoch: 1 });
    t.accepted(await heartbeatPaidBy(t, child, parent));
    t.equal('used before the turn', await used(t, parent, child), 1);
    await t.sleep({ anchors: early });
    t.equal('used after the turn', await used(t, parent, child), 0);
    t.accepted(await heartbeatPaidBy(t, child, parent));
    t.equal('used in the new epoch', await used(t, parent, child), 1);
  },
};

export const sponsorWalletChecks: readonly Check[] = [nearest, ethereum, withoutWallet];
/** The turn of an epoch, for which months pass. */
export const sponsorEpochChecks: readonly Check[] = [epoch];
