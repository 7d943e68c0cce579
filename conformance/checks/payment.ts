/**
 * Checks that all routes with a fee have: of payments (section 7, D-25, D-27, D-50) by amount, sender, recipient and status, and of the
 * limit for each agent (8).
 */
import type { LimitName, Protocol } from '../../spec/protocol.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { purchase } from '../steps/paid.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** A paid route, as far as its payments go. */
interface PaidRoute {
  readonly id: 'heartbeat' | 'sigil' | 'reissue-proof';
  /** An agent that can use the route; two registration calls of the wallet flow. */
  readonly ready: (t: Trial) => Promise<WalletAgent>;
  readonly feeLamports: (protocol: Protocol) => number;
  /** The fees of the route in other tiers or classes. */
  readonly otherFees?: (protocol: Protocol) => readonly number[];
  /** Everything in the body but the payment. */
  readonly body?: (t: Trial) => object;
  /** The refusals that the limit of the route leaves an agent besides a request that is taken. */
  readonly tries: number;
}

/** One more than 32 bits hold. */
const OVER_32_BITS = 2 ** 32;

/** Makes the payment_tx of a request for which the wallet of the agent owes `lamports`; undefined: the field is left out. */
type Pay = (t: Trial, { wallet }: WalletAgent, lamports: number) => Promise<string | undefined>;

const failed: Pay = (t, { wallet: from }, lamports) => t.pay({ from, lamports, status: 'failed' });
const faults: readonly Pay[] = [
  async () => undefined,
  async (t) => t.hex(32),
  (t, { wallet: from }, fee) => t.pay({ from, lamports: fee - 1 }),
  (t, { wallet: from }, fee) => t.pay({ from, lamports: fee + 1 }),
  (t, { wallet: from }, lamports) => t.pay({ from, lamports, to: t.wallet().address }),
  async (t, _, lamports) => {
    const from = t.wallet();
    await t.fund(from, lamports);
    return t.pay({ from, lamports });
  },
];

/** A command makes no payment that fails. Only a mock ledger holds a transaction back, or fills a wallet with more than four SOL. In 32 bits the second is the fee. */
const byControl: readonly Pay[] = [
  failed,
  (t, { wallet: from }, lamports) => t.pay({ from, lamports, status: 'pending' }),
  async (t, { wallet: from }, fee) => {
    await t.fund(from, fee + OVER_32_BITS);
    return t.pay({ from, lamports: fee + OVER_32_BITS });
  },
];

/** The check of the payments of a route: each with one fault, and then right ones. */
export const paymentCheck = ({
  id,
  ready,
  feeLamports,
  otherFees,
  body = () => ({}),
  tries,
}: PaidRoute): WrittenCheck => ({
  id: `${id}/payment`,
  title: `A payment of ${id} that is missing, unknown, of another amount, to or from somebody else, or not confirmed is refused`,
  needs: ['payments'],
  async run(t) {
    const fee = feeLamports(t.protocol);
    const { kind } = t.session.target.payments;
    const others = (otherFees?.(t.protocol) ?? []).filter((other) => other !== fee);
    const ofOthers = others.map(
      (lamports): Pay =>
        (_, { wallet: from }) =>
          t.pay({ from, lamports }),
    );
    const all = [...faults, ...ofOthers, ...(kind === 'control' ? byControl : kind === 'solana-rpc' ? [failed] : [])];
    for (let from = 0; from < all.length; from += tries) {
      const agent = await ready(t);
      const send = async (payment_tx: string | undefined) =>
        t.call(id, { key: agent.key, body: { ...body(t), payment_tx } });
      for (const pay of all.slice(from, from + tries)) await send(await pay(t, agent, fee));
      await send(await t.pay({ from: agent.wallet, lamports: fee }));
    }
  },
});

/** The check of the limit by which an agent tries one of these routes; it is refused each time, and counted all the same. */
export const agentLimitCheck = (id: PaidRoute['id'], limit: LimitName, title: string): WrittenCheck => ({
  id: `${id}/limit`,
  title,
  needs: ['clock'],
  waits: windowOf(limit),
  async run(t) {
    const [agent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const send = (key: string) => t.call(id, { key, body: { ...purchase(t), payment_tx: 'none' }, mayLimit: true });
    await judgeLimit(t, {
      limit,
      clause: `limit.${id}`,
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent.key),
      other: () => send(other.key),
      elsewhere: otherPaths(t, agent.key, limit),
    });
  },
});
