/** Estimates of a measure over replicates: mean, spread, 95 % intervals, quantiles. Differences of two arms are in difference.ts. */

import { max, mean, min, quantileSorted, sampleSkewness, sampleStandardDeviation } from 'simple-statistics';
import type { Estimate } from '../../results/sweep-result.js';
import { bootstrapInterval, type Interval } from './bootstrap.js';
import { tQuantile } from './distributions.js';
import type { Draws } from './draws.js';

/** Beyond this skewness, either way, the interval of the mean is also taken by the bootstrap. */
const SKEWED = 1;
/** A bootstrap of fewer values says nothing about their tails. */
const BOOTSTRAP_MIN = 8;

/** The estimate of at least one value. `draws` are for the bootstrap. */
export function estimateOf(values: readonly number[], draws: () => Draws): Estimate {
  const list = [...values];
  const sorted = list.toSorted((a, b) => a - b);
  const at = (p: number): number => quantileSorted(sorted, p);
  const n = list.length;
  const sd = n < 2 ? null : sampleStandardDeviation(list);
  const skewness = skewnessOf(list);
  return {
    n,
    mean: mean(list),
    sd,
    t95: meanInterval(list),
    bootstrap95: isSkewed(list, skewness) ? bootstrapInterval(list, draws()) : null,
    skewness,
    ...{ min: min(list), p05: at(0.05), p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95), max: max(list) },
  };
}

/** The sample skewness; null where there is none. */
function skewnessOf(values: readonly number[]): number | null {
  const list = [...values];
  return list.length < 3 || sampleStandardDeviation(list) === 0 ? null : sampleSkewness(list);
}

function isSkewed({ length }: readonly number[], skewness: number | null): boolean {
  return length >= BOOTSTRAP_MIN && skewness !== null && Math.abs(skewness) > SKEWED;
}

/** The 95 % interval of the mean that covers it best: by the bootstrap for skewed values, else by Student's t. */
export function bestInterval(values: readonly number[], draws: Draws): Interval {
  const bootstrap = isSkewed(values, skewnessOf(values)) ? bootstrapInterval(values, draws) : null;
  const centre = mean([...values]);
  return bootstrap ?? meanInterval(values) ?? [centre, centre];
}

/** The 95 % interval of the mean by Student's t, whose 97.5 % quantile is `quantile`; null for a single value. */
export function meanInterval(
  values: readonly number[],
  quantile = (degrees: number): number => tQuantile(0.975, degrees),
): Interval | null {
  const { length } = values;
  if (length < 2) return null;
  const centre = mean([...values]);
  const half = (quantile(length - 1) * sampleStandardDeviation([...values])) / Math.sqrt(length);
  return [centre - half, centre + half];
}
