/** How many agents were in each standing over protocol time, for the picture of the population. Its memory is bounded. */

import type { Registry } from '../../../reference/registry/state.js';
import type { Standing } from '../../../spec/vocabulary.js';
import { standingCounts } from './service-views.js';

/** How many agents were in each standing at a moment. */
export interface Moment {
  readonly nowMs: number;
  readonly counts: Readonly<Record<Standing, number>>;
}

const MOMENTS_MAX = 400;

/** Adds the moment of a registry, unless it is there. */
export function noteMoment(moments: Moment[], registry: Registry, nowMs: number): void {
  if (nowMs === moments.at(-1)?.nowMs) return;
  moments.push({ nowMs, counts: standingCounts(registry) });
  // Every second one goes: the picture keeps its span.
  if (moments.length > MOMENTS_MAX)
    moments.splice(0, MOMENTS_MAX, ...moments.filter((_, at) => at % 2 === 0 && at < MOMENTS_MAX));
}
