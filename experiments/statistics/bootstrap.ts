/**
 * The interval of a mean by the studentised bootstrap (Efron 1979; Hall 1988), for values too skewed for Student's t. Draws are seeded by
 * the caller. The bias-corrected and accelerated interval covers less than Student's t where runs are few, and is not here.
 */

import { mean } from 'simple-statistics';
import type { Draws } from './draws.js';

/** An interval by its ends, in the unit of the values. */
export type Interval = readonly [low: number, high: number];

const RESAMPLES = 2_000;

/**
 * The 95 % interval of the mean of at least two values: Student's t, with the quantiles that t has over resamples of the values. Null
 * where too many resamples have no spread, and so no t: of a few discrete values.
 */
export function bootstrapInterval(values: readonly number[], draws: Draws): Interval | null {
  const centre = mean([...values]);
  const t = Array.from({ length: RESAMPLES }, () => {
    const sample = values.map(() => values[Math.floor(draws() * values.length)] as number);
    const off = mean(sample) - centre;
    const error = standardError(sample);
    // Without spread t is infinite, unless the mean is that of the values.
    return error === 0 && off === 0 ? 0 : off / error;
  }).sort((a, b) => a - b);
  const at = (share: number): number => t[Math.floor(share * RESAMPLES)] as number;
  const error = standardError(values);
  const ends = [centre - at(0.975) * error, centre - at(0.025) * error] as const;
  return ends.every(Number.isFinite) ? ends : null;
}

function standardError(values: readonly number[]): number {
  const centre = mean([...values]);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
