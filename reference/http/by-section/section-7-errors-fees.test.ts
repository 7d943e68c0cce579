import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkWallet } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { walletless } from '../../../test/fixtures/parties.js';
import { describeRefusals, expectRefusal, type RefusalRow } from '../../../test/fixtures/refusals.js';
import { putAgent } from '../../../test/fixtures/registry.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const GOOD = { identity_class: 'narrow_task', principal: 'acme', tier: 'org' };
const SIGIL = 50_000_000;
const REISSUE = 200_000;
const buy = (agent: TestAgent, more: object = {}) => agent.post('/sigil', { ...GOOD, ...more });
const bought = (agent: TestAgent, lamports = SIGIL) => buy(agent, { payment_tx: agent.pay(lamports) });
const reissue = (agent: TestAgent, more: object = {}) => agent.post('/agent/reissue-proof', more);
const reissued = (agent: TestAgent, lamports = REISSUE) => reissue(agent, { payment_tx: agent.pay(lamports) });

/** Two roots with one wallet (D-18). */
async function twins(): Promise<readonly [TestAgent, TestAgent]> {
  const [one, two] = [await walletless(deployment), await walletless(deployment)];
  await linkWallet(deployment, one);
  await linkWallet(deployment, two, one.key);
  return [one, two];
}

const ofSigil: readonly RefusalRow[] = [
  {
    ids: 'sigil.error.payment-required',
    what: 'no payment_tx',
    is: [400, 'PAYMENT_REQUIRED'],
    pair: async () => {
      const agent = await deployment.register();
      return [buy(agent), () => bought(agent)];
    },
  },
  {
    ids: 'sigil.error.payment-invalid',
    what: 'a transaction that nobody made',
    is: [400, 'PAYMENT_INVALID'],
    pair: async () => {
      const agent = await deployment.register();
      return [buy(agent, { payment_tx: 'none' }), () => bought(agent)];
    },
  },
  ...[SIGIL - 1, SIGIL + 1].map(
    (lamports): RefusalRow => ({
      ids: 'sigil.error.payment-invalid.amount',
      what: `${lamports} lamports`,
      is: [400, 'PAYMENT_INVALID'],
      pair: async () => {
        const agent = await deployment.register();
        return [bought(agent, lamports), () => bought(agent)];
      },
    }),
  ),
  {
    ids: 'sigil.error.payment-already-used',
    what: 'a payment that bought the SIGIL of another agent with the same wallet',
    is: [409, 'PAYMENT_ALREADY_USED'],
    pair: async () => {
      const [one, two] = await twins();
      const payment_tx = one.pay(SIGIL);
      expect((await buy(one, { payment_tx })).status).toBe(200);
      return [buy(two, { payment_tx }), () => buy(two, { payment_tx: one.pay(SIGIL) })];
    },
  },
  {
    ids: 'sigil.error.payment-sender-mismatch',
    what: "a stranger's wallet",
    is: [400, 'PAYMENT_SENDER_MISMATCH'],
    pair: async () => {
      const [agent, stranger] = [await deployment.register(), await deployment.register()];
      return [buy(agent, { payment_tx: stranger.pay(SIGIL) }), () => bought(agent)];
    },
  },
  {
    ids: 'sigil.error.wallet-required auth.wallet-required',
    what: 'an agent that is still api-sponsored',
    is: [403, 'WALLET_REQUIRED'],
    pair: async () => {
      const agent = await walletless(deployment);
      const refused = await bought(agent);
      await linkWallet(deployment, agent);
      return [refused, () => bought(agent)];
    },
  },
  ...[
    ['sigil.error.validation', { identity_class: 'wizard' }],
    ['sigil.error.validation', { identity_class: undefined }],
    ['sigil.error.validation.tier', { tier: 'gold' }],
    ['sigil.error.validation.tier', { tier: undefined }],
    ['sigil.error.validation.parameters', { principal: 'Acme' }],
    ['sigil.error.validation.parameters', { principal: '-acme' }],
    ['sigil.error.validation.parameters', { principal: 'a'.repeat(25) }],
    ['sigil.error.validation.parameters', { name: 'No Name' }],
  ].map(
    ([ids, fault]): RefusalRow => ({
      ids: ids as string,
      what: JSON.stringify(fault),
      is: [400, 'VALIDATION'],
      pair: async () => {
        const agent = await deployment.register();
        const payment_tx = agent.pay(SIGIL);
        return [buy(agent, { payment_tx, ...(fault as object) }), () => buy(agent, { payment_tx })];
      },
    }),
  ),
  {
    ids: 'sigil.error.sigil-already-exists',
    what: 'a second purchase',
    is: [409, 'SIGIL_ALREADY_EXISTS'],
    pair: async () => {
      const [one, two] = await twins();
      expect((await bought(one)).status).toBe(200);
      return [bought(one), () => buy(two, { payment_tx: one.pay(SIGIL) })];
    },
  },
];

const ofReissue: readonly RefusalRow[] = [
  {
    ids: 'reissue-proof.error.payment-required',
    what: 'no payment_tx',
    is: [400, 'PAYMENT_REQUIRED'],
    pair: async () => {
      const agent = await deployment.agent();
      return [reissue(agent), () => reissued(agent)];
    },
  },
  {
    ids: 'reissue-proof.error.payment-invalid',
    what: 'a transaction that nobody made',
    is: [400, 'PAYMENT_INVALID'],
    pair: async () => {
      const agent = await deployment.agent();
      return [reissue(agent, { payment_tx: 'none' }), () => reissued(agent)];
    },
  },
  ...[REISSUE - 1, REISSUE + 1].map(
    (lamports): RefusalRow => ({
      ids: 'reissue-proof.error.payment-invalid.amount',
      what: `${lamports} lamports`,
      is: [400, 'PAYMENT_INVALID'],
      pair: async () => {
        const agent = await deployment.agent();
        return [reissued(agent, lamports), () => reissued(agent)];
      },
    }),
  ),
  {
    ids: 'reissue-proof.error.payment-already-used',
    what: 'the payment of the reissue before',
    is: [409, 'PAYMENT_ALREADY_USED'],
    pair: async () => {
      const agent = await deployment.agent();
      const payment_tx = agent.pay(REISSUE);
      expect((await reissue(agent, { payment_tx })).status).toBe(200);
      return [reissue(agent, { payment_tx }), () => reissued(agent)];
    },
  },
  {
    ids: 'reissue-proof.error.payment-sender-mismatch',
    what: "a stranger's wallet",
    is: [400, 'PAYMENT_SENDER_MISMATCH'],
    pair: async () => {
      const [agent, stranger] = [await deployment.agent(), await deployment.register()];
      return [reissue(agent, { payment_tx: stranger.pay(REISSUE) }), () => reissued(agent)];
    },
  },
  {
    ids: 'reissue-proof.error.sigil-required',
    what: 'a root without a SIGIL',
    is: [403, 'SIGIL_REQUIRED'],
    pair: async () => {
      const agent = await deployment.register();
      const refused = await reissued(agent);
      expect((await bought(agent)).status).toBe(200);
      return [refused, () => reissued(agent)];
    },
  },
  {
    ids: 'auth.wallet-required',
    what: 'a SIGIL holder without a wallet',
    is: [403, 'WALLET_REQUIRED'],
    pair: async () => {
      // No call removes a wallet; only a server that once sold SIGILs without the policy has such agents.
      const agent = await deployment.agent();
      const { registry } = deployment.host.service;
      const wallet = registry.agents.line.wallet(agent.row) ?? -1;
      putAgent(registry, agent.row, { wallet: -1 });
      const refused = await reissued(agent);
      putAgent(registry, agent.row, { wallet });
      return [refused, () => reissued(agent)];
    },
  },
];

describeRefusals('sigil (7)', ofSigil);
describeRefusals('reissue-proof (7)', ofReissue);

describe('one transaction (7)', () => {
  const uses = {
    heartbeat: (agent: TestAgent, payment_tx: string) => agent.post('/agent/heartbeat', { payment_tx }),
    reissue: (agent: TestAgent, payment_tx: string) => reissue(agent, { payment_tx }),
    sigil: (agent: TestAgent, payment_tx: string) => buy(agent, { payment_tx }),
  };

  it.each([
    ['sigil', 'reissue'],
    ['heartbeat', 'reissue'],
    ['heartbeat', 'sigil'],
    ['reissue', 'sigil'],
  ] as const)('[fee.payment.once] that paid a %s pays no %s, although the fees are the same', async (first, then) => {
    const [one, two] = await twins();
    for (const agent of [one, two]) await agent.post('/agent/init');
    const same = { sigil_narrow_task: 500_000, reissuance: 500_000 };
    expect((await deployment.control('PUT', '/fees', same)).status).toBe(200);
    if (first !== 'sigil') expect((await bought(one, 500_000)).status).toBe(200);
    const payment_tx = one.pay(500_000);
    expect((await uses[first](one, payment_tx)).status).toBe(200);
    const payer = then === 'sigil' ? two : one;
    const refused = await uses[then](payer, payment_tx);
    expectRefusal(refused, [409, 'PAYMENT_ALREADY_USED']);
    expect((await uses[then](payer, one.pay(500_000))).status).toBe(200);
  });
});
