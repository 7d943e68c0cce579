/** When the agents of a population register. Registration itself is in the simulator. */

import type { RandomStream } from './random-stream.js';

/** When the agents of a population register, in seconds since the start. */
export type ArrivalPattern =
  | { readonly pattern: 'at'; readonly timeSec: number }
  | { readonly pattern: 'uniform'; readonly fromSec: number; readonly overSec: number }
  /** A Poisson process with a mean gap of `gapSec` between arrivals. */
  | { readonly pattern: 'poisson'; readonly fromSec: number; readonly gapSec: number }
  /**
   * Potential entrants come like those of a Poisson process; one enters if agents of the population earned more than `aboveLamports` a day in
   * the latest period of `everySec`, or if none was there.
   */
  | {
      readonly pattern: 'entry';
      readonly fromSec: number;
      readonly gapSec: number;
      readonly everySec: number;
      readonly aboveLamports: number;
    }
  /** At times that were measured, one for each agent, the earliest first. */
  | { readonly pattern: 'trace'; readonly timesSec: readonly number[] }
  /** Parents make them. */
  | { readonly pattern: 'spawned' };

/** The arrival before the first one. */
export const NO_ARRIVAL_YET = -1;

/**
 * When the next agent of a population arrives, in seconds and fractions; Infinity for children. `previousSec`: the arrival before
 * it in the population, or `NO_ARRIVAL_YET`; only Poisson processes depend on it. `member`: its place in the population, from 0; only a
 * trace depends on it.
 */
export function drawArrivalSec(
  arrivals: ArrivalPattern,
  previousSec: number,
  random: RandomStream,
  member: number,
): number {
  switch (arrivals.pattern) {
    case 'at':
      return arrivals.timeSec;
    case 'uniform':
      return arrivals.fromSec + random.uniform() * arrivals.overSec;
    case 'poisson':
    case 'entry':
      return (previousSec === NO_ARRIVAL_YET ? arrivals.fromSec : previousSec) + random.exponential(arrivals.gapSec);
    case 'trace':
      return arrivals.timesSec[member] ?? Number.POSITIVE_INFINITY;
    case 'spawned':
      return Number.POSITIVE_INFINITY;
    default:
      return arrivals satisfies never;
  }
}
