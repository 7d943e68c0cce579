/** Time, income, work and profit of the agents of some cells, from their counters. Measures and payoffs of options are made of these. */

import { DAY_SEC } from '../../spec/time.js';
import { turnsOf } from './live-time.js';
import type { World } from './world.js';

const GIGA = 1e9;

/** The counters, and the second until which they have counted. */
type Counted = Pick<World, 'cells' | 'second'>;

/** The sum of a counter over some cells. */
export function sumOf(column: Float64Array, cells: readonly number[]): number {
  let sum = 0;
  for (const cell of cells) sum += column[cell]!;
  return sum;
}

/** Agent-seconds until departure. */
export function presentSec({ cells, second }: Counted, of: readonly number[]): number {
  const present = sumOf(cells.registered, of) - sumOf(cells.left, of);
  return sumOf(cells.presentSec, of) + present * second;
}

/** Those of them not frozen. */
export function livePresentSec({ cells, second }: Counted, of: readonly number[]): number {
  return sumOf(cells.livePresentSec, of) + sumOf(cells.livePresent, of) * second;
}

/** Income outside the ledger: each cell at the rates of its agents. Agents that have departed earn nothing, frozen or not. */
export function incomeLamports({ cells, second }: Counted, of: readonly number[]): number {
  return of.reduce((sum, cell) => {
    const { liveDayLamports, heartbeatLamports, sharedDayLamports } = cells.populations[cell]!.economics;
    const liveSec = cells.livePresentSec[cell]! + cells.livePresent[cell]! * second;
    const own = (liveSec * liveDayLamports) / DAY_SEC + cells.heartbeats[cell]! * heartbeatLamports;
    if (sharedDayLamports === undefined) return sum + own;
    return sum + own + (turnsOf(cells, cell, second) * sharedDayLamports) / DAY_SEC;
  }, 0);
}

function workLamports({ cells }: Counted, of: readonly number[]): number {
  return of.reduce((sum, cell) => {
    const { gigahashLamports } = cells.populations[cell]!.economics;
    return sum + hashesLamports(cells.hashes[cell]!, gigahashLamports);
  }, 0);
}

/** Income less fees, forfeited deposits and work. */
export function profitLamports(counted: Counted, of: readonly number[]): number {
  const { feesLamports, depositsForfeited } = counted.cells;
  return (
    incomeLamports(counted, of) - sumOf(feesLamports, of) - sumOf(depositsForfeited, of) - workLamports(counted, of)
  );
}

/** Profit without SIGILs, which cost the same whatever agents choose: the payoff by which they choose. */
export function payoffLamports(counted: Counted, of: readonly number[]): number {
  return profitLamports(counted, of) + sumOf(counted.cells.sigilFeesLamports, of);
}

/** The price of an agent's work, in lamports. */
export function hashesLamports(hashes: number, gigahashLamports: number): number {
  return (hashes * gigahashLamports) / GIGA;
}
