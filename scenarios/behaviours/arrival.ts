import type { RandomStream } from './random-stream.js';

/** When the agents of a population register, in seconds since the start. */
export type ArrivalPattern =
  | { readonly pattern: 'at'; readonly timeSec: number }
  | { readonly pattern: 'uniform'; readonly fromSec: number; readonly overSec: number }
  /** Independent arrivals, one after the other, `gapSec` apart in the mean. */
  | { readonly pattern: 'poisson'; readonly fromSec: number; readonly gapSec: number }
  /** When another agent makes them. */
  | { readonly pattern: 'spawned' };

/** Before the first agent of a population has arrived. */
export const NO_ARRIVAL_YET = -1;

/**
 * When the next agent of a population arrives, in seconds and fractions; Infinity where only another agent can tell. `previousSec` is the arrival of the one before it in
 * the population, or `NOBODY_YET`; only a Poisson stream looks at it.
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
