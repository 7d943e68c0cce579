/**
 * Checks of one heartbeat: its payment, its reply and its refusals. Heartbeats over time are in heartbeat-march.ts,
 * those that a sponsor pays in sponsor-heartbeat.ts.
 */

import { show } from '../../model/reading/compare.js';
import type { Protocol } from '../../spec/protocol.js';
import { latestAnchor, pause } from '../steps/beat-clock.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { aliasIs, buy, epochCountIs, feeIs, heartbeat, heartbeatFee, passportIs, purchase } from '../steps/paid.js';
import { signatureIs } from '../steps/passport.js';
import { betweenHeartbeats, windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { WalletAgent } from '../trial/fixtures.js';
import { paymentChecks } from './payment.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const sigilFee = ({ sigil }: Protocol): number => sigil.narrowTaskFeeLamports;
const withSigil = ({ sigil, heartbeat }: Protocol): number =>
  sigil.narrowTaskFeeLamports + 4 * heartbeat.tier1FeeLamports;

const own: Check = {
  ...base,
  id: 'heartbeat/own-wallet',
  title: 'A heartbeat paid from the own wallet is answered with a passport and counted',
  clauses: [
    'heartbeat.route',
    'heartbeat.body.payment-tx',
    'heartbeat.body.global-anchor',
    'heartbeat.reply',
    'heartbeat.reply.passport',
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
    'passport.field.last-heartbeat-beat',
    'passport.field.valid-until',
    'service.heartbeat.paid',
    'service.heartbeat.passport',
    'clock.current-beat',
    'clock.billing-epoch',
    'clock.last-heartbeat-beat',
  ],
  requests: 10,
  lamports: withSigil,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const { tier, lamports } = heartbeatFee(t.protocol, 1);
    const payment = await t.pay({ from: agent.wallet, lamports });
    const sent = await t.call('heartbeat', { key: agent.key, body: { payment_tx: payment } });
    const reply = t.accepted(
      sent,
      'heartbeat.sender.own',
      'heartbeat.body.payment-tx',
      // It may be left out.
      'heartbeat.body.global-anchor',
      'service.heartbeat.paid',
      'heartbeat.interval.first',
    );
    t.shows('heartbeat.reply').field(reply, 'agent_hash', agent.hash);
    t.shows('heartbeat.reply.total-heartbeats').field(reply, 'total_heartbeats', 1);
    t.shows('heartbeat.reply.heartbeat-count-epoch').field(reply, 'heartbeat_count_epoch', 1);
    feeIs(t, reply, { lamports, payment, clauses: ['fee.heartbeat.tier-1'] });
    t.shows('fee.heartbeat.tier-1').field(reply, 'fee.tier', tier);
    passportIs(t, reply, agent, 'narrow_task');
    const current = reply.get('current_beat');
    t.shows('passport.field.last-heartbeat-beat').field(reply, 'passport.last_heartbeat_beat', current);
    const { index } = await latestAnchor(t);
    t.shows('clock.current-beat').field(reply, 'current_beat', index);
    t.shows('clock.last-heartbeat-beat').field(reply, 'passport.last_heartbeat_beat', index);
    const epoch = Math.floor(reply.number('current_beat') / t.protocol.heartbeat.epochBeats);
    t.shows('clock.billing-epoch').field(reply, 'billing_epoch', epoch);
  },
};

const signature: Check = {
  ...base,
  id: 'heartbeat/passport-signature',
  title: 'The passport of a heartbeat verifies offline under the authority key',
  clauses: [
    'passport.signed',
    'passport.field.service-signature',
    'passport.field.authority-key-id',
    'passport.field.lineage-chain-hash',
    'service.passport.offline',
    'auth.passport.offline',
    'authority-key.purpose',
    'dialect.passport-signature-field',
    'passport.bytes',
    'passport.key-id',
    'lineage.hash.form',
  ],
  requests: 9,
  lamports: withSigil,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const bought = t.accepted(await buy(t, agent, purchase(t)));
    await signatureIs(t, t.accepted(await heartbeat(t, agent)), bought);
  },
};

const alias: Check = {
  ...base,
  id: 'heartbeat/alias',
  title: 'lineage_proof is the same passport once more',
  clauses: ['heartbeat.reply.lineage-proof', 'passport.alias.identical', 'versioning.lineage-proof'],
  requests: 8,
  lamports: withSigil,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const reply = t.accepted(await heartbeat(t, agent));
    aliasIs(t, reply, 'heartbeat.reply.lineage-proof', 'passport.alias.identical', 'versioning.lineage-proof');
  },
};

/** Fields of a heartbeat's reply that follow from the anchor at which it was sent. */
const ANCHORED = ['current_beat', 'passport.last_heartbeat_beat'] as const;

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
    const beatsOf = async (global_anchor: number): Promise<readonly unknown[]> => {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
      const reply = await t.call('heartbeat', { key: agent.key, body: { payment_tx, global_anchor } });
      if (global_anchor === index) t.accepted(reply, 'heartbeat.body.global-anchor');
      return ANCHORED.map((path) => reply.get(path));
    };
    const own = await beatsOf(index);
    // A wrong value may be refused, since the server validates it; where it is taken, the server's own one counts.
    for (const wrong of [index + 5, Math.max(0, index - 5)]) {
      if (wrong === index) continue;
      const other = await beatsOf(wrong);
      for (const [n, path] of ANCHORED.entries()) {
        const [mine, theirs] = [own[n], other[n]];
        const moved = typeof mine === 'number' && typeof theirs === 'number' && Math.abs(theirs - mine) >= 5;
        t.shows('heartbeat.body.global-anchor.own-value').that(
          `${path} beside a wrong global_anchor`,
          !moved,
          `about ${show(mine)}, or a refusal`,
          show(theirs),
        );
      }
    }
  },
};

const anchorFaults = (
  [
    ['negative', -1],
    ['fraction', 0.5],
    ['text', 'seven'],
    ['digits', '0'],
  ] as const
).map(
  ([word, global_anchor]): Check => ({
    ...base,
    id: `heartbeat/global-anchor-${word}`,
    title: `A global_anchor of ${JSON.stringify(global_anchor)} is refused`,
    clauses: ['heartbeat.error.validation', 'heartbeat.body.global-anchor.validated'],
    requests: 11,
    lamports: withSigil,
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
      const body = { payment_tx, global_anchor };
      const reply = await t.call('heartbeat', { key: agent.key, body });
      t.refused(reply, 'heartbeat/VALIDATION', 'heartbeat.error.validation', 'heartbeat.body.global-anchor.validated');
      t.accepted(await heartbeat(t, agent));
    },
  }),
);

const used: Check = {
  ...base,
  id: 'heartbeat/payment-used',
  title: 'A payment serves one heartbeat',
  clauses: ['heartbeat.error.payment-already-used', 'fee.payment.once'],
  walletRegisters: 4,
  requests: 17,
  lamports: (protocol) => 2 * withSigil(protocol),
  refusal: true,
  async run(t) {
    const wallet = t.wallet();
    const one = await t.walletRoot({ sigil: 'narrow_task', wallet });
    const other = await t.walletRoot({ sigil: 'narrow_task', wallet });
    const payment_tx = await t.pay({ from: wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
    t.accepted(await t.call('heartbeat', { key: one.key, body: { payment_tx } }));
    const again = await t.call('heartbeat', { key: other.key, body: { payment_tx } });
    const clauses = ['heartbeat.error.payment-already-used', 'fee.payment.once'];
    t.refused(again, 'heartbeat/PAYMENT_ALREADY_USED', ...clauses);
    t.accepted(await heartbeat(t, other));
  },
};

const sigilRequired: Check = {
  ...base,
  id: 'heartbeat/sigil-required',
  title: 'A root without a SIGIL sends no heartbeat',
  clauses: ['heartbeat.error.sigil-required', 'heartbeat.sigil.root'],
  requests: 11,
  lamports: withSigil,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const reply = await heartbeat(t, agent);
    t.refused(reply, 'heartbeat/SIGIL_REQUIRED', 'heartbeat.error.sigil-required', 'heartbeat.sigil.root');
    await t.setup('a SIGIL', async () => void t.accepted(await buy(t, agent, purchase(t))));
    t.accepted(await heartbeat(t, agent));
  },
};

const notInitialized: Check = {
  ...base,
  id: 'heartbeat/not-initialized',
  title: 'An agent whose chain has not started sends no heartbeat',
  clauses: ['heartbeat.error.agent-not-initialized'],
  requests: 11,
  lamports: withSigil,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot();
    await t.setup('a SIGIL', async () => void t.accepted(await buy(t, agent, purchase(t))));
    const reply = await heartbeat(t, agent);
    t.refused(reply, 'heartbeat/AGENT_NOT_INITIALIZED', 'heartbeat.error.agent-not-initialized');
    await t.setup('init', async () => void t.accepted(await t.call('init', { key: agent.key })));
    t.accepted(await heartbeat(t, agent));
  },
};

/** Protocol time after an anchor, short of the next. */
const BETWEEN_ANCHORS_MS = 20_000;

const twoHeartbeats: Check = {
  ...base,
  id: 'heartbeat/lineage',
  title: 'A heartbeat changes the lineage hash, and the next passport shows its beat',
  clauses: [
    'heartbeat.reply.total-heartbeats',
    'heartbeat.reply.heartbeat-count-epoch',
    'lineage.hash.heartbeat',
    'lineage.hash.sigil',
    'passport.field.lineage-chain-hash',
    'passport.field.last-heartbeat-beat',
    'passport.field.issued-at',
    'passport.field.valid-until',
    'passport.validity',
  ],
  needs: ['payments', 'clock'],
  requests: 12,
  lamports: withSigil,
  waits: betweenHeartbeats(),
  async run(t) {
    const agent: WalletAgent = await t.walletRoot({ init: true });
    const bought = t.accepted(await buy(t, agent, purchase(t)));
    const first = t.accepted(await heartbeat(t, agent));
    await pause(t);
    // A moment that is not that of an anchor: a passport is issued when it is asked for.
    await t.sleep({ ms: BETWEEN_ANCHORS_MS });
    const second = t.accepted(await heartbeat(t, agent, 2));
    passportIs(t, second, agent, 'narrow_task');
    t.shows('heartbeat.reply.total-heartbeats').field(second, 'total_heartbeats', 2);
    epochCountIs(t, second, 2, { before: first, clause: 'heartbeat.reply.heartbeat-count-epoch' });
    const current = second.get('current_beat');
    t.shows('passport.field.last-heartbeat-beat').field(second, 'passport.last_heartbeat_beat', current);
    const [before, after, last] = [bought, first, second].map((reply) => reply.get('passport.lineage_chain_hash'));
    t.shows('passport.field.lineage-chain-hash').that(
      'lineage_chain_hash of two heartbeats',
      after !== last,
      'another hash',
      'the same',
    );
    t.shows('lineage.hash.heartbeat').that(
      'lineage_chain_hash after a heartbeat',
      after !== last,
      'another hash',
      'the same',
    );
    t.shows('lineage.hash.sigil').that(
      'lineage_chain_hash after a purchase',
      before !== after,
      'another hash',
      'the same',
    );
  },
};

const limit: Check = {
  ...base,
  id: 'heartbeat/limit',
  title: 'An agent tries 60 heartbeats a minute',
  clauses: [
    'limit.heartbeat',
    'limit.error.rate-limited',
    'auth.rate-bucket.agent',
    'limit.window',
    'limit.refused-count',
  ],
  needs: ['clock'],
  registers: 2,
  walletRegisters: 0,
  requests: 76,
  refusal: true,
  waits: windowOf('heartbeat'),
  async run(t) {
    const [agent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    // Refused for want of a SIGIL, and counted all the same.
    const send = (key: string) => t.call('heartbeat', { key, body: { payment_tx: 'none' }, mayLimit: true });
    await judgeLimit(t, {
      limit: 'heartbeat',
      clause: 'limit.heartbeat',
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent.key),
      other: () => send(other.key),
      elsewhere: otherPaths(t, agent.key, 'heartbeat'),
    });
  },
};

const payments = paymentChecks({
  id: 'heartbeat',
  ready: (t) => t.walletRoot({ sigil: 'narrow_task' }),
  feeLamports: (protocol) => heartbeatFee(protocol, 1).lamports,
  readyLamports: sigilFee,
  body: () => ({}),
  clauses: {
    missing: ['heartbeat.error.payment-required', 'heartbeat.body.payment-tx'],
    unknown: ['heartbeat.error.payment-invalid'],
    less: ['heartbeat.error.payment-invalid.amount', 'fee.heartbeat.tier-1', 'fee.payment.exact'],
    more: ['heartbeat.error.payment-invalid.amount', 'fee.heartbeat.tier-1', 'fee.payment.exact'],
    wrapped: ['heartbeat.error.payment-invalid.amount', 'fee.payment.exact'],
    recipient: ['fee.payment.recipient'],
    pending: ['fee.payment.confirmed'],
    failed: ['fee.payment.confirmed'],
    sender: ['heartbeat.error.payment-sender-mismatch'],
  },
  // A failed or misdirected payment pays no fee.
  refuses: {
    unknown: ['service.heartbeat.paid'],
    recipient: ['heartbeat.error.payment-invalid'],
    failed: ['heartbeat.error.payment-invalid'],
  },
});

export const heartbeatChecks: readonly Check[] = [
  own,
  signature,
  alias,
  anchorSent,
  ...anchorFaults,
  used,
  sigilRequired,
  notInitialized,
  twoHeartbeats,
  ...payments,
  limit,
];
