/** Payments of a fee (2.9), valid or with one fault, as plain data. Trial and player make the transactions. */

/** How a fee is paid. */
export interface Payment {
  /** The transaction that the request names: one that is made, none, or an unknown one. */
  readonly tx: 'made' | 'none' | 'unknown';
  /** The paying wallet: that of the agent, or of another. */
  readonly from: 'own' | 'stranger';
  /** Lamports more than the fee. */
  readonly excess: number;
  /** The account that is paid: that of the service, or another. */
  readonly to: 'service' | 'elsewhere';
  readonly status: 'confirmed' | 'pending' | 'failed';
}

/** A valid payment. */
export const RIGHT: Payment = { tx: 'made', from: 'own', excess: 0, to: 'service', status: 'confirmed' };

/** One more than 32 bits can hold. */
const OVER_32_BITS = 2 ** 32;

/** Faults of a payment, by name. */
export const paymentFaults = {
  none: { tx: 'none' },
  unknown: { tx: 'unknown' },
  low: { excess: -1 },
  high: { excess: 1 },
  elsewhere: { to: 'elsewhere' },
  stranger: { from: 'stranger' },
  failed: { status: 'failed' },
  pending: { status: 'pending' },
  // Cut to 32 bits, the amount is the fee.
  'over-32-bits': { excess: OVER_32_BITS },
} as const satisfies Readonly<Record<string, Partial<Payment>>>;
