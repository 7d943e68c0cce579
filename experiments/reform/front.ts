/** Points that no other point beats: the front of several objectives, and the region near the optimum of one. */

import { pairedDifference } from '../statistics/difference.js';
import type { Span } from './design-plan.js';

/** Whether the first values are nowhere worse than the second, and somewhere better; less is better. */
export function dominates(a: readonly number[], b: readonly number[]): boolean {
  return a.every((x, k) => x <= (b[k] as number)) && a.some((x, k) => x < (b[k] as number));
}

/** The places of the values that no others dominate; of equals the first. */
export function frontOf(values: readonly (readonly number[])[]): readonly number[] {
  return values.flatMap((own, i) =>
    values.some((other, j) => dominates(other, own) || (j < i && other.every((x, k) => x === own[k]))) ? [] : [i],
  );
}

/** The span of a front that is not empty. */
export function spanOf(values: readonly (readonly number[])[]): Span {
  const each = (pick: (...of: number[]) => number): readonly number[] =>
    (values[0] ?? []).map((_, k) => pick(...values.map((own) => own[k] as number)));
  return { best: each(Math.min), worst: each(Math.max) };
}

/** At most `most` of some items, evenly apart, the first and the last among them. */
export function thinned<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))] as T);
}

/**
 * Whether runs are not shown to be worse than those of the best point, in pairs, by more than a share of its mean. Both are of at least two
 * runs with the same seeds; less times `sign` is better.
 */
export function isNear(best: readonly number[], runs: readonly number[], sign: 1 | -1, tolerance: number): boolean {
  if (runs.length !== best.length) return false;
  const { t95, means } = pairedDifference(best, runs);
  const leastWorse = sign === 1 ? t95[0] : -t95[1];
  return leastWorse <= tolerance * Math.abs(means[0]);
}
