/**
 * Heartbeats of several children, which their sponsor pays with one transaction (D-57). Each is the heartbeat of
 * heartbeat.ts.
 */

import { heartbeatFee } from './fee-resolution.js';
import { billingEpoch, heartbeatTier } from './fees.js';
import { type HeartbeatAccepted, heartbeat, heartbeatsInEpoch } from './heartbeat.js';
import { type NamedPayment, usePayment, validPayment } from './payment.js';
import { type Refusal, refuse } from './refusal.js';
import { currentBeat, type Registry } from './state.js';

interface HeartbeatBatchInput {
  /** The row of the sponsor. */
  readonly agent: number;
  /** The rows of the children, -1 for an unknown hash. */
  readonly children: readonly number[];
  readonly payment: NamedPayment;
}

/** One child's heartbeat, or why there was none. */
type HeartbeatOutcome = HeartbeatAccepted | Refusal;

/**
 * One heartbeat for each child, in the order given. The payment must be the sum of the fees of all, from the caller's own
 * wallet; a child that is refused does not end the others, and if all are refused the payment stays unused.
 */
export function heartbeatBatch(
  registry: Registry,
  { agent, children, payment }: HeartbeatBatchInput,
  nowMs: number,
): { readonly ok: true; readonly outcomes: readonly HeartbeatOutcome[] } | Refusal {
  if (payment === 'missing') return refuse('heartbeat/PAYMENT_REQUIRED');
  const fees = children.map((child) => feeOf(registry, child, nowMs));
  const total = fees.reduce((sum, fee) => sum + fee, 0);
  const paid = validPayment(registry, 'heartbeat', payment, total);
  if ('row' in paid) return paid;
  const wallet = registry.agents.line.wallet(agent);
  if (wallet < 0 || paid.sender !== wallet) return refuse('heartbeat/PAYMENT_SENDER_MISMATCH');
  const outcomes = children.map((child, i) => {
    if (child < 0) return refuse('heartbeat/PAYMENT_SENDER_MISMATCH', 'no agent has this hash');
    const share = { id: null, sender: wallet, lamports: fees[i] as number, counts: true };
    return heartbeat(registry, { agent: child, payment: share }, nowMs);
  });
  if (outcomes.some(({ ok }) => ok)) usePayment(registry, paid);
  return { ok: true, outcomes };
}

/** The fee of a child's next heartbeat; of an unknown child that of a first one. */
function feeOf(registry: Registry, child: number, nowMs: number): number {
  const epoch = billingEpoch(registry.protocol, currentBeat(registry));
  const nth = child < 0 ? 1 : heartbeatsInEpoch(registry, child, epoch) + 1;
  return heartbeatFee(registry, child, heartbeatTier(registry.protocol, nth), nowMs);
}
