import { catchUp } from '../../service.js';
import type { Host } from './host.js';

/** The name of the command that records how far a clock that runs by itself has come. */
export const TICK = 'clock:tick';

/**
 * Issues every anchor that is due by now, and returns the moment. A reply may show the anchors and the agents that they
 * froze, and both must hold after a restart: they are journaled before any reply leaves.
 */
export function advanceToNow(host: Host): number {
  const { service, clock } = host;
  const nowMs = clock.nowMs();
  const { nextAnchorMs } = service;
  catchUp(service, nowMs);
  if (service.nextAnchorMs !== nextAnchorMs) recordTime(host, nowMs);
  return nowMs;
}

/** Journals how far the clock has come. A manual clock needs no record: the calls that move it are journaled themselves. */
export function recordTime({ clock, record }: Host, nowMs: number): void {
  if (clock.advance === undefined) record?.({ at: nowMs, name: TICK, agent: -1, body: null, given: {} });
}
