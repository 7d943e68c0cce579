/** Reissues of a passport (4.7): a paid reprint that changes nothing else. Payments are in payment.ts. */
import type { Protocol } from '../../spec/protocol.js';
import { unreachable } from '../assertions/unjudged.js';
import { pause } from '../steps/beat-clock.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { aliasIs, buy, epochCountIs, feeIs, heartbeat, passportIs, purchase, reissue } from '../steps/paid.js';
import { signatureIs } from '../steps/passport.js';
import { byoWalletOnly, POLICY_OFF, policyShows } from '../steps/policies.js';
import { fewest, lapse } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { heartbeatPaidBy, sponsored } from '../steps/sponsor-call.js';
import { betweenHeartbeats, untilFrozen, windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { paymentChecks } from './payment.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const spent = ({ sigil, heartbeat, reissue }: Protocol): number =>
  sigil.narrowTaskFeeLamports + 2 * heartbeat.tier1FeeLamports + 2 * reissue.feeLamports;

const reissueProofReprint: Check = {
  ...base,
  id: 'reissue-proof/reprint',
  title: 'A paid reissue prints the passport anew',
  clauses: [
    'reissue-proof.route',
    'reissue-proof.reprint',
    'reissue-proof.body.payment-tx',
    'fee.reissuance',
    'reissue-proof.reply',
    'reissue-proof.reply.reissued',
    'reissue-proof.reply.passport',
    'reissue-proof.reply.fee',
    'passport.returned-by',
    'passport.signed',
    'passport.bytes',
    'passport.field.service-signature',
    'passport.field.agent-hash',
    'passport.field.identity-class',
    'passport.field.valid-until',
    'passport.field.issued-at',
    'fee.field.no-tier.reissue-proof',
  ],
  registers: 1,
  requests: 10,
  lamports: spent,
  async run(t) {
    // Of two agents, so that the passport of another could be printed.
    await t.root();
    const agent = await t.walletRoot({ init: true });
    const bought = await t.setup('a SIGIL', async () => t.accepted(await buy(t, agent, purchase(t))));
    const lamports = t.protocol.reissue.feeLamports;
    const payment = await t.pay({ from: agent.wallet, lamports });
    const sent = await t.call('reissue-proof', { key: agent.key, body: { payment_tx: payment } });
    const reply = t.accepted(sent, 'reissue-proof.body.payment-tx', 'fee.reissuance', 'reissue-proof.reprint');
    feeIs(t, reply, { lamports, payment, clauses: ['fee.reissuance'] });
    passportIs(t, reply, agent, 'narrow_task');
    // A reprint: it is the passport of the purchase, except for its dates.
    for (const field of ['agent_hash', 'agent_public_key', 'registered_at_beat', 'sigil_issued_at_beat']) {
      const printed = bought.get(`passport.${field}`) ?? null;
      t.shows('reissue-proof.reprint').field(reply, `passport.${field}`, printed);
    }
    await signatureIs(t, reply, bought);
  },
};

const reissueProofAlias: Check = {
  ...base,
  id: 'reissue-proof/alias',
  title: 'lineage_proof of a reissue is the same passport once more',
  clauses: ['reissue-proof.reply.lineage-proof', 'passport.alias.identical', 'versioning.lineage-proof'],
  requests: 8,
  lamports: spent,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const reply = t.accepted(await reissue(t, agent));
    aliasIs(t, reply, 'reissue-proof.reply.lineage-proof', 'passport.alias.identical', 'versioning.lineage-proof');
  },
};

const reissueProofNoHeartbeat: Check = {
  ...base,
  id: 'reissue-proof/no-heartbeat',
  title: 'A reissue is no heartbeat: it moves neither counts nor chain nor lineage',
  clauses: [
    'reissue-proof.no-beat',
    'reissue-proof.no-heartbeat',
    'lineage.hash.reissue',
    'passport.field.valid-until',
    'passport.field.issued-at',
    'passport.alias.identical',
  ],
  needs: ['payments', 'clock'],
  requests: 22,
  lamports: spent,
  waits: betweenHeartbeats(),
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const first = t.accepted(await heartbeat(t, agent));
    const chain = t.accepted(await t.call('init', { key: agent.key }));
    t.accepted(await reissue(t, agent));
    await pause(t, 1);
    // The second reprint is as fresh as the first.
    const reprinted = t.accepted(await reissue(t, agent));
    const beat = first.number('passport.last_heartbeat_beat');
    t.shows('reissue-proof.no-heartbeat').field(reprinted, 'passport.last_heartbeat_beat', beat);
    // 2.6: it is valid from when it was issued, and not as long as the one before it.
    passportIs(t, reprinted, agent, 'narrow_task');
    aliasIs(t, reprinted, 'passport.alias.identical');
    const lineage = first.string('passport.lineage_chain_hash');
    t.shows('lineage.hash.reissue').field(reprinted, 'passport.lineage_chain_hash', lineage);
    const after = t.accepted(await t.call('init', { key: agent.key }));
    const end = {
      total_beats: chain.number('total_beats'),
      latest_beat: chain.number('latest_beat'),
      latest_hash: chain.string('latest_hash'),
    };
    for (const [field, value] of Object.entries(end)) t.shows('reissue-proof.no-beat').field(after, field, value);
    // Were the reissue a heartbeat, the next one would come too soon.
    await t.sleep({ anchors: 1 });
    const next = t.accepted(await heartbeat(t, agent, 2), 'reissue-proof.no-heartbeat');
    t.shows('reissue-proof.no-heartbeat').field(next, 'total_heartbeats', 2);
    epochCountIs(t, next, 2, { before: first, clause: 'reissue-proof.no-heartbeat' });
  },
};

const reissueProofNoLife: Check = {
  ...base,
  id: 'reissue-proof/no-life',
  title: 'A reissue does not keep its agent from being frozen',
  clauses: ['reissue-proof.no-heartbeat'],
  needs: ['payments', 'clock'],
  requests: 14,
  lamports: spent,
  waits: untilFrozen(),
  async run(t) {
    const until = fewest(t);
    const soon = Math.min(30, until - 1);
    if (soon === 0) throw unreachable('who misses one anchor is frozen, so nothing can be sent meanwhile');
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    t.accepted(await heartbeat(t, agent));
    await t.sleep({ anchors: soon });
    t.accepted(await reissue(t, agent));
    await lapse(t, agent, { left: until - soon });
    t.shows('reissue-proof.no-heartbeat').refuses(await heartbeat(t, agent, 2));
  },
};

const reissueProofPrice: Check = {
  ...base,
  id: 'reissue-proof/price',
  title: 'One lamport less or more than the fee of a reissue is refused',
  clauses: ['fee.reissuance', 'reissue-proof.error.payment-invalid.amount', 'fee.payment.exact'],
  requests: 12,
  lamports: spent,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    for (const off of [-1, 1]) {
      const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.reissue.feeLamports + off });
      const refused = await t.call('reissue-proof', { key: agent.key, body: { payment_tx } });
      const clauses = ['fee.reissuance', 'reissue-proof.error.payment-invalid.amount', 'fee.payment.exact'];
      t.refused(refused, 'reissue-proof/PAYMENT_INVALID', ...clauses);
    }
    t.accepted(await reissue(t, agent), 'fee.reissuance');
  },
};

const reissueProofPaymentUsed: Check = {
  ...base,
  id: 'reissue-proof/payment-used',
  title: 'A payment serves one reissue',
  clauses: ['reissue-proof.error.payment-already-used', 'fee.payment.once'],
  requests: 11,
  lamports: spent,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.reissue.feeLamports });
    const send = () => t.call('reissue-proof', { key: agent.key, body: { payment_tx } });
    t.accepted(await send());
    const clauses = ['reissue-proof.error.payment-already-used', 'fee.payment.once'];
    t.refused(await send(), 'reissue-proof/PAYMENT_ALREADY_USED', ...clauses);
    t.accepted(await reissue(t, agent));
  },
};

const reissueProofSigilRequired: Check = {
  ...base,
  id: 'reissue-proof/sigil-required',
  title: 'A root without a SIGIL has no passport to reissue',
  clauses: ['reissue-proof.error.sigil-required'],
  requests: 11,
  lamports: spent,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    t.refused(await reissue(t, agent), 'reissue-proof/SIGIL_REQUIRED', 'reissue-proof.error.sigil-required');
    await t.setup('a SIGIL', async () => void t.accepted(await buy(t, agent, purchase(t))));
    t.accepted(await reissue(t, agent));
  },
};

/** Whether the policy is enforced on another paid route: a heartbeat of the child, which nobody sponsors, is refused for its wallet. */
async function policyHolds(t: Trial, payer: WalletAgent, child: Agent): Promise<boolean> {
  const reply = await heartbeatPaidBy(t, child, payer);
  return reply.status === 403 && reply.get('code') === 'WALLET_REQUIRED';
}

const reissueProofWalletRequired: Check = {
  ...base,
  id: 'reissue-proof/wallet-required',
  title: 'An agent without a wallet has no passport reissued, one with a wallet has',
  clauses: ['reissue-proof.byo-wallet', 'auth.wallet-required'],
  needs: ['beats', 'payments'],
  registers: 1,
  requests: 20,
  lamports: spent,
  unsuitableFor: byoWalletOnly,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const child = await makeChild(t, agent, { init: true });
    const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.reissue.feeLamports });
    const body = { payment_tx };
    const reply = await t.call('reissue-proof', { key: child.key, body });
    const clauses = ['reissue-proof.byo-wallet', 'auth.wallet-required'];
    const isPolicy = policyShows(t, reply, 'reissue-proof');
    if (isPolicy) {
      t.refusedWith(reply, t.row('reissue-proof/WALLET_REQUIRED').status, 'reissue-proof.byo-wallet');
      // Nobody without a wallet has a SIGIL, so a target may name that in place of the wallet.
      if (reply.get('code') !== t.row('reissue-proof/SIGIL_REQUIRED').code) {
        t.refusedWith(reply, t.row('reissue-proof/WALLET_REQUIRED').status, 'auth.wallet-required');
        t.shows('auth.wallet-required').code(reply, t.row('reissue-proof/WALLET_REQUIRED').code);
      } else t.shows('auth.wallet-required').unjudged('the reissue was refused for want of a SIGIL');
    } else if (await policyHolds(t, agent, child)) {
      t.refusedWith(reply, 403, 'reissue-proof.byo-wallet');
    } else t.shows(...clauses).unjudged(POLICY_OFF);
    if (reply.status < 400) return;
    // A sponsorship pays heartbeats, and is no wallet.
    await sponsored(t, agent, child);
    const again = await t.call('reissue-proof', { key: child.key, body });
    if (isPolicy) t.shows('reissue-proof.byo-wallet').refuses(again);
    if (again.status < 400) return;
    t.accepted(await t.call('reissue-proof', { key: agent.key, body }));
  },
};

const reissueProofLimit: Check = {
  ...base,
  id: 'reissue-proof/limit',
  title: 'An agent tries 10 reissues an hour',
  clauses: [
    'limit.reissue-proof',
    'limit.error.rate-limited',
    'auth.rate-bucket.agent',
    'limit.window',
    'limit.refused-count',
  ],
  needs: ['clock'],
  registers: 2,
  walletRegisters: 0,
  requests: 24,
  refusal: true,
  waits: windowOf('reissueProof'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const send = (key: string) => t.call('reissue-proof', { key, body: { payment_tx: 'none' }, mayLimit: true });
    await judgeLimit(t, {
      limit: 'reissueProof',
      clause: 'limit.reissue-proof',
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent.key),
      other: () => send(other.key),
      elsewhere: otherPaths(t, agent.key, 'reissueProof'),
    });
  },
};

const payments = paymentChecks({
  id: 'reissue-proof',
  ready: (t) => t.walletRoot({ sigil: 'narrow_task' }),
  feeLamports: ({ reissue }) => reissue.feeLamports,
  readyLamports: ({ sigil }) => sigil.narrowTaskFeeLamports,
  body: () => ({}),
  clauses: {
    missing: ['reissue-proof.error.payment-required', 'reissue-proof.body.payment-tx'],
    unknown: ['reissue-proof.error.payment-invalid'],
    less: ['reissue-proof.error.payment-invalid.amount'],
    more: ['reissue-proof.error.payment-invalid.amount'],
    wrapped: ['reissue-proof.error.payment-invalid.amount'],
    recipient: ['fee.payment.recipient'],
    pending: ['fee.payment.confirmed'],
    failed: ['fee.payment.confirmed'],
    sender: ['reissue-proof.error.payment-sender-mismatch'],
  },
  // A failed or misdirected payment pays no fee.
  refuses: { recipient: ['reissue-proof.error.payment-invalid'], failed: ['reissue-proof.error.payment-invalid'] },
});

export const reissueProofChecks: readonly Check[] = [
  reissueProofReprint,
  reissueProofAlias,
  reissueProofNoHeartbeat,
  reissueProofNoLife,
  reissueProofPrice,
  reissueProofPaymentUsed,
  reissueProofSigilRequired,
  reissueProofWalletRequired,
  ...payments,
  reissueProofLimit,
];
