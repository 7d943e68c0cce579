/**
 * How much an agent could gain by another choice, with intervals that hold together. Gains are paired: the same seed with one choice and
 * with the other.
 */

import { mean, sampleStandardDeviation } from 'simple-statistics';
import type { Interval } from '../statistics/bootstrap.js';
import { tQuantile } from '../statistics/distributions.js';

/** The share of all intervals together that may miss (Bonferroni). */
export const MISSING = 0.05;

/** A mean gain over replicates and its interval. */
export interface Gain {
  readonly mean: number;
  readonly interval: Interval;
}

/**
 * The mean of each list of at least two values, with intervals by Student's t of which all hold with a probability of 1 − `missing`.
 */
export function simultaneous(lists: readonly (readonly number[])[], missing = MISSING): Gain[] {
  return lists.map((values) => {
    const centre = mean([...values]);
    const n = values.length;
    const half =
      (tQuantile(1 - missing / 2 / lists.length, n - 1) * sampleStandardDeviation([...values])) / Math.sqrt(n);
    return { mean: centre, interval: [centre - half, centre + half] };
  });
}

/** The regret of a profile: its greatest gain, at least 0. With the interval of the regret that follows from those of all gains. */
export function regretOf(gains: readonly Gain[]): Gain {
  const most = (of: (gain: Gain) => number): number => Math.max(0, ...gains.map(of));
  return {
    mean: most((gain) => gain.mean),
    interval: [most(({ interval }) => interval[0]), most(({ interval }) => interval[1])],
  };
}

/** A profile by the interval of its regret: `confirmed` where nobody can gain more than `resolution`, `refuted` where somebody can. */
export function regretStatus(
  { interval: [low, high] }: Gain,
  resolution: number,
): 'confirmed' | 'unconfirmed' | 'refuted' {
  if (high <= resolution) return 'confirmed';
  return low > resolution ? 'refuted' : 'unconfirmed';
}

/**
 * Verdict on the differences that the play of others makes to payoffs: `uncoupled` where each is smaller than `resolution` by its whole
 * interval, `coupled` where one is not 0 by its whole interval, and may be larger than that; else it is not known.
 */
export function couplingVerdict(
  differences: readonly Gain[],
  resolution: number,
): 'uncoupled' | 'coupled' | 'undecided' {
  const isSmall = ({ interval: [low, high] }: Gain): boolean => low >= -resolution && high <= resolution;
  if (differences.every(isSmall)) return 'uncoupled';
  return differences.some((each) => !isSmall(each) && (each.interval[0] > 0 || each.interval[1] < 0))
    ? 'coupled'
    : 'undecided';
}
