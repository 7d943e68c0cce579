/**
 * Brings a server's protocol time up to its clock. The rules for anchors and for freezing are in service.ts and
 * registry/dead-man-switch.ts.
 */

import { catchUp } from '../../service.js';
import { writeLatestAnchor } from './anchor-memos.js';
import type { Host } from './host.js';

/** The journal's name for the time that a running clock has reached. */
export const TICK = 'clock:tick';

/**
 * Issues every anchor that is due by now, and returns the current time. A reply may show these anchors, and agents that
 * they froze, and both must be the same after a restart: so the time is journaled before any reply is sent.
 */
export function advanceToNow(host: Host): number {
  const { service, clock } = host;
  const nowMs = clock.nowMs();
  const { nextAnchorMs } = service;
  catchUp(service, nowMs);
  if (service.nextAnchorMs !== nextAnchorMs) recordTime(host, nowMs);
  writeLatestAnchor(host);
  return nowMs;
}

/**
 * Journals the time that the clock has reached. A manual clock needs no record: the calls that move it are journaled.
 */
export function recordTime({ service, clock, keeper }: Host, nowMs: number): void {
  if (clock.advance !== undefined) return;
  // A replay issues the anchors that are due at a recorded time: without them the state would not be the one that it finds.
  catchUp(service, nowMs);
  keeper?.record({ at: nowMs, name: TICK, agent: -1, body: null, given: {} });
}
