/** Pays for resyncs where a change gives them a fee: from a wallet of its own, since anyone may pay. The text has no such fee. */

import type { Move } from '../moves/move.js';
import type { Trial } from './trial.js';

/** A move with its payment: a resync by receipt or by proof under a protocol with a fee. Any other move is returned as it is. */
export async function withResyncFee(t: Trial, move: Move): Promise<Move> {
  const { feeLamports } = t.protocol.resync;
  if (feeLamports === 0 || move.endpoint !== 'resync') return move;
  const body = (move.body ?? {}) as Readonly<Record<string, unknown>>;
  if (body['action'] === 'challenge' || 'payment_tx' in body) return move;
  const from = t.wallet();
  await t.fund(from, 2 * feeLamports);
  return { ...move, body: { ...body, payment_tx: await t.pay({ from, lamports: feeLamports }) } };
}
