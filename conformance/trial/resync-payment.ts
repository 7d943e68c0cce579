/** Pays for resyncs where a change gives them a price: from a wallet of its own, since anyone may pay. The text has no such price. */

import { resyncPrice } from '../../model/operations/resync.js';
import type { Move } from '../moves/move.js';
import type { Trial } from './trial.js';

/** A move with its payment: a resync by receipt or by proof of an agent for which it has a price. Any other move is returned as it is. */
export async function withResyncPayment(t: Trial, move: Move): Promise<Move> {
  if (move.endpoint !== 'resync') return move;
  const body = (move.body ?? {}) as Readonly<Record<string, unknown>>;
  if (body['action'] === 'challenge' || 'payment_tx' in body) return move;
  const lamports = priceFor(t, move);
  if (lamports === 0) return move;
  const from = t.wallet();
  await t.fund(from, 2 * lamports);
  return { ...move, body: { ...body, payment_tx: await t.pay({ from, lamports }) } };
}

/** The price for the agent of the key, as the model knows it. */
function priceFor({ protocol, session: { model } }: Trial, { key = '' }: Move): number {
  const { feeLamports } = protocol.resync;
  if (protocol.deposit.lamports === 0 || model === undefined) return feeLamports;
  const agent = model.agents.find(model.keys.find(key)?.hash ?? '');
  return agent === undefined ? feeLamports : resyncPrice(model, agent);
}
