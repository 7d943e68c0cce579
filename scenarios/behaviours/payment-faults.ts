import type { DurationDistribution } from './outage.js';
import { drawDurationSec } from './outage.js';
import type { RandomStream } from './random-stream.js';

/** What the ledger does to payments while it is in trouble. */
export interface PaymentFaultRates {
  /** Share of payments that are confirmed late, and how late. */
  readonly late: number;
  readonly delay: DurationDistribution;
  /** Share that never arrive. Their money is not taken, and the agent sends another after `retrySec`. */
  readonly dropped: number;
  readonly retrySec: number;
}

export type PaymentOutcome =
  | { readonly fate: 'prompt' }
  | { readonly fate: 'late'; readonly sec: number }
  | { readonly fate: 'dropped'; readonly sec: number };

const PROMPT: PaymentOutcome = { fate: 'prompt' };

/** What becomes of a payment: with dropped and late shares of 0.1 and 0.2, a tenth is dropped and a fifth is late. */
export function drawPaymentOutcome(
  { late, delay, dropped, retrySec }: PaymentFaultRates,
  random: RandomStream,
): PaymentOutcome {
  const u = random.uniform();
  if (u < dropped) return { fate: 'dropped', sec: retrySec };
  if (u < dropped + late) return { fate: 'late', sec: drawDurationSec(delay, random) };
  return PROMPT;
}
