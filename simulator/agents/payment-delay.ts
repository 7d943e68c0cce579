/** Revoked keys and payment faults, which prevent or delay a call that is due. Lack of money is in funds.ts. */

import { drawPaymentOutcome } from '../../scenarios/behaviours/payment-faults.js';
import type { RandomStream } from '../../scenarios/behaviours/random-stream.js';
import { CountedStream } from '../chance/counted-stream.js';
import { namedPurpose } from '../chance/counter-random.js';
import {
  DUE_HEARTBEAT,
  DUE_LATE_HEARTBEAT,
  DUE_LATE_SIGIL,
  DUE_RESYNC,
  DUE_SIGIL,
  DUE_SPONSORED_HEARTBEAT,
} from '../world/due-kinds.js';
import { type Features, NONE, REVOKED } from '../world/features.js';
import { ACCEPTED, HEARTBEAT, outcomeOf, PAYMENT_DROPPED, PAYMENT_LATE, RESYNC, SIGIL } from '../world/operations.js';
import type { World } from '../world/world.js';
import { recordEvent, recordRefusal } from './calls.js';
import { depart } from './lifecycle.js';
import { scheduleAt } from './schedule.js';

const AUTH_MISSING = outcomeOf('AUTH_MISSING');

/** Whether a revoked key or a payment fault prevents the call that is due. The reaction is scheduled then. */
export function isPrevented(world: World, agent: number, kind: number): boolean {
  const { features } = world;
  if (features === null) return false;
  if ((features.marks[agent]! & REVOKED) !== 0) {
    // Section 5, rule 2: every call gets 401, and the agent cannot get another key (D-15).
    world.subject = agent;
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

/** Whether a payment fault delays or drops the payment of the call that is due; the call is rescheduled then. */
export function isPaymentDelayed(world: World, agent: number, kind: number): boolean {
  const { features } = world;
  if (features === null || features.paymentFault === NONE) return false;
  const fault = world.scenario.faults[features.paymentFault];
  if (fault?.kind !== 'payments') throw new Error(`fault ${features.paymentFault} is not a payment fault`);
  const payment = drawPaymentOutcome(fault.rates, paymentStream(world, features, agent, fault.name));
  if (payment.outcome === 'prompt') return false;
  const what = payment.outcome === 'late' ? PAYMENT_LATE : PAYMENT_DROPPED;
  features.eventCounts[what]! += 1;
  features.faultEffects[features.paymentFault]! += 1;
  world.cells.paymentsTroubled[world.agents.cell(agent)]! += 1;
  recordEvent(world, agent, what, ACCEPTED, 0);
  // A dropped payment is sent again, and may be dropped again.
  const late = kind === DUE_SIGIL ? DUE_LATE_SIGIL : DUE_LATE_HEARTBEAT;
  scheduleAt(world, agent, world.second + payment.sec, payment.outcome === 'late' ? late : kind);
  return true;
}

/** The stream of an agent's payments under the current payment fault. */
function paymentStream(world: World, features: Features, agent: number, name: string): RandomStream {
  const { faults } = world.scenario;
  const before = faults.slice(0, features.paymentFault).filter(({ kind }) => kind === 'payments').length;
  const at = before * world.agents.size + agent;
  return new CountedStream(world.streams.keyOf(agent), namedPurpose('fault', name), features.paymentDraws, at);
}
