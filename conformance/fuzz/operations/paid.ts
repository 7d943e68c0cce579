/** Payments as operations make them (2.9): right ones, and all that can be wrong with one. */

import { mostly, near, oftener } from '../operation.js';
import type { Player } from '../player.js';

/** How a fee is paid: by whom, how much, and by which transaction. */
interface Paying {
  readonly payer: 'own' | 'parent' | 'other';
  readonly amount: 'right' | 'low' | 'high';
  readonly tx: 'made' | 'unknown' | 'none' | 'again' | 'near' | 'pending' | 'failed' | 'elsewhere';
}

export const paying = {
  payer: mostly<Paying['payer']>('own', 'parent', 'other'),
  amount: mostly<Paying['amount']>('right', 'low', 'high'),
  tx: oftener<Paying['tx']>('made', 22, ['unknown', 'none', 'again', 'near', 'pending', 'failed', 'elsewhere']),
};

/** Makes a payment for an agent, and returns what is sent as payment_tx. `fee`: unknown where the request names no known item. */
export async function paid(
  player: Player,
  who: number,
  fee: number | undefined,
  { payer, amount, tx }: Paying,
): Promise<string | undefined> {
  const { payments } = player.state;
  const again = payments.keys().findLast((each) => payments.get(each)?.usedFor !== null) ?? player.draws.hex(32);
  switch (tx) {
    case 'none':
      return undefined;
    case 'unknown':
      return player.draws.hex(32);
    case 'again':
      return again;
    case 'near':
      return near(again);
  }
  const lamports = (fee ?? 1) + { right: 0, low: -1, high: 1 }[amount];
  const status = tx === 'pending' || tx === 'failed' ? tx : 'confirmed';
  return player.pay(
    payerOf(player, who, payer),
    lamports,
    status,
    tx === 'elsewhere' ? player.wallet().address : undefined,
  );
}

function payerOf(player: Player, who: number, payer: Paying['payer']): string {
  const own = player.known(who);
  const parent = own.parent === null ? undefined : player.state.agents.get(own.parent);
  const wallet = payer === 'own' ? own.wallet : payer === 'parent' ? parent?.wallet : undefined;
  // An Ethereum wallet has nothing on the ledger: somebody else would have to pay for it.
  return wallet == null || wallet.kind === 'ethereum' ? player.wallet().address : wallet.address;
}
