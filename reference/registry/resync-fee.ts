/**
 * The fee of a resync, which the text does not have: `resync.feeLamports` of an overlay. It is paid, refused and booked like the reissue of a
 * passport, except that anyone may pay it.
 */

import { bookFee } from './fee-book.js';
import { type NamedPayment, type Payment, usePayment, validPayment } from './payment.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

/** The payment of a resync: null if it costs nothing, or a refusal by a row of reissue-proof. It is not used up yet. */
export function resyncPayment(registry: Registry, payment: NamedPayment = 'missing'): Payment | Refusal | null {
  const { feeLamports } = registry.protocol.resync;
  if (feeLamports === 0) return null;
  if (payment === 'missing') return refuse('reissue-proof/PAYMENT_REQUIRED');
  return validPayment(registry, 'reissue-proof', payment, feeLamports);
}

/** Uses up and books the payment of a resync that is accepted. Returns its lamports. */
export function takeResyncFee(registry: Registry, payment: Payment | null, nowMs: number): number {
  if (payment === null) return 0;
  usePayment(registry, payment);
  bookFee(registry.feeBook, 'reissuance', payment.lamports, nowMs);
  return payment.lamports;
}
