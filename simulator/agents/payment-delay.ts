import { drawPaymentOutcome } from '../../scenarios/behaviours/payment-faults.js';
import { PURPOSES } from '../chance/counter-random.js';
import {
  DUE_HEARTBEAT,
  DUE_LATE_HEARTBEAT,
  DUE_LATE_SIGIL,
  DUE_RESYNC,
  DUE_SIGIL,
  DUE_SPONSORED_HEARTBEAT,
} from '../world/due-kinds.js';
import { NONE, REVOKED } from '../world/features.js';
import { ACCEPTED, HEARTBEAT, outcomeOf, PAYMENT_DROPPED, PAYMENT_LATE, RESYNC, SIGIL } from '../world/operations.js';
import type { World } from '../world/world.js';
import { recordEvent, recordRefusal } from './calls.js';
import { depart } from './lifecycle.js';
import { scheduleAt } from './schedule.js';

const AUTH_MISSING = outcomeOf('AUTH_MISSING');

/** Whether something keeps an agent from what it was about to do: a key that was revoked, or a ledger in trouble. */
export function isPrevented(world: World, agent: number, kind: number): boolean {
  const { features } = world;
  if (features === null) return false;
  if ((features.marks[agent]! & REVOKED) !== 0) {
    // Section 5, rule 2: whatever it sends is answered with 401, and no other key is to be had (D-15).
    recordRefusal(world, agent, operationOf(kind), AUTH_MISSING);
    depart(world, features, agent);
    return true;
  }
  return (kind === DUE_HEARTBEAT || kind === DUE_SPONSORED_HEARTBEAT) && isPaymentDelayed(world, agent, kind);
}

function operationOf(kind: number): number {
  if (kind === DUE_RESYNC) return RESYNC;
  return kind === DUE_SIGIL || kind === DUE_LATE_SIGIL ? SIGIL : HEARTBEAT;
}

/** Whether the ledger delays or drops the payment of what an agent was about to do; then that comes later. */
export function isPaymentDelayed(world: World, agent: number, kind: number): boolean {
  const { features } = world;
  if (features === null || features.paymentFault === NONE) return false;
  const fault = world.scenario.faults[features.paymentFault];
  if (fault?.kind !== 'payments') throw new Error(`fault ${features.paymentFault} is none of payments`);
  const fate = drawPaymentOutcome(fault.trouble, world.streams.of(agent, PURPOSES.payment));
  if (fate.fate === 'prompt') return false;
  const what = fate.fate === 'late' ? PAYMENT_LATE : PAYMENT_DROPPED;
  features.eventCounts[what]! += 1;
  world.cells.paymentsTroubled[world.agents.cell(agent)]! += 1;
  recordEvent(world, agent, what, ACCEPTED, 0);
  // A dropped payment is made anew, and may be dropped again.
  const late = kind === DUE_SIGIL ? DUE_LATE_SIGIL : DUE_LATE_HEARTBEAT;
  scheduleAt(world, agent, world.second + fate.sec, fate.fate === 'late' ? late : kind);
  return true;
}
