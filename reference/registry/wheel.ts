/**
 * Deadlines of the DMS: a ring of lists, one for each of the coming anchors, linked through a column of the agents.
 * Each running agent stands in exactly one list. A heartbeat does not move it: when its list comes up, the agent is
 * judged by its true deadline and, if that lies ahead, put there. So an anchor costs what is due, not what exists.
 */
export interface Wheel {
  /** First agent of each list, or -1. */
  readonly heads: Int32Array;
}

/** The most lists: a protocol whose freeze is far off shall not cost memory for every anchor until then. */
const LISTS_MAX = 4_096;

/** A wheel for deadlines at most `missedAnchorsMax + 1` anchors ahead. */
export function createWheel(missedAnchorsMax: number): Wheel {
  return { heads: new Int32Array(Math.min(missedAnchorsMax + 2, LISTS_MAX)).fill(-1) };
}

/**
 * Puts an agent, which stands in no list, on the list of its deadline, an anchor after `now`. A deadline beyond the ring
 * gets the last list before `now` comes round again, and is put further when that is up.
 */
export function schedule(wheel: Wheel, next: Int32Array, row: number, deadline: number, now: number): void {
  const slot = Math.min(deadline, now + wheel.heads.length - 1) % wheel.heads.length;
  next[row] = wheel.heads[slot]!;
  wheel.heads[slot] = row;
}

/** Takes the whole list of an anchor off the wheel and returns its first agent, or -1. */
export function takeDue(wheel: Wheel, anchor: number): number {
  const slot = anchor % wheel.heads.length;
  const first = wheel.heads[slot]!;
  wheel.heads[slot] = -1;
  return first;
}
