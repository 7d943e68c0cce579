/** The protocol time that checks wait, from the numbers of the target. Waiting itself is in trial/observed.ts. */
import type { LimitName, Protocol } from '../../spec/protocol.js';
import type { Span } from '../trial/observed.js';

/** How long a check waits in real time, from the numbers of the target. */
type Waits = (protocol: Protocol) => Span;

/** Until an agent that does nothing is frozen, and `more` anchors after that. */
export function untilFrozen(more = 0): Waits {
  return ({ dms }) => ({ anchors: dms.missedAnchorsMax + 1 + more });
}

/** Anchors from one heartbeat of an agent to the next that it may send. */
export function pauseAnchors({ heartbeat, anchor }: Protocol): number {
  return Math.ceil(heartbeat.intervalBeatsMin / anchor.beatsPerAnchor);
}

/** From one heartbeat of an agent to the next, so often. */
export function betweenHeartbeats(times = 1): Waits {
  return (protocol) => ({ anchors: times * pauseAnchors(protocol) });
}

/** Until a rate limit's window is over. */
export function windowOf(limit: LimitName): Waits {
  return ({ limits }) => ({ sec: limits[limit].windowSec });
}
