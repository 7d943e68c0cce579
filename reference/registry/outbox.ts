/**
 * The outbox of partner events: what is written to it, when a delivery is due, and what its result leads to (section 6,
 * D-37). The HTTP requests are made by http/request/dispatch.ts.
 */

import { isoOf } from '../../spec/formats.js';
import type { PartnerEvent } from '../../spec/vocabulary.js';
import type { Delivery } from './columns/records.js';
import { nextUuid } from './columns/stream.js';
import { hashOf, type Registry } from './state.js';

/** The lane of a delivery: its partner and agent. */
export function laneOf({ partner, agent }: Pick<Delivery, 'partner' | 'agent'>): string {
  return `${partner}:${agent}`;
}

/**
 * 6: writes an event of an agent to the outbox, if its partner has subscribed to it. Does nothing for an agent without
 * a partner.
 */
export function emit(
  registry: Registry,
  event: PartnerEvent,
  agent: number,
  nowMs: number,
  data: Readonly<Record<string, string | number | null>>,
): void {
  const partner = registry.agents.line.partner(agent);
  const found = registry.partners[partner];
  if (found === undefined || found.suspended || !found.webhook?.events.includes(event)) return;
  if (registry.protocol.parts?.events?.[event] === false) return;
  const id = nextUuid(registry.stream);
  const body = JSON.stringify({ id, event, agent_hash: hashOf(registry, agent), occurred_at: isoOf(nowMs), data });
  const delivery: Delivery = { id, partner, agent, event, body, failures: 0, dueAtMs: nowMs };
  const lane = registry.outbox.lanes.get(laneOf(delivery));
  if (lane === undefined) registry.outbox.lanes.set(laneOf(delivery), [delivery]);
  else lane.push(delivery);
  registry.outbox.emitted += 1;
}

/** The first delivery of each lane that is due. */
export function dueDeliveries(registry: Registry, nowMs: number): readonly Delivery[] {
  const due: Delivery[] = [];
  for (const [first] of registry.outbox.lanes.values()) {
    if (first !== undefined && first.dueAtMs <= nowMs) due.push(first);
  }
  return due;
}

/** When the next delivery is due, Unix ms; undefined if none waits. */
export function nextDueMs(registry: Registry): number | undefined {
  let earliest: number | undefined;
  for (const [first] of registry.outbox.lanes.values()) {
    if (first !== undefined && (earliest === undefined || first.dueAtMs < earliest)) earliest = first.dueAtMs;
  }
  return earliest;
}

/** Deliveries that failed to the last and are kept; of more, the oldest is given up. */
const DEAD_MAX = 10_000;

/**
 * Applies the result of an attempt at the first delivery of a lane. A success removes it; a failure is tried again on the schedule of D-37, and
 * after the last try it is given up. Returns false if the delivery has been dropped meanwhile.
 */
export function settleDelivery(
  registry: Registry,
  { lane, id, delivered }: { readonly lane: string; readonly id: string; readonly delivered: boolean },
  nowMs: number,
): boolean {
  const { lanes, dead } = registry.outbox;
  const waiting = lanes.get(lane);
  const first = waiting?.[0];
  if (waiting === undefined || first === undefined || first.id !== id) return false;
  if (!delivered) {
    first.failures += 1;
    const { retry1Sec, retry2Sec, retry3Sec, retry4Sec, retry5Sec } = registry.protocol.webhook;
    const waitSec = [retry1Sec, retry2Sec, retry3Sec, retry4Sec, retry5Sec][first.failures - 1];
    if (waitSec !== undefined) {
      first.dueAtMs = nowMs + waitSec * 1_000;
      return true;
    }
    dead.push(first);
    if (dead.length > DEAD_MAX) dead.shift();
  }
  waiting.shift();
  if (waiting.length === 0) lanes.delete(lane);
  return true;
}

/** Drops every delivery that waits for a partner. */
export function dropDeliveries(registry: Registry, partner: number): void {
  for (const [lane, [first]] of registry.outbox.lanes) {
    if (first?.partner === partner) registry.outbox.lanes.delete(lane);
  }
}
