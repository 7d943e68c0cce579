/**
 * The rules that every payment of a fee has to meet (D-26, D-27). Transactions are found in http/request/payment.ts;
 * who may be the sender is up to each operation.
 */

import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

/** A transfer to the service for the rules: its sender and amount, and whether it counts as a payment. */
export interface Payment {
  /**
   * The signature of the transaction; null for a payment that exists in this call alone and can never be named again.
   */
  readonly id: string | null;
  /** The sender as a number of `registry.wallets`, or -1 for an unknown wallet. */
  readonly sender: number;
  readonly lamports: number;
  /** Confirmed, to the service's own address, and from one sender (D-27). */
  readonly counts: boolean;
}

/** A transaction on another ledger that has not been looked up yet. */
interface PaymentToLookUp {
  readonly lookUp: string;
}

/**
 * The payment that a request names: none, a transaction that does not exist, one that must be looked up, or a known
 * one.
 */
export type NamedPayment = Payment | PaymentToLookUp | 'missing' | 'unknown';

type PaidEndpoint = 'heartbeat' | 'sigil' | 'reissue-proof';

/**
 * D-26: returns the payment if it was found, counts, has the exact amount and is unused; otherwise refuses with
 * PAYMENT_INVALID or PAYMENT_ALREADY_USED. If the payment must be looked up, the refusal says so in `lookUp`.
 */
export function validPayment(
  registry: Registry,
  payer: PaidEndpoint,
  payment: Exclude<NamedPayment, 'missing'>,
  feeLamports: number,
): Payment | Refusal {
  if (payment === 'unknown' || 'lookUp' in payment) {
    const notFound = refuse(`${payer}/PAYMENT_INVALID`, 'the transaction was not found');
    return payment === 'unknown' ? notFound : { ...notFound, lookUp: payment.lookUp };
  }
  if (!payment.counts) {
    return refuse(
      `${payer}/PAYMENT_INVALID`,
      'the transaction is not a confirmed transfer from one sender to the payment address',
    );
  }
  if (payment.lamports !== feeLamports) {
    return refuse(`${payer}/PAYMENT_INVALID`, `the fee is ${feeLamports} lamports and ${payment.lamports} were paid`);
  }
  if (payment.id !== null && registry.usedPayments.has(payment.id)) return refuse(`${payer}/PAYMENT_ALREADY_USED`);
  return payment;
}

/** D-27: marks an accepted payment as used, so that it pays nothing else. */
export function usePayment(registry: Registry, payment: Payment): void {
  if (payment.id !== null) registry.usedPayments.add(payment.id);
}
