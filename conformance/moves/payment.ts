/** Payments of a fee (2.9): right ones, and each with one fault, as plain data. Trial and player make the transactions. */

/** How a fee is paid. */
export interface Payment {
  /** The transaction that is named: one that is made, none, or one that nobody knows. */
  readonly tx: 'made' | 'none' | 'unknown';
  /** Whose wallet pays: that of the agent, or of somebody else. */
  readonly from: 'own' | 'stranger';
  /** Lamports more than the fee. */
  readonly excess: number;
  /** The account that is paid: that of the service, or another. */
  readonly to: 'service' | 'elsewhere';
  readonly status: 'confirmed' | 'pending' | 'failed';
}

/** A payment that is right. */
export const RIGHT: Payment = { tx: 'made', from: 'own', excess: 0, to: 'service', status: 'confirmed' };

/** One more than 32 bits hold. */
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
  // In 32 bits it is the fee.
  'over-32-bits': { excess: OVER_32_BITS },
} as const satisfies Readonly<Record<string, Partial<Payment>>>;
