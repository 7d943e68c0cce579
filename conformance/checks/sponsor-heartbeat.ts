import type { Protocol } from '../../spec/protocol.js';
import { feeIs, heartbeat, heartbeatFee } from '../steps/paid.js';
import { byoWalletOnly } from '../steps/policies.js';
import { fewest } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, heartbeatPaidBy, listed, sponsored } from '../steps/sponsor-call.js';
import { betweenHeartbeats, untilFrozen } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats', 'payments'], registers: 1, walletRegisters: 2, writes: true } as const;
const fees =
  (count: number) =>
  (protocol: Protocol): number =>
    count * heartbeatFee(protocol, 1).lamports;

/** Lets the least interval between two heartbeats pass. */
const pause = (t: Trial): Promise<void> =>
  t.sleep({ anchors: t.protocol.heartbeat.intervalBeatsMin / t.protocol.anchor.beatsPerAnchor });

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
    'sponsor.field.heartbeats-used-epoch',
  ],
  requests: 15,
  lamports: fees(1),
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child);
    const { lamports } = heartbeatFee(t.protocol, 1);
    const payment_tx = await t.pay({ from: parent.wallet, lamports });
    const reply = t.accepted(await t.call('heartbeat', { key: child.key, body: { payment_tx } }));
    t.equal('agent_hash', reply.get('agent_hash'), child.hash);
    t.equal('total_heartbeats', reply.get('total_heartbeats'), 1);
    feeIs(t, reply, lamports, payment_tx);
    t.decided('D-11', () => {
      t.equal('passport.agent_public_key', reply.get('passport.agent_public_key'), null);
      t.equal('passport.identity_class', reply.get('passport.identity_class'), null);
    });
    const beats = t.accepted(await t.call('beat-status', { params: { hash: child.hash } }));
    const volumeCap = beats.get('heartbeat_epoch.volume_cap');
    t.decided('D-50', () => t.equal('heartbeat_epoch.volume_cap', volumeCap, t.protocol.heartbeat.narrowTaskCap));
    const { reply: listing, path } = await listed(t, parent, child.hash);
    t.equal('heartbeats_used_epoch', listing.get(`${path}.heartbeats_used_epoch`), 1);
  },
};

const unsponsored: Check = {
  ...base,
  id: 'sponsor/unsponsored-heartbeat',
  title: "A parent's wallet pays for a child under a sponsorship, and not without one",
  clauses: ['heartbeat.child.unsponsored', 'heartbeat.error.wallet-required', 'heartbeat.byo-wallet'],
  unfit: byoWalletOnly,
  requests: 15,
  lamports: fees(2),
  refusal: true,
  async run(t) {
    const { parent, child } = await family(t);
    t.refused(await heartbeatPaidBy(t, child, parent), 'heartbeat/WALLET_REQUIRED');
    await sponsored(t, parent, child);
    t.accepted(await heartbeatPaidBy(t, child, parent));
  },
};

const cap: Check = {
  ...base,
  id: 'sponsor/cap-reached',
  title: 'A sponsorship pays no more heartbeats an epoch than its cap; a higher cap keeps what was used',
  clauses: ['heartbeat.error.sponsor-cap-reached', 'sponsor.update.use', 'sponsor.update.terms'],
  needs: ['beats', 'payments', 'clock'],
  requests: 22,
  lamports: fees(4),
  refusal: true,
  waits: betweenHeartbeats(2),
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child, { max_heartbeats_epoch: 1 });
    t.accepted(await heartbeatPaidBy(t, child, parent));
    await pause(t);
    t.refused(await heartbeatPaidBy(t, child, parent), 'heartbeat/SPONSOR_CAP_REACHED');
    await sponsored(t, parent, child, { max_heartbeats_epoch: 2 });
    t.accepted(await heartbeatPaidBy(t, child, parent));
    await pause(t);
    const full = await heartbeatPaidBy(t, child, parent);
    t.refused(full, 'heartbeat/SPONSOR_CAP_REACHED', 'D-30');
  },
};

const revoked: Check = {
  ...base,
  id: 'sponsor/revoked-heartbeat',
  title: 'A sponsorship that was revoked pays for nothing',
  clauses: ['sponsor.transition.revoke', 'heartbeat.child.unsponsored'],
  unfit: byoWalletOnly,
  needs: ['beats', 'payments', 'clock'],
  requests: 18,
  lamports: fees(2),
  refusal: true,
  waits: betweenHeartbeats(),
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child);
    t.accepted(await heartbeatPaidBy(t, child, parent));
    const body = { child_hash: child.hash };
    await t.setup('a revocation', async () => t.accepted(await t.call('sponsor.delete', { key: parent.key, body })));
    await pause(t);
    t.refused(await heartbeatPaidBy(t, child, parent), 'heartbeat/WALLET_REQUIRED');
  },
};

const otherPayer: Check = {
  ...base,
  id: 'sponsor/other-payer',
  title: 'A sponsored child cannot have its heartbeat paid by a wallet that sponsors somebody else',
  clauses: ['heartbeat.error.payment-sender-mismatch', 'heartbeat.sender.sponsor'],
  unfit: byoWalletOnly,
  walletRegisters: 4,
  requests: 18,
  lamports: fees(2),
  refusal: true,
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child);
    t.refused(await heartbeatPaidBy(t, child, await t.walletRoot()), 'heartbeat/PAYMENT_SENDER_MISMATCH');
    t.accepted(await heartbeatPaidBy(t, child, parent));
  },
};

const expired: Check = {
  ...base,
  id: 'sponsor/expired',
  title: 'A sponsorship past its hour reads expired and pays for nothing',
  clauses: ['sponsor.expired.status', 'sponsor.expired.unused'],
  unfit: byoWalletOnly,
  needs: ['beats', 'payments', 'clock'],
  requests: 18,
  lamports: fees(2),
  refusal: true,
  waits: () => ({ sec: 3_600 }),
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child, { expires_in_hours: 1 });
    t.accepted(await heartbeatPaidBy(t, child, parent));
    await t.sleep({ sec: 3_601 });
    t.refused(await heartbeatPaidBy(t, child, parent), 'heartbeat/WALLET_REQUIRED');
    const { reply, path } = await listed(t, parent, child.hash);
    t.equal('status', reply.get(`${path}.status`), 'expired');
  },
};

const parentFroze: Check = {
  ...base,
  id: 'sponsor/parent-froze',
  title: 'The freeze of its sponsor ends a sponsorship, and a payment from there is refused',
  clauses: [
    'sponsor.transition.frozen.parent',
    'dms.freeze.sponsorships',
    'heartbeat.error.sponsor-parent-frozen',
    'heartbeat.sponsor.frozen',
    'heartbeat.child.sponsor-frozen',
  ],
  needs: ['beats', 'payments', 'clock'],
  requests: 24,
  lamports: fees(2),
  refusal: true,
  waits: untilFrozen(),
  async run(t) {
    const parent = await t.walletRoot({ init: true });
    const child = await makeChild(t, parent);
    // The child starts later, so that it is not frozen with its parent.
    await t.sleep({ anchors: 30 });
    await t.setup('a started child', async () => t.accepted(await t.call('init', { key: child.key })));
    await sponsored(t, parent, child);
    t.accepted(await heartbeatPaidBy(t, child, parent));
    await t.sleep({ anchors: fewest(t) - 30 });
    const refused = await heartbeatPaidBy(t, child, parent);
    t.refused(refused, 'heartbeat/SPONSOR_PARENT_FROZEN', 'D-29');
    const { reply, path } = await listed(t, parent, child.hash);
    t.equal('status', reply.get(`${path}.status`), 'revoked');
  },
};

const childFroze: Check = {
  ...base,
  id: 'sponsor/child-froze',
  title: 'The freeze of the child ends a sponsorship',
  clauses: ['sponsor.transition.frozen.child', 'dms.freeze.sponsorships'],
  needs: ['beats', 'payments', 'clock'],
  requests: 24,
  lamports: (protocol) => protocol.sigil.narrowTaskFeeLamports + fees(1)(protocol),
  waits: untilFrozen(),
  async run(t) {
    const parent = await t.walletRoot({ sigil: 'narrow_task' });
    const child = await makeChild(t, parent, { init: true });
    await sponsored(t, parent, child);
    const before = await listed(t, parent, child.hash);
    t.equal('status before', before.reply.get(`${before.path}.status`), 'active');
    // A heartbeat of the parent keeps it from being frozen with its child.
    await t.sleep({ anchors: 30 });
    await t.setup('a heartbeat', async () => t.accepted(await heartbeat(t, parent)));
    await t.sleep({ anchors: fewest(t) - 30 });
    const { reply, path } = await listed(t, parent, child.hash);
    t.equal('status', reply.get(`${path}.status`), 'revoked');
  },
};

const keyRevoked: Check = {
  ...base,
  id: 'sponsor/key-revoked',
  title: "The revocation of the child's key ends a sponsorship",
  clauses: ['sponsor.transition.key-revoked'],
  needs: ['beats', 'control'],
  controls: ['agents/:hash/revoke-key'],
  requests: 14,
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child);
    await t.control(`POST agents/${child.hash}/revoke-key`, {});
    const { reply, path } = await listed(t, parent, child.hash);
    t.equal('status', reply.get(`${path}.status`), 'revoked');
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
