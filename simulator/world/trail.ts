/**
 * The latest events of a run in a ring buffer, to show what led to a violation. A whole trace is written by an
 * observer instead.
 */

import { EVENT_NAMES, outcomeName } from './operations.js';

const ROOM = 1 << 15;
const WIDTH = 4;

/** The ring buffer: the oldest events are overwritten. */
export interface Trail {
  readonly events: Int32Array;
  readonly lamports: Float64Array;
  count: number;
}

/** A trail without events. */
export function createTrail(): Trail {
  return { events: new Int32Array(ROOM * WIDTH), lamports: new Float64Array(ROOM), count: 0 };
}

/** Adds an event. */
export function addToTrail(
  trail: Trail,
  second: number,
  agent: number,
  what: number,
  outcome: number,
  lamports: number,
): void {
  const slot = trail.count & (ROOM - 1);
  const at = slot * WIDTH;
  const { events } = trail;
  events[at] = second;
  events[at + 1] = agent;
  events[at + 2] = what;
  events[at + 3] = outcome;
  trail.lamports[slot] = lamports;
  trail.count += 1;
}

/** The latest events of an agent that the buffer still holds, at most `most`, the oldest first. */
export function trailOf(trail: Trail, agent: number, most: number): string[] {
  const lines: string[] = [];
  const oldest = Math.max(0, trail.count - ROOM);
  for (let i = trail.count - 1; i >= oldest && lines.length < most; i -= 1) {
    const slot = i & (ROOM - 1);
    const [second, who, what, outcome] = trail.events.subarray(slot * WIDTH, (slot + 1) * WIDTH);
    if (who !== agent) continue;
    const name = EVENT_NAMES[what as number] as string;
    lines.push(`${second} s: ${name} ${outcomeName(outcome as number)}, ${trail.lamports[slot]} lamports`);
  }
  return lines.reverse();
}
