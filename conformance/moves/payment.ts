/** Payments of a fee (2.9) as plain data, valid or with one fault. trial/ makes the transactions. */

/** The properties of a payment. */
export interface Payment {
  /** The transaction in the request: a made one, none, or an unknown one. */
  readonly tx: 'made' | 'none' | 'unknown';
  /** The paying wallet: of the agent, or of another agent. */
  readonly from: 'own' | 'stranger';
  /** The paid lamports less the fee. */
  readonly excess: number;
  /** The paid account: of the service, or another. */
  readonly to: 'service' | 'elsewhere';
  readonly status: 'confirmed' | 'pending' | 'failed';
}

/** A valid payment. */
export const RIGHT: Payment = { tx: 'made', from: 'own', excess: 0, to: 'service', status: 'confirmed' };

/** The smallest number that does not fit into 32 bits. */
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
  // The amount equals the fee in its low 32 bits.
  'over-32-bits': { excess: OVER_32_BITS },
} as const satisfies Readonly<Record<string, Partial<Payment>>>;
