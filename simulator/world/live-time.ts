/**
 * The time of agents that are neither frozen nor departed, and turns of a sum that they share. A population that shares an income has a clock
 * that runs at 1 / (its agents that are live) of the usual speed, so the turns of an agent are its part of the sum times a day.
 */

import { type Cells, isSharing } from './cells.js';

/** Counts that an agent of a cell begins (1) or ends (-1) such a time. */
export function countLive(cells: Cells, cell: number, change: 1 | -1, second: number): void {
  const index = cells.indices[cell]!;
  if (isSharing(cells, index)) cells.turns[cell]! -= change * advance(cells, index, second);
  cells.livePresent[cell]! += change;
  cells.livePresentSec[cell]! -= change * second;
}

/** The turns of the agents of a cell until a second. */
export function turnsOf(cells: Cells, cell: number, second: number): number {
  return cells.turns[cell]! + cells.livePresent[cell]! * turnClock(cells, cells.indices[cell]!, second);
}

/** The clock of a population that shares an income; it has to have been advanced when an agent last began or ended. */
export function turnClock(cells: Cells, index: number, second: number): number {
  const at = cells.firstCells[index]!;
  const live = liveIn(cells, index);
  return cells.turnClock[at]! + (live === 0 ? 0 : (second - cells.turnClockSec[at]!) / live);
}

function advance(cells: Cells, index: number, second: number): number {
  const at = cells.firstCells[index]!;
  const now = turnClock(cells, index, second);
  cells.turnClock[at] = now;
  cells.turnClockSec[at] = second;
  return now;
}

function liveIn({ indices, livePresent }: Cells, index: number): number {
  let live = 0;
  for (let cell = 0; cell < indices.length; cell += 1) if (indices[cell] === index) live += livePresent[cell]!;
  return live;
}
