/**
 * Checks of one heartbeat: its payment, its reply and its refusals. Heartbeats over time are in heartbeat-march.ts,
 * those that a sponsor pays in sponsor-heartbeat.ts.
 */
import type { Protocol } from '../../spec/protocol.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { buy, heartbeat, heartbeatFee, purchase } from '../steps/paid.js';
import { signatureIs } from '../steps/passport.js';
import type { Check } from '../trial/check.js';
import { agentLimitCheck, paymentCheck } from './payment.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const withSigil = ({ sigil, heartbeat }: Protocol): number =>
  sigil.narrowTaskFeeLamports + 4 * heartbeat.tier1FeeLamports;

const own: Check = {
  ...base,
  id: 'heartbeat/own-wallet',
  title: 'A heartbeat paid from the own wallet is counted and answered with a passport that verifies offline',
  clauses: [
    'heartbeat.route',
    'heartbeat.body.payment-tx',
    'heartbeat.body.global-anchor',
    'heartbeat.reply',
    'heartbeat.reply.passport',
    'heartbeat.reply.lineage-proof',
    'heartbeat.reply.total-heartbeats',
    'heartbeat.reply.heartbeat-count-epoch',
    'heartbeat.reply.billing-epoch',
    'heartbeat.reply.current-beat',
    'heartbeat.reply.fee',
    'heartbeat.sender.own',
    'heartbeat.interval.first',
    'fee.heartbeat.tier-1',
    'fee.field.tier',
    'fee.field.amount-sol',
    'fee.field.amount-lamports',
    'fee.field.payment-tx',
    'passport.returned-by',
    'passport.validity',
    'passport.alias.identical',
    'passport.field.last-heartbeat-beat',
    'passport.field.valid-until',
    'passport.signed',
    'passport.field.service-signature',
    'passport.field.authority-key-id',
    'passport.field.lineage-chain-hash',
    'passport.bytes',
    'passport.key-id',
    'service.heartbeat.paid',
    'service.heartbeat.passport',
    'service.passport.offline',
    'auth.passport.offline',
    'authority-key.purpose',
    'dialect.passport-signature-field',
    'lineage.hash.form',
    'versioning.lineage-proof',
    'clock.current-beat',
    'clock.billing-epoch',
    'clock.last-heartbeat-beat',
  ],
  requests: 11,
  lamports: withSigil,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const bought = t.accepted(await buy(t, agent, purchase(t)));
    await signatureIs(t, t.accepted(await heartbeat(t, agent)), bought);
  },
};

const refusals: Check = {
  ...base,
  id: 'heartbeat/refusals',
  title: 'No heartbeat without SIGIL or chain, with a global_anchor that is none, or with a payment that is used',
  clauses: [
    'heartbeat.error.sigil-required',
    'heartbeat.sigil.root',
    'heartbeat.error.agent-not-initialized',
    'heartbeat.error.validation',
    'heartbeat.body.global-anchor.validated',
    'heartbeat.error.payment-already-used',
    'fee.payment.once',
  ],
  walletRegisters: 4,
  requests: 30,
  lamports: (protocol) => 2 * withSigil(protocol),
  refusal: true,
  async run(t) {
    const wallet = t.wallet();
    const [agent, other] = [await t.walletRoot({ init: true, wallet }), await t.walletRoot({ wallet })];
    await heartbeat(t, agent);
    t.accepted(await buy(t, agent, purchase(t)));
    t.accepted(await buy(t, other, purchase(t)));
    await heartbeat(t, other);
    t.accepted(await t.call('init', { key: other.key }));
    const payment_tx = await t.pay({ from: wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
    for (const global_anchor of [-1, 0.5, 'seven', '0', undefined])
      await t.call('heartbeat', { key: agent.key, body: { payment_tx, global_anchor } });
    await t.call('heartbeat', { key: other.key, body: { payment_tx } });
    await heartbeat(t, other);
  },
};

const anchorSent: Check = {
  ...base,
  id: 'heartbeat/global-anchor',
  title: 'global_anchor may be sent, and the server works with its own value',
  clauses: ['heartbeat.body.global-anchor', 'heartbeat.body.global-anchor.own-value'],
  walletRegisters: 6,
  requests: 28,
  lamports: (protocol) => 3 * withSigil(protocol),
  async run(t) {
    const { index } = await latestAnchor(t);
    // A wrong value may be refused, since the server validates it; where it is taken, the server's own one counts.
    for (const global_anchor of [index, index + 5, Math.max(0, index - 5)]) {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
      await t.call('heartbeat', { key: agent.key, body: { payment_tx, global_anchor } });
    }
  },
};

const payment = paymentCheck({
  id: 'heartbeat',
  ready: (t) => t.walletRoot({ sigil: 'narrow_task' }),
  feeLamports: (protocol) => heartbeatFee(protocol, 1).lamports,
  tries: 20,
  clauses: [
    'heartbeat.error.payment-required',
    'heartbeat.body.payment-tx',
    'heartbeat.error.payment-invalid',
    'heartbeat.error.payment-invalid.amount',
    'heartbeat.error.payment-sender-mismatch',
    'fee.heartbeat.tier-1',
    'service.heartbeat.paid',
  ],
});

export const heartbeatChecks: readonly Check[] = [
  own,
  refusals,
  anchorSent,
  payment,
  agentLimitCheck('heartbeat', 'heartbeat', 'An agent tries 60 heartbeats a minute'),
];
