/**
 * The payment of a resync, which the text does not have: `resync.feeLamports` of an overlay, and the deposit of an agent with a SIGIL. It is
 * refused like that of a reissue of the passport, except that anyone may pay it, and its fee is booked as one.
 */

import { depositWithResync, postDeposit } from './deposit.js';
import { bookFee } from './fee-book.js';
import { type NamedPayment, type Payment, usePayment, validPayment } from './payment.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

/** The parts of a payment of a resync: 0 without those of an overlay. */
export interface ResyncPaid {
  readonly feeLamports: number;
  readonly depositLamports: number;
}

/** The price of a resync of an agent, in lamports. */
export function resyncLamports(registry: Registry, agent: number): number {
  return registry.protocol.resync.feeLamports + depositWithResync(registry, agent);
}

/** The payment of a resync: null if it costs nothing, or a refusal by a row of reissue-proof. It is not used up yet. */
export function resyncPayment(
  registry: Registry,
  agent: number,
  payment: NamedPayment = 'missing',
): Payment | Refusal | null {
  const lamports = resyncLamports(registry, agent);
  if (lamports === 0) return null;
  if (payment === 'missing') return refuse('reissue-proof/PAYMENT_REQUIRED');
  return validPayment(registry, 'reissue-proof', payment, lamports);
}

/** Uses up and books the payment of a resync that is accepted. */
export function takeResyncPayment(
  registry: Registry,
  agent: number,
  payment: Payment | null,
  nowMs: number,
): ResyncPaid {
  if (payment === null) return { feeLamports: 0, depositLamports: 0 };
  const { feeLamports } = registry.protocol.resync;
  const depositLamports = payment.lamports - feeLamports;
  usePayment(registry, payment);
  if (feeLamports > 0) bookFee(registry.feeBook, 'reissuance', feeLamports, nowMs);
  postDeposit(registry, agent, depositLamports);
  return { feeLamports, depositLamports };
}
