/** SIGIL purchases (4.6): prices and who may buy. Their fields are in sigil-fields.ts, payments in payment.ts. */

import { classesOf } from '../../spec/parts.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { lookup } from '../moves/lookup.js';
import type { Purchase } from '../moves/sigil.js';
import { buySigil } from '../moves/sigil.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { pause } from '../steps/beat-clock.js';
import { buy, heartbeat, purchase } from '../steps/paid.js';
import { byoWalletOnly, policyIsOn } from '../steps/policies.js';
import { betweenHeartbeats } from '../steps/waits.js';
import { devnetOnly, ethereumRoot } from '../steps/wallet-modes.js';
import type { WrittenCheck } from '../trial/check.js';
import { sigilPriceLamports, type WalletAgent } from '../trial/fixtures.js';
import { agentLimitCheck, paymentCheck } from './payment.js';

const base = { needs: ['payments'] } as const;

const classes: WrittenCheck = {
  ...base,
  id: 'sigil/classes',
  title: 'A SIGIL of each class is issued for exactly its fee, with a passport',
  async run(t) {
    const sold = classesOf(t.protocol);
    for (const identity_class of new Set([...identityClasses, ...sold])) {
      // A class that an overlay removes is refused with any fee.
      const fee = sigilPriceLamports(t.protocol, identity_class);
      const agent = await t.walletRoot({ init: true, fundedLamports: 4 * fee + 1 });
      const what = purchase(t, { identity_class, name: t.word() });
      for (const lamports of [fee - 1, fee + 1, fee]) {
        const payment_tx = await t.pay({ from: agent.wallet, lamports });
        await t.send(buySigil(agent, what, payment_tx));
      }
    }
  },
};

const later: WrittenCheck = {
  ...base,
  id: 'sigil/later',
  title: 'An agent whose chain has not started gets a SIGIL that is issued at the current beat',
  needs: ['payments', 'clock'],
  waits: betweenHeartbeats(2),
  async run(t) {
    const agent = await t.walletRoot();
    // At least one beat passes in the shortest interval between two heartbeats.
    await pause(t);
    await pause(t);
    const reply = t.accepted(await buy(t, agent, purchase(t)), 'sigil.transition.issued');
    const [registered, issued] = [reply.number('passport.registered_at_beat'), reply.get('sigil.issued_at_beat')];
    const isLater = typeof issued === 'number' && issued > registered;
    t.shows('sigil.field.issued-at-beat').that('sigil.issued_at_beat', isLater, `after ${registered}`, issued, reply);
    t.mustSucceed(await t.call('init', { key: agent.key }));
    await heartbeat(t, agent);
  },
};

const again: WrittenCheck = {
  ...base,
  id: 'sigil/again',
  title: 'A second SIGIL purchase of any class is refused, and the agent keeps the first SIGIL',
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    t.mustSucceed(await buy(t, agent, purchase(t, { name: t.word() })));
    await buy(t, agent, purchase(t, { tier: 'org' }));
    await buy(t, agent, purchase(t, { identity_class: 'autonomous', tier: 'sov' }), 'autonomous');
    const verify = t.mustSucceed(await t.send(lookup('verify', agent.hash)));
    t.shows('sigil.transition.again').field(verify, 'sigil.tier', 'ind', 'D-20');
    await t.send(verifyBatch([agent.hash]));
  },
};

const sigilWalletRequired: WrittenCheck = {
  ...base,
  id: 'sigil/wallet-required',
  title: 'A SIGIL purchase of an agent without a wallet is refused',
  unsuitableFor: byoWalletOnly,
  async run(t) {
    const [without, payer] = [await t.root({ init: true }), await t.walletRoot({ init: true })];
    const reply = await buy(t, { ...without, wallet: payer.wallet }, purchase(t));
    const actual = `${reply.status} ${reply.excerpt()}`;
    t.shows('wallet.policy.on').that(
      'the BYO-wallet policy',
      policyIsOn(t, reply),
      'a refusal because the agent has no wallet',
      actual,
      reply,
    );
    // If the target file does not state the policy, the model learns it from this reply.
    const clauses = ['sigil.byo-wallet', 'auth.wallet-required', 'sigil.error.wallet-required'];
    if (policyIsOn(t, reply)) t.refused(reply, 'sigil/WALLET_REQUIRED', ...clauses);
    await buy(t, payer, purchase(t));
  },
};

const sigilSenderEthereum: WrittenCheck = {
  ...base,
  id: 'sigil/sender-ethereum',
  title: 'A SIGIL purchase by an agent with an Ethereum wallet is refused, from any payer',
  unsuitableFor: devnetOnly,
  async run(t) {
    const [agent, payer] = [await ethereumRoot(t), await t.walletRoot({ init: true })];
    t.mustSucceed(await t.call('init', { key: agent.key }));
    await buy(t, { ...agent, wallet: payer.wallet }, purchase(t));
    await buy(t, payer, purchase(t));
  },
};

const paymentOnce: WrittenCheck = {
  ...base,
  id: 'sigil/payment-once',
  title: 'A payment is accepted for one SIGIL, and a refused purchase leaves it unused',
  async run(t) {
    const wallet = t.wallet();
    const [one, other] = [await t.walletRoot({ init: true, wallet }), await t.walletRoot({ init: true, wallet })];
    const payment_tx = await t.pay({ from: wallet, lamports: sigilPriceLamports(t.protocol, 'narrow_task') });
    const send = ({ key }: WalletAgent, more: Purchase = {}) =>
      t.send(buySigil({ key }, purchase(t, more), payment_tx));
    await send(one, { tier: 'vip' });
    t.accepted(await send(one), 'fee.payment.kept');
    await send(other);
    await buy(t, other, purchase(t));
  },
};

const payment = paymentCheck({
  id: 'sigil',
  ready: (t) => t.walletRoot({ init: true }),
  feeLamports: (numbers) => sigilPriceLamports(numbers, 'narrow_task'),
  otherFees: (numbers) => ['autonomous', 'orchestrator'].map((each) => sigilPriceLamports(numbers, each)),
  body: (t) => purchase(t),
  tries: 4,
});

export const sigilChecks: readonly WrittenCheck[] = [
  classes,
  later,
  again,
  sigilWalletRequired,
  sigilSenderEthereum,
  paymentOnce,
  payment,
  agentLimitCheck('sigil', 'sigil', 'The sixth SIGIL purchase of an agent in an hour is refused with 429'),
];
