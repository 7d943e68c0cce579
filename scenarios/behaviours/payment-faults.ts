/** The outcome of a payment while the ledger has a payment fault. The times of faults are in ../disturbance.ts. */

import type { DurationDistribution } from './duration.js';
import { drawDurationSec } from './duration.js';
import type { RandomStream } from './random-stream.js';

/** How late a late payment is, and when a dropped one is sent again, where a scenario does not say. */
export const PAYMENT_DELAY_SEC = 600;
export const PAYMENT_RETRY_SEC = 120;

/** The shares of payments that a fault delays and drops. */
export interface PaymentFaultRates {
  /** The share that is confirmed late, and the delay. */
  readonly late: number;
  readonly delay: DurationDistribution;
  /** The share that never arrives. Its money stays in the wallet, and the agent pays again after `retrySec`. */
  readonly dropped: number;
  readonly retrySec: number;
}

/** The outcome of a payment; `sec`: until it is confirmed, or until the agent pays again. */
type PaymentOutcome =
  | { readonly outcome: 'prompt' }
  | { readonly outcome: 'late'; readonly sec: number }
  | { readonly outcome: 'dropped'; readonly sec: number };

const PROMPT: PaymentOutcome = { outcome: 'prompt' };

/** Draws the outcome of one payment. */
export function drawPaymentOutcome(
  { late, delay, dropped, retrySec }: PaymentFaultRates,
  random: RandomStream,
): PaymentOutcome {
  const u = random.uniform();
  if (u < dropped) return { outcome: 'dropped', sec: retrySec };
  if (u < dropped + late) return { outcome: 'late', sec: drawDurationSec(delay, random) };
  return PROMPT;
}
