import { BASE58 } from '../../spec/formats.js';
import type { Protocol } from '../../spec/protocol.js';
import { type IdentityClass, identityClasses, sigilTiers } from '../../spec/vocabulary.js';
import { judgeLimit } from '../steps/limit.js';
import { buy, feeIs, type Purchase, passportIs, purchase } from '../steps/paid.js';
import { byoWalletOnly } from '../steps/policies.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';
import { paymentChecks } from './payment.js';
import { devnetOnly, ethereumRoot } from './register-operator.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const oneFee = ({ sigil }: Protocol): number => sigil.narrowTaskFeeLamports;
const twoFees = ({ sigil }: Protocol): number => 2 * sigil.narrowTaskFeeLamports;

const classClauses: Record<IdentityClass, string> = {
  narrow_task: 'fee.sigil.narrow-task',
  autonomous: 'fee.sigil.autonomous',
  orchestrator: 'fee.sigil.orchestrator',
};

/** `narrow_task` as it stands in an id. */
const wordOf = (identityClass: IdentityClass): string => identityClass.replace('_', '-');

/** What a purchase judges whatever the class. */
const purchaseClauses = [
  'sigil.route',
  'sigil.body.identity-class',
  'sigil.body.principal',
  'sigil.body.tier',
  'sigil.body.payment-tx',
  'sigil.reply',
  'sigil.reply.sigil',
  'sigil.reply.passport',
  'sigil.reply.fee',
  'sigil.transition.issued',
  'sigil.transition.passport',
  'service.sigil.identity',
  'service.sigil.class',
  'service.sigil.on-chain',
  'sigil.field.sigil',
  'sigil.field.sigil-name',
  'sigil.field.principal',
  'sigil.field.tier',
  'sigil.field.identity-class',
  'sigil.field.issued-at-beat',
  'sigil.field.birth-tx',
  'sigil.field.explorer-url',
  'passport.returned-by',
  'passport.validity',
  'passport.field.format-version',
  'passport.field.agent-hash',
  'passport.field.agent-public-key',
  'passport.field.identity-class',
  'passport.field.registered-at-beat',
  'passport.field.sigil-issued-at-beat',
  'passport.field.last-heartbeat-beat.zero',
  'passport.field.issued-at',
  'passport.field.valid-until',
  'convention.time.issued-at',
  'convention.time.valid-until',
  'versioning.passport.format',
  'constant.passport-validity',
  'fee.field.amount-sol',
  'fee.field.amount-lamports',
  'fee.field.payment-tx',
  'fee.field.no-tier.sigil',
  'fee.amount-sol.decimal',
  'passport.public-key.solana',
  'sigil.birth-tx.form',
  'sigil.explorer-url.form',
];

const purchases = identityClasses.map(
  (identityClass): Check => ({
    ...base,
    id: `sigil/buy-${wordOf(identityClass)}`,
    title: `A SIGIL of class ${identityClass} is issued for its fee, with a passport`,
    clauses: [...purchaseClauses, classClauses[identityClass]],
    requests: 7,
    lamports: (protocol) => sigilFeeLamports(protocol, identityClass),
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      const lamports = sigilFeeLamports(t.protocol, identityClass);
      const payment_tx = await t.pay({ from: agent.wallet, lamports });
      const what = purchase(t, { identity_class: identityClass, name: t.word() });
      const reply = t.accepted(await t.call('sigil', { key: agent.key, body: { ...what, payment_tx } }));
      t.equal('sigil.sigil', reply.get('sigil.sigil'), `${what.name}*${what.principal}*${what.tier}`);
      t.equal('sigil.sigil_name', reply.get('sigil.sigil_name'), what.name);
      t.equal('sigil.principal', reply.get('sigil.principal'), what.principal);
      t.equal('sigil.tier', reply.get('sigil.tier'), what.tier);
      t.equal('sigil.identity_class', reply.get('sigil.identity_class'), identityClass);
      passportIs(t, reply, agent, identityClass);
      t.equal('passport.last_heartbeat_beat', reply.get('passport.last_heartbeat_beat'), 0);
      const issued = reply.number('sigil.issued_at_beat');
      t.equal('passport.sigil_issued_at_beat', reply.get('passport.sigil_issued_at_beat'), issued);
      const birth = reply.string('sigil.birth_tx');
      t.decided('D-45', () => {
        t.that('sigil.birth_tx', BASE58.test(birth), 'a signature in base58', birth);
        const explorer = `https://explorer.solana.com/tx/${birth}?cluster=devnet`;
        t.equal('sigil.explorer_url', reply.get('sigil.explorer_url'), explorer);
      });
      feeIs(t, reply, lamports, payment_tx);
      t.equal('fee.tier', reply.get('fee.tier'), undefined);
    },
  }),
);

const prices = identityClasses.map(
  (identityClass): Check => ({
    ...base,
    id: `sigil/price-${wordOf(identityClass)}`,
    title: `One lamport less or more than the fee of class ${identityClass} is refused`,
    clauses: [classClauses[identityClass], 'sigil.error.payment-invalid.amount', 'fee.payment.exact'],
    requests: 11,
    lamports: (protocol) => 3 * sigilFeeLamports(protocol, identityClass),
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      const fee = sigilFeeLamports(t.protocol, identityClass);
      const what = purchase(t, { identity_class: identityClass });
      for (const lamports of [fee - 1, fee + 1]) {
        const payment_tx = await t.pay({ from: agent.wallet, lamports });
        t.refused(await t.call('sigil', { key: agent.key, body: { ...what, payment_tx } }), 'sigil/PAYMENT_INVALID');
      }
      t.accepted(await buy(t, agent, what, identityClass));
    },
  }),
);

const tiers = sigilTiers.map(
  (tier): Check => ({
    ...base,
    id: `sigil/tier-${tier}`,
    title: `A SIGIL of tier ${tier} is sold`,
    clauses: ['sigil.body.tier', 'sigil.field.tier'],
    requests: 6,
    lamports: oneFee,
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      const reply = t.accepted(await buy(t, agent, purchase(t, { tier })));
      t.equal('sigil.tier', reply.get('sigil.tier'), tier);
      t.that('sigil.sigil', reply.string('sigil.sigil').endsWith(`*${tier}`), `…*${tier}`, reply.string('sigil.sigil'));
    },
  }),
);

const again: Check = {
  ...base,
  id: 'sigil/again',
  title: 'An agent with a SIGIL buys no second one, and keeps the first',
  clauses: ['sigil.error.sigil-already-exists', 'sigil.transition.again', 'sigil.immutable'],
  walletRegisters: 4,
  requests: 16,
  lamports: ({ sigil }) => 3 * sigil.narrowTaskFeeLamports,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const first = t.accepted(await buy(t, agent, purchase(t)));
    const second = purchase(t);
    t.refused(await buy(t, agent, second), 'sigil/SIGIL_ALREADY_EXISTS');
    t.accepted(await buy(t, await t.walletRoot({ init: true }), second));
    const verify = t.accepted(await t.call('verify', { params: { hash: agent.hash } }));
    for (const field of ['sigil', 'sigil_name', 'principal', 'tier', 'identity_class', 'issued_at_beat', 'birth_tx']) {
      t.shown(verify, `sigil.${field}`, first.get(`sigil.${field}`), 'D-20');
    }
  },
};

const walletRequired: Check = {
  ...base,
  id: 'sigil/wallet-required',
  title: 'An agent without a wallet buys no SIGIL',
  clauses: ['sigil.error.wallet-required', 'sigil.byo-wallet', 'auth.wallet-required', 'wallet.policy.on'],
  registers: 1,
  requests: 12,
  lamports: twoFees,
  unfit: byoWalletOnly,
  refusal: true,
  async run(t) {
    const [without, payer] = [await t.root({ init: true }), await t.walletRoot({ init: true })];
    const what = purchase(t);
    const refused = await buy(t, { ...without, wallet: payer.wallet }, what);
    const policyIsOn = refused.status >= 400;
    t.decided('D-28', () => t.that('the BYO-wallet policy', policyIsOn, 'on, so 403', `${refused.status}`));
    if (policyIsOn) t.refused(refused, 'sigil/WALLET_REQUIRED');
    t.accepted(await buy(t, payer, purchase(t)));
  },
};

const ethereum: Check = {
  ...base,
  id: 'sigil/sender-ethereum',
  title: 'An agent with an Ethereum wallet cannot be the sender of lamports, whoever pays',
  clauses: ['fee.payment.ethereum'],
  walletRegisters: 4,
  requests: 14,
  lamports: twoFees,
  unfit: devnetOnly,
  refusal: true,
  async run(t) {
    const [agent, payer] = [await ethereumRoot(t), await t.walletRoot({ init: true })];
    await t.setup('a started chain', async () => t.accepted(await t.call('init', { key: agent.key })));
    t.refused(await buy(t, { ...agent, wallet: payer.wallet }, purchase(t)), 'sigil/PAYMENT_SENDER_MISMATCH');
    t.accepted(await buy(t, payer, purchase(t)));
  },
};

const onceOnly: Check = {
  ...base,
  id: 'sigil/payment-used',
  title: 'A payment buys one SIGIL',
  clauses: ['sigil.error.payment-already-used', 'fee.payment.once'],
  walletRegisters: 4,
  requests: 13,
  lamports: twoFees,
  refusal: true,
  async run(t) {
    const wallet = t.wallet();
    const agents: WalletAgent[] = [];
    for (let count = 0; count < 2; count += 1) agents.push(await t.walletRoot({ init: true, wallet }));
    const [one, other] = agents as [WalletAgent, WalletAgent];
    const payment_tx = await t.pay({ from: wallet, lamports: t.protocol.sigil.narrowTaskFeeLamports });
    t.accepted(await t.call('sigil', { key: one.key, body: { ...purchase(t), payment_tx } }));
    const used = await t.call('sigil', { key: other.key, body: { ...purchase(t), payment_tx } });
    t.refused(used, 'sigil/PAYMENT_ALREADY_USED');
    t.accepted(await buy(t, other, purchase(t)));
  },
};

const kept: Check = {
  ...base,
  id: 'sigil/payment-kept',
  title: 'A refused purchase does not use its payment up',
  clauses: ['fee.payment.kept'],
  requests: 7,
  lamports: oneFee,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.sigil.narrowTaskFeeLamports });
    const send = (more: Purchase) => t.call('sigil', { key: agent.key, body: { ...purchase(t, more), payment_tx } });
    t.refused(await send({ tier: 'vip' }), 'sigil/VALIDATION');
    t.accepted(await send({}));
  },
};

const limit: Check = {
  ...base,
  id: 'sigil/limit',
  title: 'An agent tries 5 SIGIL purchases an hour',
  clauses: ['limit.sigil', 'limit.error.rate-limited', 'auth.rate-bucket.agent', 'limit.window', 'limit.refused-count'],
  needs: ['clock'],
  registers: 2,
  walletRegisters: 0,
  requests: 14,
  refusal: true,
  waits: windowOf('sigil'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    // Refused for want of a wallet, and counted all the same.
    const send = (key: string) =>
      t.call('sigil', { key, body: { ...purchase(t), payment_tx: 'none' }, mayLimit: true });
    await judgeLimit(t, { limit: 'sigil', send: () => send(agent.key), other: () => send(other.key) });
  },
};

const payments = paymentChecks({
  id: 'sigil',
  ready: (t) => t.walletRoot({ init: true }),
  feeLamports: ({ sigil }) => sigil.narrowTaskFeeLamports,
  readyLamports: () => 0,
  body: (t) => ({ ...purchase(t) }),
  clauses: {
    missing: ['sigil.body.payment-tx', 'sigil.error.payment-required'],
    unknown: ['sigil.error.payment-invalid', 'sigil.body.payment-tx'],
    less: ['sigil.error.payment-invalid.amount', 'fee.sigil.narrow-task'],
    more: ['sigil.error.payment-invalid.amount', 'fee.sigil.narrow-task'],
    recipient: ['fee.payment.recipient'],
    pending: ['fee.payment.confirmed'],
    failed: ['fee.payment.confirmed'],
    sender: ['sigil.error.payment-sender-mismatch'],
  },
});

export const sigilChecks: readonly Check[] = [
  ...purchases,
  ...prices,
  ...tiers,
  again,
  walletRequired,
  ethereum,
  onceOnly,
  kept,
  ...payments,
  limit,
];
