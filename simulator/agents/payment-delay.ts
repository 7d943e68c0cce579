import { drawPaymentFate } from '../../scenarios/behaviours/payment-faults.js';
import { PURPOSES } from '../chance/counter-random.js';
import { BEAT, BUY_SIGIL, LATE_BEAT, LATE_SIGIL, SPONSORED_BEAT, WORK } from '../world/due-kinds.js';
import { NONE, REVOKED } from '../world/features.js';
import { ACCEPTED, HEARTBEAT, outcomeOf, PAYMENT_DROPPED, PAYMENT_LATE, RESYNC, SIGIL } from '../world/operations.js';
import type { World } from '../world/world.js';
import { noteEvent, noteRefused } from './calls.js';
import { depart } from './lifecycle.js';
import { plan } from './schedule.js';

const AUTH_MISSING = outcomeOf('AUTH_MISSING');

/** Whether something keeps an agent from what it was about to do: a key that was revoked, or a ledger in trouble. */
export function isHeldUp(world: World, agent: number, kind: number): boolean {
  const { features } = world;
  if (features === null) return false;
  if ((features.marks[agent]! & REVOKED) !== 0) {
    // Section 5, rule 2: whatever it sends is answered with 401, and no other key is to be had (D-15).
    noteRefused(world, agent, operationOf(kind), AUTH_MISSING);
    depart(world, features, agent);
    return true;
  }
  return (kind === BEAT || kind === SPONSORED_BEAT) && isPaymentHeldUp(world, agent, kind);
}

function operationOf(kind: number): number {
  if (kind === WORK) return RESYNC;
  return kind === BUY_SIGIL || kind === LATE_SIGIL ? SIGIL : HEARTBEAT;
}

/** Whether the ledger delays or drops the payment of what an agent was about to do; then that comes later. */
export function isPaymentHeldUp(world: World, agent: number, kind: number): boolean {
  const { features } = world;
  if (features === null || features.payments === NONE) return false;
  const fault = world.scenario.faults[features.payments];
  if (fault?.kind !== 'payments') throw new Error(`fault ${features.payments} is none of payments`);
  const fate = drawPaymentFate(fault.trouble, world.luck.of(agent, PURPOSES.payment));
  if (fate.fate === 'prompt') return false;
  const what = fate.fate === 'late' ? PAYMENT_LATE : PAYMENT_DROPPED;
  features.happened[what]! += 1;
  world.cells.paymentsTroubled[world.agents.cell(agent)]! += 1;
  noteEvent(world, agent, what, ACCEPTED, 0);
  // A dropped payment is made anew, and may be dropped again.
  const late = kind === BUY_SIGIL ? LATE_SIGIL : LATE_BEAT;
  plan(world, agent, world.second + fate.sec, fate.fate === 'late' ? late : kind);
  return true;
}
