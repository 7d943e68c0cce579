/** Resync in the receipt form, and the penalty of both forms (4.10). The challenge form is in resync-challenge.ts. */

import { penaltyFormula } from '../../spec/formula/formulas.js';
import { unfreeze } from './dead-man-switch.js';
import type { NamedPayment } from './payment.js';
import { takeReceipt, tooFewBeats } from './receipt-use.js';
import { type Refusal, refuse } from './refusal.js';
import { type ResyncPaid, resyncPayment, takeResyncPayment } from './resync-payment.js';
import { FROZEN, missedAnchors, type Registry } from './state.js';

/** The result of an accepted resync. */
interface ResyncAccepted extends ResyncPaid {
  readonly ok: true;
  readonly gapAnchors: number;
  readonly requiredBeats: number;
  readonly beatsProven: number;
  readonly receiptBased: boolean;
}

/** 4.10: the penalty for missed anchors, in beats: 100 for each, at most 10,000, or by the formula of an overlay. */
export function penaltyBeats(registry: Registry, gapAnchors: number): number {
  const formula = penaltyFormula(registry.protocol);
  if (formula !== undefined) return formula(gapAnchors);
  const { beatsPerMissedAnchor, beatsMax } = registry.protocol.resync;
  return Math.min(beatsPerMissedAnchor * gapAnchors, beatsMax);
}

export interface ResyncInput {
  readonly agent: number;
  /** As sent, in either form of D-09. */
  readonly receipt?: unknown;
  /** Beats on which a simulated agent has spent protocol time, in place of a receipt. Never set from the wire. */
  readonly simulatedBeats?: number;
  /** The payment of the fee and the deposit, where an overlay has them. */
  readonly payment?: NamedPayment;
}

/**
 * 4.10, receipt form: reactivates a frozen agent that proves the penalty. With BEATS_REQUIRED off, an empty body
 * reactivates freely (D-35). The gap is counted when the receipt arrives.
 */
export function resync(registry: Registry, input: ResyncInput, nowMs: number): ResyncAccepted | Refusal {
  const { agent, receipt, simulatedBeats } = input;
  if (registry.agents.line.status(agent) !== FROZEN) return refuse('resync/AGENT_WRONG_STATE');
  const gapAnchors = missedAnchors(registry, agent);
  const requiredBeats = penaltyBeats(registry, gapAnchors);
  const receiptBased = receipt !== undefined || simulatedBeats !== undefined;
  if (!receiptBased && registry.policy.beatsRequired) {
    return refuse('resync/RECEIPT_REQUIRED', undefined, { required_beats: requiredBeats, gap_anchors: gapAnchors });
  }
  const paid = resyncPayment(registry, agent, input.payment);
  if (paid !== null && 'row' in paid) return paid;
  let beatsProven = 0;
  if (simulatedBeats !== undefined) {
    const enough = simulatedBeats >= requiredBeats;
    if (!enough) return refuse('resync/INVALID_RECEIPT', tooFewBeats(simulatedBeats, requiredBeats));
    beatsProven = simulatedBeats;
  } else if (receiptBased) {
    const taken = takeReceipt(registry, receipt, requiredBeats);
    if (!taken.ok) return refuse('resync/INVALID_RECEIPT', taken.why);
    beatsProven = taken.beats;
  }
  const paidFor = takeResyncPayment(registry, agent, paid, nowMs);
  unfreeze(registry, agent, { gapAnchors, beatsProven }, nowMs);
  return { ok: true, gapAnchors, requiredBeats, beatsProven, receiptBased, ...paidFor };
}
