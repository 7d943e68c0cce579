import type { Protocol } from '../../spec/protocol.js';
import { feeIs, heartbeat, heartbeatFee } from '../steps/paid.js';
import { byoWalletOnly } from '../steps/policies.js';
import { fewest } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, heartbeatPaidBy, listed, notActive, sponsored, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { betweenHeartbeats, untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import type { Agent, WalletAgent, WalletRootOptions } from '../trial/fixtures.js';
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

/** As setup: a fresh wallet that is linked to an agent, with lamports for some heartbeats. */
async function ownWallet(t: Trial, agent: Agent): Promise<WalletAgent['wallet']> {
  const wallet = t.wallet();
  await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, agent, wallet)));
  await t.fund(wallet, 10 * heartbeatFee(t.protocol, 1).lamports);
  return wallet;
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
  clauses: [
    'heartbeat.error.sponsor-cap-reached',
    'heartbeat.sender.sponsor',
    'heartbeat.sender.charged',
    'spawn.child.sigil',
    'sponsor.field.heartbeats-used-epoch',
    'sponsor.update.use',
    'sponsor.update.terms',
  ],
  needs: ['beats', 'payments', 'clock'],
  registers: 2,
  requests: 44,
  lamports: fees(8),
  refusal: true,
  waits: betweenHeartbeats(3),
  async run(t) {
    const { parent, child } = await family(t);
    const sibling = await makeChild(t, parent, { siblings: 1, init: true });
    for (const one of [child, sibling]) await sponsored(t, parent, one, { max_heartbeats_epoch: 2 });
    t.accepted(await sponsoredHeartbeat(t, child, parent));
    // A cap is that of one sponsorship, whatever the parent's others have used.
    t.accepted(await sponsoredHeartbeat(t, sibling, parent), 'heartbeat.sender.sponsor');
    await pause(t);
    t.accepted(await sponsoredHeartbeat(t, child, parent), 'heartbeat.sender.sponsor', 'spawn.child.sigil');
    for (const [one, used] of [[child, 2] as const, [sibling, 1] as const]) {
      const { reply, path } = await listed(t, parent, one.hash);
      const charged = t.shows('heartbeat.sender.charged', 'sponsor.field.heartbeats-used-epoch');
      charged.field(reply, `${path}.heartbeats_used_epoch`, used);
    }
    await pause(t);
    const over = await heartbeatPaidBy(t, child, parent);
    t.refused(over, 'heartbeat/SPONSOR_CAP_REACHED', 'heartbeat.error.sponsor-cap-reached');
    t.accepted(await sponsoredHeartbeat(t, sibling, parent), 'heartbeat.sender.sponsor');
    await sponsored(t, parent, child, { max_heartbeats_epoch: 3 });
    t.accepted(await sponsoredHeartbeat(t, child, parent), 'sponsor.update.terms');
    await pause(t);
    const full = await heartbeatPaidBy(t, child, parent);
    t.refused(full, 'heartbeat/SPONSOR_CAP_REACHED', 'sponsor.update.use');
  },
};

const revoked: Check = {
  ...base,
  id: 'sponsor/revoked-heartbeat',
  title: 'A sponsorship that was revoked pays for nothing, and one of another ancestor pays on',
  clauses: [
    'sponsor.transition.revoke',
    'heartbeat.sender.sponsor',
    'heartbeat.error.payment-sender-mismatch',
    'sponsor.pays',
    'heartbeat.child.unsponsored',
  ],
  unfit: byoWalletOnly,
  needs: ['beats', 'payments', 'clock'],
  registers: 2,
  requests: 38,
  lamports: fees(4),
  refusal: true,
  waits: betweenHeartbeats(2),
  async run(t) {
    const { parent: root, child: parent } = await family(t);
    const own = { ...parent, wallet: await ownWallet(t, parent) };
    const child = await makeChild(t, parent, { depth: 1, init: true });
    for (const sponsor of [own, root]) await sponsored(t, sponsor, child);
    t.accepted(await sponsoredHeartbeat(t, child, own), 'heartbeat.sender.sponsor');
    const end = async ({ key }: Agent): Promise<void> => {
      const body = { child_hash: child.hash };
      await t.setup('a revocation', async () => t.accepted(await t.call('sponsor.delete', { key, body })));
      await pause(t);
    };
    await end(own);
    const after = await heartbeatPaidBy(t, child, own);
    t.shows('sponsor.transition.revoke').refuses(after);
    t.refused(after, 'heartbeat/PAYMENT_SENDER_MISMATCH', 'heartbeat.error.payment-sender-mismatch');
    t.accepted(await sponsoredHeartbeat(t, child, root), 'heartbeat.sender.sponsor', 'sponsor.pays');
    await end(root);
    const last = await heartbeatPaidBy(t, child, root);
    t.shows('sponsor.transition.revoke').refuses(last);
    t.refused(last, 'heartbeat/WALLET_REQUIRED', 'heartbeat.child.unsponsored');
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
  title: 'The freeze of a sponsor ends its sponsorships, and a payment from there is refused',
  clauses: [
    'sponsor.transition.frozen.parent',
    'dms.freeze.sponsorships',
    'heartbeat.error.sponsor-parent-frozen',
    'heartbeat.sponsor.frozen',
    'heartbeat.child.sponsor-frozen',
  ],
  needs: ['beats', 'payments', 'clock'],
  registers: 2,
  requests: 34,
  lamports: fees(2),
  refusal: true,
  waits: untilFrozen(),
  async run(t) {
    const parent = await t.walletRoot({ init: true });
    const child = await makeChild(t, parent);
    const sibling = await makeChild(t, parent, { siblings: 1 });
    // The child starts later, so that it is not frozen with its parent.
    await t.sleep({ anchors: 30 });
    await t.setup('a started child', async () => t.accepted(await t.call('init', { key: child.key })));
    for (const one of [child, sibling]) await sponsored(t, parent, one);
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
    for (const { hash } of [child, sibling]) {
      await notActive(t, parent, hash, 'sponsor.transition.frozen.parent', 'dms.freeze.sponsorships');
    }
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
  for (const sponsor of [root, parent]) await sponsored(t, sponsor, child);
  return [root, parent, child];
}

const childFroze: Check = {
  ...base,
  id: 'sponsor/child-froze',
  title: 'The freeze of the child ends its sponsorships',
  clauses: ['sponsor.transition.frozen.child', 'dms.freeze.sponsorships'],
  needs: ['beats', 'payments', 'clock'],
  registers: 2,
  requests: 42,
  lamports: (protocol) => protocol.sigil.narrowTaskFeeLamports + fees(2)(protocol),
  waits: untilFrozen(),
  async run(t) {
    const [root, parent, child] = await twoSponsors(t, { sigil: 'narrow_task' });
    for (const sponsor of [root, parent]) {
      const before = await listed(t, sponsor, child.hash);
      const active = before.reply.get(`${before.path}.status`) === 'active' || undefined;
      t.need(active, 'an active sponsorship before the freeze');
    }
    // Heartbeats of the sponsors keep them from being frozen with the child.
    await t.sleep({ anchors: 30 });
    for (const sponsor of [root, parent]) {
      await t.setup('a heartbeat', async () => t.accepted(await heartbeat(t, sponsor)));
    }
    await t.sleep({ anchors: fewest(t) - 30 });
    for (const sponsor of [root, parent]) {
      await notActive(t, sponsor, child.hash, 'sponsor.transition.frozen.child', 'dms.freeze.sponsorships');
    }
  },
};

const keyRevoked: Check = {
  ...base,
  id: 'sponsor/key-revoked',
  title: "The revocation of the child's key ends its sponsorships, and those of nobody else",
  clauses: ['sponsor.transition.key-revoked'],
  needs: ['beats', 'control'],
  controls: ['agents/:hash/revoke-key'],
  registers: 2,
  requests: 34,
  async run(t) {
    const [root, parent, child] = await twoSponsors(t, { init: true });
    await sponsored(t, root, parent);
    await t.control(`POST agents/${child.hash}/revoke-key`, {});
    for (const sponsor of [root, parent]) {
      await notActive(t, sponsor, child.hash, 'sponsor.transition.key-revoked');
    }
    const { reply, path } = await listed(t, root, parent.hash);
    t.shows('sponsor.transition.key-revoked').field(reply, `${path}.status`, 'active');
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
