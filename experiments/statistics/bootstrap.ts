/**
 * The bootstrap interval of a statistic, bias-corrected and accelerated (Efron 1987), for values too skewed for Student's t.
 * Draws are seeded by the caller.
 */

import { mean } from 'simple-statistics';
import { normalQuantile, normalShare } from './distributions.js';
import type { Draws } from './draws.js';

/** An interval by its ends, in the unit of the values. */
export type Interval = readonly [low: number, high: number];

const RESAMPLES = 2_000;

/** A number that is computed from a sample, such as its mean. */
type Statistic = (sample: readonly number[]) => number;

/** The 95 % interval of `statistic` over resamples of `values`, of which there are at least two. */
export function bootstrapInterval(
  values: readonly number[],
  draws: Draws,
  statistic: Statistic = (sample) => mean([...sample]),
): Interval {
  const observed = statistic(values);
  const resampled = Array.from({ length: RESAMPLES }, () =>
    statistic(values.map(() => values[Math.floor(draws() * values.length)] as number)),
  ).sort((a, b) => a - b);
  const below = resampled.filter((value) => value < observed).length;
  const equal = resampled.filter((value) => value === observed).length;
  const bias = normalQuantile(clamped((below + equal / 2) / RESAMPLES));
  const acceleration = accelerationOf(values, statistic);
  const endAt = (p: number): number => {
    const z = bias + normalQuantile(p);
    const share = normalShare(bias + z / (1 - acceleration * z));
    return resampled[Math.min(RESAMPLES - 1, Math.max(0, Math.floor(share * RESAMPLES)))] as number;
  };
  return [endAt(0.025), endAt(0.975)];
}

/** Keeps a share away from 0 and 1, whose normal quantiles are infinite. */
function clamped(share: number): number {
  return Math.min(1 - 0.5 / RESAMPLES, Math.max(0.5 / RESAMPLES, share));
}

/** The acceleration: a sixth of the skewness of the jackknife values; 0 where these are all equal. */
function accelerationOf(values: readonly number[], statistic: Statistic): number {
  const jackknife = values.map((_, i) => statistic(values.filter((_value, j) => j !== i)));
  const centre = mean(jackknife);
  const cubes = jackknife.reduce((sum, value) => sum + (centre - value) ** 3, 0);
  const squares = jackknife.reduce((sum, value) => sum + (centre - value) ** 2, 0);
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}
