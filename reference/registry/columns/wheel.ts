/**
 * The timing wheel of freeze deadlines: a list of agents for each of the coming anchors. dead-man-switch.ts decides
 * which of them freeze.
 */

import { append, type ChunkLists, createChunkLists, takeList } from './chunk-lists.js';

/**
 * A ring of lists, one for each of the coming anchors. Each active agent is on exactly one list. A heartbeat does not
 * move it: when its list is due, the agent's true deadline is checked, and an agent whose deadline is later is put on
 * that list. So the cost of an anchor depends on the agents that are due, not on all.
 */
export type Wheel = ChunkLists;

/** The most lists, so that a protocol with a distant deadline does not take memory for every anchor until then. */
const LISTS_MAX = 4_096;

/** Makes a wheel for deadlines at most `missedAnchorsMax + 1` anchors ahead. */
export function createWheel(missedAnchorsMax: number): Wheel {
  return createChunkLists(Math.min(missedAnchorsMax + 2, LISTS_MAX));
}

/**
 * Puts an agent that is on no list on the list of its deadline, an anchor after `nowAnchor`. A deadline beyond the ring gets
 * the last list before `nowAnchor`, and is moved on when that is due.
 */
export function schedule(wheel: Wheel, row: number, deadlineAnchor: number, nowAnchor: number): void {
  const slots = wheel.heads.length;
  append(wheel, Math.min(deadlineAnchor, nowAnchor + slots - 1) % slots, row);
}

/** Takes the list of an anchor off the wheel, and returns its first chunk, or -1. */
export function takeDue(wheel: Wheel, anchor: number): number {
  return takeList(wheel, anchor % wheel.heads.length);
}
