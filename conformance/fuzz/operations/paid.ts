/** Payments of operations (2.9): valid ones, and every fault of one. */

import { near } from '../../moves/move.js';
import { type Payment, paymentFaults, RIGHT } from '../../moves/payment.js';
import { mostly, weighted } from '../operation.js';
import type { Player } from '../player.js';

/** How a fee is paid: by whom, how much, and by which transaction. */
interface Paying {
  readonly payer: 'own' | 'parent' | 'other';
  readonly amount: 'right' | 'low' | 'high' | 'over-32-bits';
  readonly tx: 'made' | 'unknown' | 'none' | 'again' | 'near' | 'pending' | 'failed' | 'elsewhere';
}

export const paying = {
  payer: mostly<Paying['payer']>('own', 'parent', 'other'),
  amount: mostly<Paying['amount']>('right', 'low', 'high', 'over-32-bits'),
  tx: weighted<Paying['tx']>('made', 22, ['unknown', 'none', 'again', 'near', 'pending', 'failed', 'elsewhere']),
};

/** Makes a payment for an agent, and returns what is sent as payment_tx. `fee`: unknown where the request names no known item. */
export async function paid(
  player: Player,
  who: number,
  fee: number | undefined,
  { payer, amount, tx }: Paying,
): Promise<string | undefined> {
  const { payments } = player.state;
  const isUsed = (id: string): boolean => payments.get(id)?.usedFor !== null;
  // One of the same amount is refused because it was used, and for no other reason.
  const sameAmount = payments.keys().findLast((each) => isUsed(each) && payments.get(each)?.lamports === fee);
  const again = sameAmount ?? payments.keys().findLast(isUsed) ?? player.draws.hex(32);
  if (tx === 'again') return again;
  if (tx === 'near') return near(again);
  const faults = { ...(amount !== 'right' && paymentFaults[amount]), ...(tx !== 'made' && paymentFaults[tx]) };
  const how: Payment = { ...RIGHT, ...faults };
  if (how.tx === 'none') return undefined;
  if (how.tx === 'unknown') return player.draws.hex(32);
  const to = how.to === 'elsewhere' ? player.wallet().address : undefined;
  return player.pay(payerOf(player, who, payer), (fee ?? 1) + how.excess, how.status, to);
}

function payerOf(player: Player, who: number, payer: Paying['payer']): string {
  const own = player.known(who);
  const parent = own.parent === null ? undefined : player.state.agents.get(own.parent);
  const wallet = payer === 'own' ? own.wallet : payer === 'parent' ? parent?.wallet : undefined;
  // An Ethereum wallet has no lamports on the ledger, so another wallet has to pay.
  return wallet == null || wallet.kind === 'ethereum' ? player.wallet().address : wallet.address;
}
