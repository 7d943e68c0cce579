/** The interval of a mean that console, page and chart show. Its ends are computed in experiments/statistics. */

import type { SweepEstimate } from '../../results/sweep-result.js';

/** By the bootstrap where values are skewed, else by Student's t; null where there is none. A share stays between 0 and 1. */
export function shownInterval({
  t95,
  bootstrap95,
  unit,
}: Pick<SweepEstimate, 't95' | 'bootstrap95' | 'unit'>): readonly [low: number, high: number] | null {
  const interval = bootstrap95 ?? t95;
  if (interval === null || unit !== 'share') return interval;
  return [Math.max(0, interval[0]), Math.min(1, interval[1])];
}

/** Beyond this skewness, of this few values, an interval covers the mean noticeably less often than 95 %. */
const SKEWED = 1;
const FEW = 20;

/** Whether values are skewed, and too few for their interval to cover what it claims. */
export function isSkewedOfFew({ n, skewness }: Pick<SweepEstimate, 'n' | 'skewness'>): boolean {
  return n < FEW && skewness !== null && Math.abs(skewness) > SKEWED;
}

/** The note on such an interval. Shares measured for a lognormal with sigma 1. */
export const SKEWED_NOTE =
  'skewed: few runs of skewed values. Of lognormal ones such intervals cover the mean in 81 % of cases with 5 runs and in 88 % with 8. Play more runs.';
