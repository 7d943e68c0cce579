import type { Protocol } from '../../spec/protocol.js';
import { judgeLimit } from '../steps/limit.js';
import { aliasIs, buy, feeIs, heartbeat, passportIs, purchase, reissue } from '../steps/paid.js';
import { passportVerifies } from '../steps/passport.js';
import { byoWalletOnly } from '../steps/policies.js';
import { makeChild } from '../steps/spawn-call.js';
import { betweenHeartbeats, windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import { authorityKeyHex } from '../trial/fixtures.js';
import { paymentChecks } from './payment.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const spent = ({ sigil, heartbeat, reissue }: Protocol): number =>
  sigil.narrowTaskFeeLamports + 2 * heartbeat.tier1FeeLamports + 2 * reissue.feeLamports;

const reprint: Check = {
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
    'fee.field.no-tier.reissue-proof',
  ],
  requests: 9,
  lamports: spent,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const lamports = t.protocol.reissue.feeLamports;
    const payment_tx = await t.pay({ from: agent.wallet, lamports });
    const reply = t.accepted(await t.call('reissue-proof', { key: agent.key, body: { payment_tx } }));
    t.equal('reissued', reply.get('reissued'), true);
    feeIs(t, reply, lamports, payment_tx);
    t.equal('fee.tier', reply.get('fee.tier'), undefined);
    passportIs(t, reply, agent, 'narrow_task');
    const keyHex = await t.setup('the authority key', () => authorityKeyHex(t));
    const holds = passportVerifies(reply.get('passport'), t.facts.dialect, keyHex);
    t.decided('D-11', () => t.that('the signature of the passport', holds, 'one of the authority key', 'another'));
  },
};

const alias: Check = {
  ...base,
  id: 'reissue-proof/alias',
  title: 'lineage_proof of a reissue is the same passport once more',
  clauses: ['reissue-proof.reply.lineage-proof', 'passport.alias.identical', 'versioning.lineage-proof'],
  requests: 8,
  lamports: spent,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    aliasIs(t, t.accepted(await reissue(t, agent)));
  },
};

const noHeartbeat: Check = {
  ...base,
  id: 'reissue-proof/no-heartbeat',
  title: 'A reissue is no heartbeat: it moves neither counts nor chain nor lineage',
  clauses: ['reissue-proof.no-beat', 'reissue-proof.no-heartbeat', 'lineage.hash.reissue'],
  needs: ['payments', 'clock'],
  requests: 19,
  lamports: spent,
  waits: betweenHeartbeats(),
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const first = t.accepted(await heartbeat(t, agent));
    const chain = t.accepted(await t.call('init', { key: agent.key }));
    await t.sleep({ anchors: t.protocol.heartbeat.intervalBeatsMin - 1 });
    const reprinted = t.accepted(await reissue(t, agent));
    for (const field of ['last_heartbeat_beat', 'registered_at_beat', 'sigil_issued_at_beat']) {
      t.equal(`passport.${field}`, reprinted.get(`passport.${field}`), first.get(`passport.${field}`));
    }
    const lineage = reprinted.get('passport.lineage_chain_hash');
    t.decided('D-14', () => t.equal('passport.lineage_chain_hash', lineage, first.get('passport.lineage_chain_hash')));
    const after = t.accepted(await t.call('init', { key: agent.key }));
    for (const field of ['total_beats', 'latest_beat', 'latest_hash']) {
      t.equal(field, after.get(field), chain.get(field));
    }
    // Were the reissue a heartbeat, the next one would come too soon.
    await t.sleep({ anchors: 1 });
    const next = t.accepted(await heartbeat(t, agent, 2));
    t.equal('total_heartbeats', next.get('total_heartbeats'), 2);
    t.equal('heartbeat_count_epoch', next.get('heartbeat_count_epoch'), 2);
  },
};

const price: Check = {
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
      t.refused(
        await t.call('reissue-proof', { key: agent.key, body: { payment_tx } }),
        'reissue-proof/PAYMENT_INVALID',
      );
    }
    t.accepted(await reissue(t, agent));
  },
};

const used: Check = {
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
    t.refused(await send(), 'reissue-proof/PAYMENT_ALREADY_USED');
    t.accepted(await reissue(t, agent));
  },
};

const sigilRequired: Check = {
  ...base,
  id: 'reissue-proof/sigil-required',
  title: 'A root without a SIGIL has no passport to reissue',
  clauses: ['reissue-proof.error.sigil-required'],
  requests: 11,
  lamports: spent,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    t.refused(await reissue(t, agent), 'reissue-proof/SIGIL_REQUIRED');
    await t.setup('a SIGIL', async () => void t.accepted(await buy(t, agent, purchase(t))));
    t.accepted(await reissue(t, agent));
  },
};

const walletRequired: Check = {
  ...base,
  id: 'reissue-proof/wallet-required',
  title: 'An agent without a wallet has no passport reissued, one with a wallet has',
  clauses: ['reissue-proof.byo-wallet'],
  needs: ['beats', 'payments'],
  registers: 1,
  requests: 18,
  lamports: spent,
  unfit: byoWalletOnly,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const child = await makeChild(t, agent, { init: true });
    const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.reissue.feeLamports });
    const body = { payment_tx };
    t.refused(await t.call('reissue-proof', { key: child.key, body }), 'reissue-proof/WALLET_REQUIRED');
    t.accepted(await t.call('reissue-proof', { key: agent.key, body }));
  },
};

const limit: Check = {
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
  requests: 18,
  refusal: true,
  waits: windowOf('reissueProof'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const send = (key: string) => t.call('reissue-proof', { key, body: { payment_tx: 'none' }, mayLimit: true });
    await judgeLimit(t, { limit: 'reissueProof', send: () => send(agent.key), other: () => send(other.key) });
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
    recipient: ['fee.payment.recipient'],
    pending: ['fee.payment.confirmed'],
    failed: ['fee.payment.confirmed'],
    sender: ['reissue-proof.error.payment-sender-mismatch'],
  },
});

export const reissueProofChecks: readonly Check[] = [
  reprint,
  alias,
  noHeartbeat,
  price,
  used,
  sigilRequired,
  walletRequired,
  ...payments,
  limit,
];
