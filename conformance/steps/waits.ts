/** The protocol time that checks wait, from the numbers of the target. Waiting itself is in trial/observed.ts. */
import type { LimitName, Protocol } from '../../spec/protocol.js';
import type { Span } from '../trial/observed.js';

/** How long a check waits in real time, from the numbers of the target. */
type Waits = (protocol: Protocol) => Span;

/** Until an idle agent is frozen, and `more` anchors after that. */
export function untilFrozen(more = 0): Waits {
  return ({ dms }) => ({ anchors: dms.missedAnchorsMax + 1 + more });
}

/** Anchors from one heartbeat of an agent to the next that it may send. */
export function pauseAnchors({ heartbeat, anchor }: Protocol): number {
  return Math.ceil(heartbeat.intervalBeatsMin / anchor.beatsPerAnchor);
}

/** `times` intervals from one heartbeat of an agent to the next. */
export function betweenHeartbeats(times = 1): Waits {
  return (protocol) => ({ anchors: times * pauseAnchors(protocol) });
}

/** Instants of the next year at which months end and clocks of large zones are changed. */
export function turningPoints(nowMs: number): readonly string[] {
  const days = ['01-31T12:00:00', '02-28T23:59:59', '03-29T01:30:00', '10-25T01:30:00', '12-31T23:59:59'];
  return days.map((day) => `${new Date(nowMs).getUTCFullYear() + 1}-${day}.000Z`);
}

/** Spans in hours, some of which include a change of summer time, whenever they begin. */
export const HOURS_OF_SEASONS = [4_000, 6_000] as const;

/** Until a rate limit's window is over. */
export function windowOf(limit: LimitName): Waits {
  return ({ limits }) => ({ sec: limits[limit].windowSec });
}
