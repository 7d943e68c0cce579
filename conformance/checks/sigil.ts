/** SIGIL purchases (4.6): prices, tiers, and who may buy. Their fields are in sigil-fields.ts, payments in payment.ts. */

import { isFilled, matches } from '../../model/reading/field-tests.js';
import { BASE58, OWN_RECORD } from '../../spec/formats.js';
import { addedClasses, addedTiers, classesOf, sigilTiersOf } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import { type IdentityClass, identityClasses, type SigilTier, sigilTiers } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { unreachableReason } from '../assertions/unjudged.js';
import { pause } from '../steps/beat-clock.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { buy, feeIs, heartbeat, type Purchase, passportIs, purchase } from '../steps/paid.js';
import { byoWalletOnly, POLICY_OFF, policyIsOn } from '../steps/policies.js';
import { betweenHeartbeats, windowOf } from '../steps/waits.js';
import { devnetOnly, ethereumRoot } from '../steps/wallet-modes.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { paymentChecks } from './payment.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const oneFee = ({ sigil }: Protocol): number => sigil.narrowTaskFeeLamports;
const twoFees = ({ sigil }: Protocol): number => 2 * sigil.narrowTaskFeeLamports;

const classClauses: Record<IdentityClass, string> = {
  narrow_task: 'fee.sigil.narrow-task',
  autonomous: 'fee.sigil.autonomous',
  orchestrator: 'fee.sigil.orchestrator',
};

/** `narrow_task` as an id spells it. */
const wordOf = (identityClass: IdentityClass): string => identityClass.replace('_', '-');

/** Clauses that a purchase judges whatever the class. */
const purchaseClauses = [
  'sigil.route',
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

/** Clauses for which an accepted purchase is evidence. */
const taken = [
  'sigil.body.identity-class',
  'sigil.body.principal',
  'sigil.body.tier',
  'sigil.body.name',
  'sigil.body.payment-tx',
] as const;

const purchases = identityClasses.map(
  (identityClass): Check => ({
    ...base,
    id: `sigil/buy-${wordOf(identityClass)}`,
    title: `A SIGIL of class ${identityClass} is issued for its fee, with a passport`,
    clauses: [...purchaseClauses, ...taken, classClauses[identityClass]],
    requests: 7,
    lamports: (protocol) => sigilFeeLamports(protocol, identityClass),
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      const lamports = sigilFeeLamports(t.protocol, identityClass);
      const payment = await t.pay({ from: agent.wallet, lamports });
      const what = purchase(t, { identity_class: identityClass, name: t.word() });
      if (!classesOf(t.protocol).includes(identityClass)) {
        const gone = await t.call('sigil', { key: agent.key, body: { ...what, payment_tx: payment } });
        t.refused(gone, 'sigil/VALIDATION', 'sigil.body.identity-class');
        await t.setup('a class that is there', async () => void t.accepted(await buy(t, agent, purchase(t))));
        return;
      }
      const sent = await t.call('sigil', { key: agent.key, body: { ...what, payment_tx: payment } });
      const reply = t.accepted(sent, ...taken, classClauses[identityClass], 'sigil.transition.issued');
      const full = `${what.name}*${what.principal}*${what.tier}`;
      t.shows('sigil.field.sigil', 'service.sigil.identity').exactField(reply, 'sigil.sigil', full);
      t.shows('sigil.field.sigil-name').exactField(reply, 'sigil.sigil_name', what.name);
      t.shows('sigil.field.principal').exactField(reply, 'sigil.principal', what.principal);
      t.shows('sigil.field.tier').exactField(reply, 'sigil.tier', what.tier);
      const ofClass = t.shows('sigil.field.identity-class', 'service.sigil.class');
      ofClass.exactField(reply, 'sigil.identity_class', identityClass);
      t.shows('service.sigil.on-chain').fieldIs(reply, 'sigil.birth_tx', isFilled);
      passportIs(t, reply, agent, identityClass);
      t.shows('passport.field.last-heartbeat-beat.zero').field(reply, 'passport.last_heartbeat_beat', 0);
      const format = t.protocol.passport.formatVersion;
      t.shows('versioning.passport.format').field(reply, 'passport.format_version', format);
      t.shows('passport.field.sigil-issued-at-beat').field(
        reply,
        'passport.sigil_issued_at_beat',
        reply.number('sigil.issued_at_beat'),
      );
      birthRecordIs(t, reply);
      feeIs(t, reply, { lamports, payment, clauses: [classClauses[identityClass]] });
      if (identityClass === identityClasses[0]) await addedAreSold(t);
    },
  }),
);

/** A class that an overlay adds is sold for exactly its fee, and named in SIGIL and passport. */
async function addedAreSold(t: Trial): Promise<void> {
  for (const { name, feeLamports } of addedClasses(t.protocol)) {
    const agent = await t.walletRoot({ init: true, fundedLamports: 3 * feeLamports + SPARE_LAMPORTS });
    const what = purchase(t, { identity_class: name });
    const lacking = await t.pay({ from: agent.wallet, lamports: feeLamports + 1 });
    const refused = await t.call('sigil', { key: agent.key, body: { ...what, payment_tx: lacking } });
    t.refused(refused, 'sigil/PAYMENT_INVALID', 'service.sigil.class');
    const reply = t.accepted(await buy(t, agent, what, name), 'sigil.body.identity-class', 'service.sigil.class');
    t.shows('sigil.field.identity-class', 'service.sigil.class').exactField(reply, 'sigil.identity_class', name);
    passportIs(t, reply, agent, name);
    t.shows('sigil.reply.fee').field(reply, 'fee.amount_lamports', feeLamports);
  }
}

const SPARE_LAMPORTS = 1_000_000_000;

/** D-45: the memo of a SIGIL on the ledger. A service that is not given the means to write one says so. */
function birthRecordIs(t: Trial, reply: Reply): void {
  const birth = reply.get('sigil.birth_tx');
  if (typeof birth === 'string' && birth.startsWith(OWN_RECORD)) {
    const reason = `birth_tx is ${OWN_RECORD}…: the service keeps the record itself`;
    t.shows('sigil.birth-tx.form', 'sigil.explorer-url.form').unjudged(reason);
    return;
  }
  t.shows('sigil.birth-tx.form').fieldIs(reply, 'sigil.birth_tx', matches(BASE58, 'a signature in base58'));
  const explorer = `https://explorer.solana.com/tx/${birth}?cluster=devnet`;
  t.shows('sigil.explorer-url.form').exactField(reply, 'sigil.explorer_url', explorer);
}

const prices = identityClasses.map(
  (identityClass): Check => ({
    ...base,
    id: `sigil/price-${wordOf(identityClass)}`,
    title: `One lamport less or more than the fee of class ${identityClass} is refused`,
    clauses: [classClauses[identityClass], 'sigil.error.payment-invalid.amount', 'fee.payment.exact'],
    requests: 11,
    lamports: (protocol) => 3 * sigilFeeLamports(protocol, identityClass),
    refusal: true,
    unsuitableFor: ({ protocol }) =>
      classesOf(protocol).includes(identityClass) ? undefined : unreachableReason(`there is no class ${identityClass}`),
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      const fee = sigilFeeLamports(t.protocol, identityClass);
      const what = purchase(t, { identity_class: identityClass });
      for (const lamports of [fee - 1, fee + 1]) {
        const payment_tx = await t.pay({ from: agent.wallet, lamports });
        const refused = await t.call('sigil', { key: agent.key, body: { ...what, payment_tx } });
        const clauses = [classClauses[identityClass], 'sigil.error.payment-invalid.amount', 'fee.payment.exact'];
        t.refused(refused, 'sigil/PAYMENT_INVALID', ...clauses);
      }
      t.accepted(await buy(t, agent, what, identityClass), classClauses[identityClass]);
    },
  }),
);

const tiers = sigilTiers.map(
  (tier): Check => ({
    ...base,
    id: `sigil/tier-${tier}`,
    title: `A SIGIL of tier ${tier} is sold`,
    clauses: ['sigil.body.tier', 'sigil.field.tier', 'sigil.field.sigil'],
    requests: 6,
    lamports: oneFee,
    async run(t) {
      const agent = await t.walletRoot({ init: true });
      if (!sigilTiersOf(t.protocol).includes(tier)) {
        const gone = await buy(t, agent, purchase(t, { tier }));
        t.refused(gone, 'sigil/VALIDATION', 'sigil.body.tier');
        await t.setup('a tier that is there', async () => void t.accepted(await buy(t, agent, purchase(t))));
        return;
      }
      await tierIsSold(t, agent, tier);
      if (tier !== COMMON_TIER) return;
      for (const added of addedTiers(t.protocol)) await tierIsSold(t, await t.walletRoot({ init: true }), added);
    },
  }),
);

/** The tier that no overlay takes away: its check also looks at those that one adds. */
const COMMON_TIER: SigilTier = 'ind';

/** A SIGIL of a tier is sold, and names it. */
async function tierIsSold(t: Trial, agent: WalletAgent, tier: string): Promise<void> {
  const what = purchase(t, { tier, name: t.word() });
  const reply = t.accepted(await buy(t, agent, what), 'sigil.body.tier');
  t.shows('sigil.field.tier', 'sigil.body.tier').exactField(reply, 'sigil.tier', tier);
  t.shows('sigil.field.sigil').exactField(reply, 'sigil.sigil', `${what.name}*${what.principal}*${tier}`);
}

const sigilLater: Check = {
  ...base,
  id: 'sigil/later',
  title:
    'A SIGIL is issued to an agent whose chain has not started, at the beat that it is, and not at that of the registration',
  clauses: ['sigil.transition.issued', 'sigil.field.issued-at-beat', 'passport.field.sigil-issued-at-beat'],
  needs: ['payments', 'clock'],
  requests: 12,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports } }) => sigil.narrowTaskFeeLamports + tier1FeeLamports,
  waits: betweenHeartbeats(2),
  async run(t) {
    const agent = await t.walletRoot();
    // Whatever a beat is, some pass in the least time between two heartbeats.
    await pause(t);
    await pause(t);
    const reply = t.accepted(await buy(t, agent, purchase(t)), 'sigil.transition.issued');
    await t.setup('init', async () => void t.accepted(await t.call('init', { key: agent.key })));
    const beat = t.accepted(await heartbeat(t, agent));
    const registered = reply.number('passport.registered_at_beat');
    const now = beat.number('current_beat');
    const issued = reply.get('sigil.issued_at_beat');
    const within = typeof issued === 'number' && issued > registered && issued <= now;
    const words = `after ${registered}, and not after ${now}`;
    t.shows('sigil.field.issued-at-beat').of(reply, 'issued_at_beat of a later purchase', within, words, issued);
    t.shows('passport.field.sigil-issued-at-beat').field(beat, 'passport.sigil_issued_at_beat', issued);
  },
};

const sigilAgain: Check = {
  ...base,
  id: 'sigil/again',
  title: 'An agent with a SIGIL buys no second one, of whatever class, and keeps the first',
  clauses: [
    'sigil.error.sigil-already-exists',
    'sigil.transition.again',
    'sigil.immutable',
    'verify-batch.reply.found',
  ],
  walletRegisters: 4,
  requests: 20,
  lamports: ({ sigil }) => 3 * sigil.narrowTaskFeeLamports + sigil.autonomousFeeLamports,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const first = t.accepted(await buy(t, agent, purchase(t, { name: t.word() })));
    const again = ['sigil.error.sigil-already-exists', 'sigil.transition.again'];
    const second = purchase(t, { tier: 'org' });
    t.refused(await buy(t, agent, second), 'sigil/SIGIL_ALREADY_EXISTS', ...again);
    const higher = purchase(t, { identity_class: 'autonomous', tier: 'sov' });
    t.refused(await buy(t, agent, higher, 'autonomous'), 'sigil/SIGIL_ALREADY_EXISTS', ...again);
    t.accepted(await buy(t, await t.walletRoot({ init: true }), second));
    const verify = t.accepted(await t.call('verify', { params: { hash: agent.hash } }));
    for (const field of ['sigil', 'sigil_name', 'principal', 'tier', 'identity_class', 'birth_tx']) {
      const own = first.string(`sigil.${field}`);
      t.shows('sigil.immutable', 'sigil.transition.again').through('D-20').exactField(verify, `sigil.${field}`, own);
    }
    const issued = first.number('sigil.issued_at_beat');
    t.shows('sigil.immutable').through('D-20').field(verify, 'sigil.issued_at_beat', issued);
    const batch = t.accepted(await t.call('verify-batch', { body: { hashes: [agent.hash] } }));
    const shown = batch.get('results.0.sigil');
    const there = shown !== null && shown !== undefined && shown !== '';
    t.shows('verify-batch.reply.found').of(batch, 'sigil of an agent that has one', there, 'the SIGIL', shown);
  },
};

const sigilWalletRequired: Check = {
  ...base,
  id: 'sigil/wallet-required',
  title: 'An agent without a wallet buys no SIGIL',
  clauses: ['sigil.error.wallet-required', 'sigil.byo-wallet', 'auth.wallet-required', 'wallet.policy.on'],
  registers: 1,
  requests: 12,
  lamports: twoFees,
  unsuitableFor: byoWalletOnly,
  refusal: true,
  async run(t) {
    const [without, payer] = [await t.root({ init: true }), await t.walletRoot({ init: true })];
    const reply = await buy(t, { ...without, wallet: payer.wallet }, purchase(t));
    const musts = ['sigil.error.wallet-required', 'auth.wallet-required'];
    const isOn = policyIsOn(t, reply);
    const actual = `${reply.status} ${reply.excerpt()}`;
    t.shows('wallet.policy.on').of(reply, 'the BYO-wallet policy', isOn, 'a refusal for want of a wallet', actual);
    if (isOn) {
      t.refused(reply, 'sigil/WALLET_REQUIRED', ...musts);
      t.refusedWith(reply, t.row('sigil/WALLET_REQUIRED').status, 'sigil.byo-wallet');
      if (reply.status < 400) return;
    } else t.shows(...musts, 'sigil.byo-wallet').unjudged(POLICY_OFF);
    t.accepted(await buy(t, payer, purchase(t)));
  },
};

const sigilSenderEthereum: Check = {
  ...base,
  id: 'sigil/sender-ethereum',
  title: 'An agent with an Ethereum wallet cannot be the sender of lamports, whoever pays',
  clauses: ['fee.payment.ethereum'],
  walletRegisters: 4,
  requests: 14,
  lamports: twoFees,
  unsuitableFor: devnetOnly,
  refusal: true,
  async run(t) {
    const [agent, payer] = [await ethereumRoot(t), await t.walletRoot({ init: true })];
    await t.setup('a started chain', async () => t.accepted(await t.call('init', { key: agent.key })));
    const refused = await buy(t, { ...agent, wallet: payer.wallet }, purchase(t));
    t.refused(refused, 'sigil/PAYMENT_SENDER_MISMATCH', 'fee.payment.ethereum');
    t.accepted(await buy(t, payer, purchase(t)));
  },
};

const sigilPaymentUsed: Check = {
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
    t.refused(used, 'sigil/PAYMENT_ALREADY_USED', 'sigil.error.payment-already-used', 'fee.payment.once');
    t.accepted(await buy(t, other, purchase(t)));
  },
};

const sigilPaymentKept: Check = {
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
    const refused = await send({ tier: 'vip' });
    t.need(refused.status >= 400 || undefined, 'a purchase of an unknown tier that is refused');
    t.accepted(await send({}), 'fee.payment.kept');
  },
};

const sigilLimit: Check = {
  ...base,
  id: 'sigil/limit',
  title: 'An agent tries 5 SIGIL purchases an hour',
  clauses: ['limit.sigil', 'limit.error.rate-limited', 'auth.rate-bucket.agent', 'limit.window', 'limit.refused-count'],
  needs: ['clock'],
  registers: 2,
  walletRegisters: 0,
  requests: 18,
  refusal: true,
  waits: windowOf('sigil'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    // Refused for want of a wallet, and counted all the same.
    const send = (key: string) =>
      t.call('sigil', { key, body: { ...purchase(t), payment_tx: 'none' }, mayLimit: true });
    await judgeLimit(t, {
      limit: 'sigil',
      clause: 'limit.sigil',
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent.key),
      other: () => send(other.key),
      elsewhere: otherPaths(t, agent.key, 'sigil'),
    });
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
    wrapped: ['sigil.error.payment-invalid.amount', 'fee.sigil.narrow-task'],
    recipient: ['fee.payment.recipient'],
    pending: ['fee.payment.confirmed'],
    failed: ['fee.payment.confirmed'],
    sender: ['sigil.error.payment-sender-mismatch'],
  },
  // A failed or misdirected payment pays no fee.
  refuses: { recipient: ['sigil.error.payment-invalid'], failed: ['sigil.error.payment-invalid'] },
});

export const sigilChecks: readonly Check[] = [
  ...purchases,
  ...prices,
  ...tiers,
  sigilLater,
  sigilAgain,
  sigilWalletRequired,
  sigilSenderEthereum,
  sigilPaymentUsed,
  sigilPaymentKept,
  ...payments,
  sigilLimit,
];
