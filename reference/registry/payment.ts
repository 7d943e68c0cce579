import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

/** A transfer to the service as the rules see it: who paid how much, and whether it counts as a payment at all. */
export interface Payment {
  /** The transaction's signature; null for a payment that exists in this call alone and can never be named again. */
  readonly id: string | null;
  /** The sender as a number of `registry.wallets`, or -1 for a stranger. */
  readonly sender: number;
  readonly lamports: number;
  /** Confirmed, to the service's own address, and from one sender (D-27). */
  readonly counts: boolean;
}

/** What a request said about its payment: nothing, a transaction that does not exist, or one that does. */
export type NamedPayment = Payment | 'missing' | 'unknown';

type Payer = 'heartbeat' | 'sigil' | 'reissue-proof';

/** D-26: found, to us, of the exact amount, and not used before. Answers null when all of it holds. */
export function refusePayment(
  registry: Registry,
  payer: Payer,
  payment: Payment | 'unknown',
  feeLamports: number,
): Refusal | null {
  if (payment === 'unknown') return refuse(`${payer}/PAYMENT_INVALID`, 'the transaction was not found');
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
  return null;
}

/** D-27: marks an accepted payment, so that it pays nothing else. */
export function usePayment(registry: Registry, payment: Payment): void {
  if (payment.id !== null) registry.usedPayments.add(payment.id);
}
