/** The middle one of some measurements, the upper of two. RangeError for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The measurement that a share of all does not exceed; the largest for a share of 1. RangeError for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new RangeError('no values have no quantile');
  return value;
}
