/**
 * Sobol indices: which share of a measure's variance each factor explains, alone and with all its interactions. Points are evaluated by
 * the caller.
 */

import { mean, quantileSorted, variance } from 'simple-statistics';
import { sobolPoints } from '../design/sobol-sequence.js';
import type { Interval } from '../statistics/bootstrap.js';
import type { Draws } from '../statistics/draws.js';

/** The shares of one factor, with 95 % intervals by the bootstrap over rows. */
export interface SobolIndex {
  readonly first: number;
  readonly first95: Interval;
  readonly total: number;
  readonly total95: Interval;
}

const RESAMPLES = 500;

/**
 * The points for `rows` rows and `dimensions` factors, up to 10: for each row the point of A, that of B, and for each factor A with that
 * factor from B. So there are rows × (dimensions + 2).
 */
export function sobolIndexPoints(rows: number, dimensions: number, draws: Draws): readonly (readonly number[])[] {
  return sobolPoints(rows, 2 * dimensions, draws).flatMap((row) => {
    const [a, b] = [row.slice(0, dimensions), row.slice(dimensions)];
    return [a, b, ...a.map((_, i) => a.with(i, b[i] as number))];
  });
}

/** The indices of each factor, from the value at each of those points: first by Saltelli et al. (2010), total by Jansen (1999). */
export function sobolIndices(values: readonly number[], dimensions: number, draws: Draws): readonly SobolIndex[] {
  const width = dimensions + 2;
  const rows = Array.from({ length: values.length / width }, (_, row) => values.slice(row * width, (row + 1) * width));
  const samples = Array.from({ length: RESAMPLES }, () =>
    rows.map(() => rows[Math.floor(draws() * rows.length)] as readonly number[]),
  );
  return Array.from({ length: dimensions }, (_, factor) => {
    const [first, total] = indicesOf(rows, factor);
    const resampled = samples.map((sample) => indicesOf(sample, factor));
    return {
      ...{ first, total },
      first95: middle(resampled.map(([each]) => each)),
      total95: middle(resampled.map(([, each]) => each)),
    };
  });
}

/** First and total index of a factor; zeros where nothing varies. */
function indicesOf(rows: readonly (readonly number[])[], factor: number): readonly [first: number, total: number] {
  const [a, b, ab] = [0, 1, factor + 2].map((column) => rows.map((row) => row[column] as number)) as [
    number[],
    number[],
    number[],
  ];
  const all = [...a, ...b];
  const spread = variance(all);
  if (spread === 0) return [0, 0];
  // Centred values make the first index far less noisy where the mean is far from zero.
  const centre = mean(all);
  const first = mean(b.map((value, i) => (value - centre) * ((ab[i] as number) - (a[i] as number)))) / spread;
  const total = mean(a.map((value, i) => (value - (ab[i] as number)) ** 2)) / (2 * spread);
  return [first, total];
}

function middle(values: readonly number[]): Interval {
  const sorted = values.toSorted((x, y) => x - y);
  return [quantileSorted(sorted, 0.025), quantileSorted(sorted, 0.975)];
}
