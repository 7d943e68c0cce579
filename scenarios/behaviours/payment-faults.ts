import type { Span } from './outage.js';
import { drawSpanSec } from './outage.js';
import type { Luck } from './random-stream.js';

/** What the ledger does to payments while it is in trouble. */
export interface PaymentTrouble {
  /** Share of payments that are confirmed late, and how late. */
  readonly late: number;
  readonly delay: Span;
  /** Share that never arrive. Their money is not taken, and the agent sends another after `retrySec`. */
  readonly dropped: number;
  readonly retrySec: number;
}

export type PaymentFate =
  | { readonly fate: 'prompt' }
  | { readonly fate: 'late'; readonly sec: number }
  | { readonly fate: 'dropped'; readonly sec: number };

const PROMPT: PaymentFate = { fate: 'prompt' };

/** What becomes of a payment: with dropped and late shares of 0.1 and 0.2, a tenth is dropped and a fifth is late. */
export function drawPaymentFate({ late, delay, dropped, retrySec }: PaymentTrouble, luck: Luck): PaymentFate {
  const u = luck.uniform();
  if (u < dropped) return { fate: 'dropped', sec: retrySec };
  if (u < dropped + late) return { fate: 'late', sec: drawSpanSec(delay, luck) };
  return PROMPT;
}
