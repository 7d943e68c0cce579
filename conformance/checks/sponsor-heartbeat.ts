import type { Protocol } from '../../spec/protocol.js';
import { sameMeaning } from '../assertions/compare.js';
import { at } from '../assertions/reply.js';
import { feeIs, heartbeat, heartbeatFee } from '../steps/paid.js';
import { byoWalletOnly } from '../steps/policies.js';
import { fewest } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, heartbeatPaidBy, listed, sponsored, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { betweenHeartbeats, untilFrozen } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** Heartbeats that a sponsor pays, and what ends a sponsorship. Its terms are in sponsor.ts. */
const base = { needs: ['beats', 'payments'], registers: 1, walletRegisters: 2, writes: true } as const;
const fees =
  (count: number) =>
  (protocol: Protocol): number =>
    count * heartbeatFee(protocol, 1).lamports;

/** Lets the least interval between two heartbeats pass. */
const pause = (t: Trial): Promise<void> =>
  t.sleep({ anchors: t.protocol.heartbeat.intervalBeatsMin / t.protocol.anchor.beatsPerAnchor });

/** 3.4: a sponsorship that was revoked is not active any more, whatever its status is called or whether it is listed. */
async function notActive(t: Trial, parent: Agent, childHash: string, ...clauses: readonly string[]): Promise<void> {
  const reply = t.accepted(await t.call('sponsor.get', { key: parent.key }));
  const all = reply.get('sponsorships');
  const own = (Array.isArray(all) ? all : []).filter((one) => sameMeaning(at(one, 'child_hash'), childHash));
  const active = own.some((one) => at(one, 'status') === 'active');
  t.shows(...clauses).of(reply, 'status of a sponsorship that was revoked', !active, 'not active', own);
}

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
    'sponsor.field.heartbeats-used-epoch',
    'fee.heartbeat.tier-1',
  ],
  requests: 15,
  lamports: fees(1),
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child);
    const { lamports } = heartbeatFee(t.protocol, 1);
    const payment_tx = await t.pay({ from: parent.wallet, lamports });
    const sent = await sponsoredHeartbeat(t, child, parent, payment_tx);
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
    const beats = t.accepted(await t.call('beat-status', { params: { hash: child.hash } }));
    t.shows('heartbeat.cap.child').field(beats, 'heartbeat_epoch.volume_cap', t.protocol.heartbeat.narrowTaskCap);
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
    const refused = await heartbeatPaidBy(t, child, parent);
    const clauses = ['heartbeat.child.unsponsored', 'heartbeat.error.wallet-required', 'heartbeat.byo-wallet'];
    t.refused(refused, 'heartbeat/WALLET_REQUIRED', ...clauses);
    await sponsored(t, parent, child);
    t.accepted(await sponsoredHeartbeat(t, child, parent));
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
    t.accepted(await sponsoredHeartbeat(t, child, parent));
    await pause(t);
    const over = await heartbeatPaidBy(t, child, parent);
    t.refused(over, 'heartbeat/SPONSOR_CAP_REACHED', 'heartbeat.error.sponsor-cap-reached');
    await sponsored(t, parent, child, { max_heartbeats_epoch: 2 });
    t.accepted(await sponsoredHeartbeat(t, child, parent), 'sponsor.update.terms');
    await pause(t);
    const full = await heartbeatPaidBy(t, child, parent);
    t.refused(full, 'heartbeat/SPONSOR_CAP_REACHED', 'sponsor.update.use');
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
    t.accepted(await sponsoredHeartbeat(t, child, parent));
    const body = { child_hash: child.hash };
    await t.setup('a revocation', async () => t.accepted(await t.call('sponsor.delete', { key: parent.key, body })));
    await pause(t);
    const after = await heartbeatPaidBy(t, child, parent);
    t.shows('sponsor.transition.revoke').refuses(after);
    t.refused(after, 'heartbeat/WALLET_REQUIRED', 'heartbeat.child.unsponsored');
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
  unfit: byoWalletOnly,
  needs: ['beats', 'payments', 'clock'],
  requests: 18,
  lamports: fees(2),
  refusal: true,
  waits: () => ({ sec: 3_600 }),
  async run(t) {
    const { parent, child } = await family(t);
    await sponsored(t, parent, child, { expires_in_hours: 1 });
    t.accepted(await sponsoredHeartbeat(t, child, parent));
    await t.sleep({ sec: 3_601 });
    t.refused(await heartbeatPaidBy(t, child, parent), 'heartbeat/WALLET_REQUIRED', 'sponsor.expired.unused');
    const { reply, path } = await listed(t, parent, child.hash);
    t.shows('sponsor.expired.status').field(reply, `${path}.status`, 'expired');
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
    t.accepted(await sponsoredHeartbeat(t, child, parent));
    await t.sleep({ anchors: fewest(t) - 30 });
    const refused = await heartbeatPaidBy(t, child, parent);
    // 7 says that a frozen sponsor has the heartbeat refused; which refusal comes first is D-29's.
    t.shows(
      'sponsor.transition.frozen.parent',
      'dms.freeze.sponsorships',
      'heartbeat.error.sponsor-parent-frozen',
    ).refuses(refused);
    const decided = ['heartbeat.sponsor.frozen', 'heartbeat.child.sponsor-frozen'];
    t.refused(refused, 'heartbeat/SPONSOR_PARENT_FROZEN', ...decided);
    await notActive(t, parent, child.hash, 'sponsor.transition.frozen.parent', 'dms.freeze.sponsorships');
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
    t.need(
      before.reply.get(`${before.path}.status`) === 'active' || undefined,
      'an active sponsorship before the freeze',
    );
    // A heartbeat of the parent keeps it from being frozen with its child.
    await t.sleep({ anchors: 30 });
    await t.setup('a heartbeat', async () => t.accepted(await heartbeat(t, parent)));
    await t.sleep({ anchors: fewest(t) - 30 });
    await notActive(t, parent, child.hash, 'sponsor.transition.frozen.child', 'dms.freeze.sponsorships');
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
    await notActive(t, parent, child.hash, 'sponsor.transition.key-revoked');
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
