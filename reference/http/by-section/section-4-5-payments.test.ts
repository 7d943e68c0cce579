import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, outcomeOf } from '../../../test/fixtures/ask.js';
import { childOf, ethereumAgent } from '../../../test/fixtures/family.js';
import { Deployment, type DeploymentSetUp, type TestAgent } from '../../../test/fixtures/http.js';
import { memo } from '../../ledger/ledger.js';

let deployment: Deployment;
let agent: TestAgent;

const START = { overlay: { limits: { spawn: { count: 100 }, sigil: { count: 100 }, reissueProof: { count: 100 } } } };
async function restart(setUp: DeploymentSetUp = {}): Promise<void> {
  deployment = await Deployment.start({ ...START, ...setUp });
  agent = await deployment.agent();
}
beforeEach(() => restart());
afterEach(() => deployment.close());

const DAY_MS = 86_400_000;

/** The three paid calls: the cost of each, and a caller who may make it now. */
const paid = {
  heartbeat: { call: 'POST /agent/heartbeat', lamports: 500_000, body: {}, payer: async () => agent },
  sigil: {
    call: 'POST /sigil',
    lamports: 50_000_000,
    body: { identity_class: 'narrow_task', principal: 'p', tier: 'org' },
    payer: () => deployment.register(),
  },
  'reissue-proof': { call: 'POST /agent/reissue-proof', lamports: 200_000, body: {}, payer: async () => agent },
} as const;
type Paid = keyof typeof paid;
const all = Object.keys(paid) as Paid[];

const buy = async (what: Paid, as: TestAgent, payment_tx: string) =>
  outcomeOf(await ask(deployment, paid[what].call, { as, body: { ...paid[what].body, payment_tx } }));

describe.each(all)('the payment of a %s (D-27)', (what) => {
  const { lamports } = paid[what];

  it.each([
    ['[fee.payment.confirmed]', 'pending', (payer: TestAgent) => payer.pay(lamports, { status: 'pending' })],
    ['[fee.payment.confirmed]', 'failed', (payer: TestAgent) => payer.pay(lamports, { status: 'failed' })],
    ['[fee.payment.exact]', 'one lamport too little', (payer: TestAgent) => payer.pay(lamports - 1)],
    ['[fee.payment.exact]', 'one lamport too much', (payer: TestAgent) => payer.pay(lamports + 1)],
    [
      '[fee.payment.recipient]',
      'to another',
      (payer: TestAgent) => payer.pay(lamports, { to: '4QuaxTrwSZcqWb9ozCmyYJaSVcCxd5Bb5cHvEQRw7Rkt' }),
    ],
    [
      '[fee.payment.one-sender]',
      'by a memo, which has no sender of money',
      () => {
        const { ledger, paymentAccount } = deployment.host.service;
        return memo(ledger, { from: paymentAccount, text: 'paid', nowMs: deployment.clock.nowMs() });
      },
    ],
  ])('%s %s is PAYMENT_INVALID, and made good it is taken', async (_clause, _what, pay) => {
    const payer = await paid[what].payer();
    expect(await buy(what, payer, pay(payer))).toBe('400 PAYMENT_INVALID');
    expect(await buy(what, payer, payer.pay(lamports))).toBe('200');
  });

  it('[fee.payment.one-sender] counts for the wallet that sent it alone', async () => {
    const [payer, other] = [await paid[what].payer(), await deployment.register()];
    expect(await buy(what, payer, other.pay(lamports))).toBe('400 PAYMENT_SENDER_MISMATCH');
    expect(await buy(what, payer, payer.pay(lamports))).toBe('200');
  });

  it('[fee.payment.kept] can be used after a refusal', async () => {
    const [payer, other] = [await paid[what].payer(), await deployment.register()];
    const payment = payer.pay(lamports);
    expect(await buy(what, other, payment)).not.toBe('200');
    expect(await buy(what, payer, payment)).toBe('200');
  });
});

describe('an agent with an Ethereum wallet (D-51)', () => {
  it('[fee.payment.ethereum] is never the sender of lamports', async () => {
    const owner = await ethereumAgent(deployment);
    expect(await buy('sigil', owner, owner.pay(50_000_000))).toBe('400 PAYMENT_SENDER_MISMATCH');
    const { wallet: address } = (await ask(deployment, `GET /status/${owner.hash}`)).body;
    expect((await deployment.control('POST', '/ledger/wallets', { address, lamports: 1 })).status).toBe(400);
  });
});

describe('the BYO-wallet policy (4.5)', () => {
  const clauses = all.map((what) => [`[${what}.byo-wallet]`, what] as const);
  /** A child, which needs no SIGIL, without a wallet. */
  const walletless = () => childOf(deployment, agent, 'kid');

  it.each(clauses)('%s a %s without a wallet is 403 where it is on', async (_clause, what) => {
    const child = await walletless();
    expect(await buy(what, child, agent.pay(paid[what].lamports))).toBe('403 WALLET_REQUIRED');
  });

  it.each(clauses)('%s a %s without a wallet is accepted where it is off', async (_clause, what) => {
    deployment.close();
    await restart({ policy: { byoWallet: false } });
    const child = await walletless();
    expect(await buy(what, child, agent.pay(paid[what].lamports))).toBe('200');
  });
});

describe('the split of a fee (4.5, D-38)', () => {
  const summary = async () => (await ask(deployment, 'GET /fees/summary')).body;
  /** Lets days pass without anchors; there would be too many. */
  const pass = (ms: number): void => {
    deployment.host.service.stalled = true;
    deployment.advance(ms);
  };
  const SHARES = ['operations', 'contributors', 'referral', 'development', 'treasury'] as const;

  it.each([
    ['[split.operations]', 'operations', 3_000, 15_000_000],
    ['[split.contributors]', 'contributors', 3_000, 15_000_000],
    ['[split.referral]', 'referral', 1_000, 5_000_000],
    ['[split.development.start]', 'development', 1_500, 7_500_000],
    ['[split.treasury.start]', 'treasury', 1_500, 7_500_000],
  ])('%s %s takes %i bps: %i lamports of a SIGIL', async (_clause, share, bps, lamports) => {
    const reply = await summary();
    expect(reply.fee_split_bps[share]).toBe(bps);
    expect(reply.overall_allocation[`${share}_lamports`]).toBe(lamports);
  });

  it.each([
    ['[split.development.start]', 365 * DAY_MS - 1, 1_500, 1_500],
    ['[split.development.fall] [split.treasury.released]', 365 * DAY_MS, 1_400, 1_600],
    ['[split.development.fall] [split.treasury.released]', 9 * 365 * DAY_MS, 600, 2_400],
    ['[split.development.floor]', 10 * 365 * DAY_MS, 500, 2_500],
    ['[split.development.floor]', 11 * 365 * DAY_MS, 500, 2_500],
  ])(
    '[split.development.days] %s %i ms after genesis development has %i bps and treasury %i',
    async (_clause, ms, development, treasury) => {
      pass(ms);
      const before = await summary();
      expect(before.fee_split_bps).toMatchObject({ development, treasury, operations: 3_000, contributors: 3_000 });
      expect(await buy('reissue-proof', agent, agent.pay(200_000))).toBe('200');
      const after = await summary();
      const taken = (share: string): number =>
        after.overall_allocation[`${share}_lamports`] - before.overall_allocation[`${share}_lamports`];
      expect([taken('development'), taken('treasury')]).toEqual([development * 20, treasury * 20]);
    },
  );

  it("[split.floor] [split.rest] shares are floored, and what is left is the treasury's", async () => {
    await deployment.control('PUT', '/fees', { reissuance: 19 });
    expect(await buy('reissue-proof', agent, agent.pay(19))).toBe('200');
    const { allocation } = (await summary()).by_type[2];
    expect(SHARES.map((share) => allocation[`${share}_lamports`])).toEqual([5, 5, 1, 2, 6]);
  });
});
