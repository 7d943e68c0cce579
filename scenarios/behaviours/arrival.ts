/** When the agents of a population register. Registration itself is in the simulator. */

import type { RandomStream } from './random-stream.js';

/** When the agents of a population register, in seconds since the start. */
export type ArrivalPattern =
  | { readonly pattern: 'at'; readonly timeSec: number }
  | { readonly pattern: 'uniform'; readonly fromSec: number; readonly overSec: number }
  /** A Poisson process with a mean gap of `gapSec` between arrivals. */
  | { readonly pattern: 'poisson'; readonly fromSec: number; readonly gapSec: number }
  /** Parents make them. */
  | { readonly pattern: 'spawned' };

/** The arrival before the first one. */
export const NO_ARRIVAL_YET = -1;

/**
 * When the next agent of a population arrives, in seconds and fractions; Infinity for children. `previousSec`: the arrival before
 * it in the population, or `NO_ARRIVAL_YET`; only a Poisson process depends on it.
 */
export function drawArrivalSec(arrivals: ArrivalPattern, previousSec: number, random: RandomStream): number {
  switch (arrivals.pattern) {
    case 'at':
      return arrivals.timeSec;
    case 'uniform':
      return arrivals.fromSec + random.uniform() * arrivals.overSec;
    case 'poisson':
      return (previousSec === NO_ARRIVAL_YET ? arrivals.fromSec : previousSec) + random.exponential(arrivals.gapSec);
    case 'spawned':
      return Number.POSITIVE_INFINITY;
    default:
      return arrivals satisfies never;
  }
}
