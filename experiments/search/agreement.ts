/** How far the starts of a search agree: where each simplex ended, with which value, and how many came as far as the best point. */

import type { SearchStarts } from '../../results/search-result.js';
import type { ArmSettings } from '../design/designs.js';
import type { Descent } from './descents.js';
import { NEIGHBOUR_STEPS } from './neighbourhood.js';
import type { PointValue } from './searched-sweep.js';

/** An end agrees with the best point if its value is no further from it than this share. */
const TOLERANCE = 0.01;

/** How the simplexes of a search agree with the best point that was found; null if none started. */
export function agreementOf(
  descents: readonly Descent<PointValue>[],
  best: PointValue,
  settingsAt: (point: readonly number[]) => ArmSettings,
): SearchStarts | null {
  if (descents.length === 0) return null;
  const ends = descents.map(({ best: { point, value }, ended }) => ({
    ...{ set: settingsAt(point), ended, value: value.extreme },
    // A point of which a run failed is infinitely far, which JSON cannot say.
    excess: Number.isFinite(value.excess) ? value.excess : null,
    agrees: agrees(value, best),
  }));
  const values = ends.flatMap(({ value }) => (value === null ? [] : [value]));
  return {
    ...{ begun: ends.length, ended: ends.filter(({ ended }) => ended).length },
    ...{ tolerance: TOLERANCE, agreeing: ends.filter((each) => each.agrees).length },
    values: values.length === 0 ? null : [Math.min(...values), Math.max(...values)],
    distance: greatestDistance(descents.map(({ best: { point } }) => point)),
    ...{ ends, neighbour_steps: NEIGHBOUR_STEPS },
  };
}

function agrees(value: PointValue, best: PointValue): boolean {
  if (!(Math.abs(value.excess - best.excess) <= TOLERANCE)) return false;
  if (value.extreme === null || best.extreme === null) return value.extreme === best.extreme;
  return Math.abs(value.extreme - best.extreme) <= TOLERANCE * Math.abs(best.extreme);
}

/** The greatest distance of two points in one coordinate. */
function greatestDistance(points: readonly (readonly number[])[]): number {
  const spans = (points[0] ?? []).map((_, d) => {
    const places = points.map((point) => point[d] as number);
    return Math.max(...places) - Math.min(...places);
  });
  return Math.max(0, ...spans);
}
