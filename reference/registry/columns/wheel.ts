import { append, type ChunkLists, createChunkLists, takeList } from './chunk-lists.js';

/**
 * Deadlines of the DMS: a ring of lists of agents, one for each of the coming anchors. Each running agent stands in exactly
 * one list. A heartbeat does not move it: when its list comes up, the agent is judged by its true deadline and, if that lies
 * ahead, put there. So an anchor costs what is due, not what exists.
 */
export type Wheel = ChunkLists;

/** The most lists: a protocol whose freeze is far off shall not cost memory for every anchor until then. */
const LISTS_MAX = 4_096;

/** A wheel for deadlines at most `missedAnchorsMax + 1` anchors ahead. */
export function createWheel(missedAnchorsMax: number): Wheel {
  return createChunkLists(Math.min(missedAnchorsMax + 2, LISTS_MAX));
}

/**
 * Puts an agent, which stands in no list, on the list of its deadline, an anchor after `now`. A deadline beyond the ring
 * gets the last list before `now` comes round again, and is put further when that is up.
 */
export function schedule(wheel: Wheel, row: number, deadline: number, now: number): void {
  const slots = wheel.heads.length;
  append(wheel, Math.min(deadline, now + slots - 1) % slots, row);
}

/** Takes the whole list of an anchor off the wheel and returns its first chunk, or -1. */
export function takeDue(wheel: Wheel, anchor: number): number {
  return takeList(wheel, anchor % wheel.heads.length);
}
