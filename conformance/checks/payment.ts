/**
 * Checks that every route with a fee has: payments by amount, sender, recipient and status (section 7, D-25, D-27, D-50), and the limit by
 * agent (8).
 */

import type { LimitName, Protocol } from '../../spec/protocol.js';
import { type Payment, paymentFaults, RIGHT } from '../moves/payment.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { purchase } from '../steps/paid.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** The facts of a paid route that checks of payments need. */
interface PaidRoute {
  readonly id: 'heartbeat' | 'sigil' | 'reissue-proof';
  /** Prepares an agent that can use the route, with two registration calls of the wallet flow. */
  readonly ready: (t: Trial) => Promise<WalletAgent>;
  readonly feeLamports: (protocol: Protocol) => number;
  /** The fees of the route in other tiers or classes. */
  readonly otherFees?: (protocol: Protocol) => readonly number[];
  /** The body without its payment. */
  readonly body?: (t: Trial) => object;
  /** The number of refused requests that the limit of the route allows an agent in addition to an accepted one. */
  readonly tries: number;
}

/** Makes the payment_tx of a request with a fee of `fee` lamports; undefined: the request has no payment_tx. */
async function paidAs(t: Trial, { wallet }: WalletAgent, fee: number, how: Payment): Promise<string | undefined> {
  if (how.tx !== 'made') return how.tx === 'none' ? undefined : t.hex(32);
  const from = how.from === 'own' ? wallet : t.wallet();
  const lamports = fee + how.excess;
  // The wallet of the agent already has the lamports that its check pays.
  if (from !== wallet || how.excess > fee) await t.fund(from, lamports);
  const to = how.to === 'elsewhere' ? { to: t.wallet().address } : {};
  const status = how.status === 'confirmed' ? {} : { status: how.status };
  return t.pay({ from, lamports, ...to, ...status });
}

const { failed, pending, 'over-32-bits': over, ...always } = paymentFaults;
/** Faults that only some ledgers can make. No payment command fails a transaction; only a mock ledger delays one, or funds more than four SOL. */
const MORE: Readonly<Record<string, readonly Partial<Payment>[]>> = {
  control: [failed, pending, over],
  'solana-rpc': [failed],
};

/** The check of the payments of a route: payments with one fault each, then valid ones. */
export const paymentCheck = ({
  id,
  ready,
  feeLamports,
  otherFees,
  body = () => ({}),
  tries,
}: PaidRoute): WrittenCheck => ({
  id: `${id}/payment`,
  title: `A payment of ${id} is refused if it is missing, unknown, unconfirmed, of another amount, or to or from another account`,
  needs: ['payments'],
  async run(t) {
    const fee = feeLamports(t.protocol);
    const others = (otherFees?.(t.protocol) ?? []).filter((other) => other !== fee);
    const more = MORE[t.target.payments.kind] ?? [];
    const all = [...Object.values(always), ...others.map((other) => ({ excess: other - fee })), ...more];
    for (let from = 0; from < all.length; from += tries) {
      const agent = await ready(t);
      const send = async (payment_tx: string | undefined) =>
        t.call(id, { key: agent.key, body: { ...body(t), payment_tx } });
      for (const fault of [...all.slice(from, from + tries), {}])
        await send(await paidAs(t, agent, fee, { ...RIGHT, ...fault }));
    }
  },
});

/** The check of the limit by agent of a paid route. Its requests are refused, and still count. */
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
