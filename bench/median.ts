/** Median and quantile of measurements. Intervals and other statistics are not needed for benches. */

/** The median, of an even number the upper of the middle two. RangeError for no values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value above a share of all, or the largest value. RangeError for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new RangeError('no values have no quantile');
  return value;
}
