/** The interval of a mean that console, page and chart show. Its ends are computed in experiments/statistics. */

import type { SweepEstimate } from './sweep-result.js';

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
