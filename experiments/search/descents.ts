/**
 * The ways of a search from its starts to better points: a simplex (nelder-mead.ts) or a population (cma-es.ts). A way can be stopped and
 * continued, so that several compete for a budget. Where they start is decided in multi-start.ts.
 */

import { cmaEs } from './cma-es.js';
import { type Landscape, SIMPLEX_END } from './neighbourhood.js';
import { type Better, nelderMead, type PointSearch, type Vertex } from './nelder-mead.js';

/** The way of one start: its best point so far, and whether it is finished. */
export interface Descent<V> {
  best: Vertex<V>;
  ended: boolean;
}

/** A way that can be continued. */
export interface Way<V> {
  readonly descent: Descent<V>;
  /** Asks for `points` points, and for the rest of the last batch. */
  readonly go: (points: number) => PointSearch<V>;
}

/** The first simplex reaches this far from its start in each dimension. */
export const SIMPLEX_REACH = 0.12;
/** The standard deviation of the first population, and of the last, in each dimension. */
const POPULATION_REACH = 0.2;
const POPULATION_END = 0.02;

/** A simplex from a point. */
export function simplexFrom<V>(start: Vertex<V>, landscape: Landscape<V>): Way<V> {
  return wayOf(start, landscape, simplex(start, landscape));
}

/** A population around a point, wide enough to see beyond the slope on which the point is. */
export function populationFrom<V>(start: Vertex<V>, landscape: Landscape<V>): Way<V> {
  const { better, draws } = landscape;
  const population = cmaEs<V>(start.point, { better, draws, reach: POPULATION_REACH, small: POPULATION_END });
  return wayOf(start, landscape, population);
}

function* simplex<V>(start: Vertex<V>, { better }: Landscape<V>): PointSearch<V> {
  const corners = start.point.map((x, d) => start.point.with(d, x < 0.5 ? x + SIMPLEX_REACH : x - SIMPLEX_REACH));
  const values = yield corners;
  const vertices = corners.map((point, i): Vertex<V> => ({ point, value: values[i] as V }));
  yield* nelderMead([start, ...vertices], better, SIMPLEX_END);
}

/** A search that notes its best point, and stops between two batches when its points are used up. */
function wayOf<V>(start: Vertex<V>, { better }: Landscape<V>, search: PointSearch<V>): Way<V> {
  const descent: Descent<V> = { best: start, ended: false };
  let step: ReturnType<typeof search.next> | undefined;
  function* go(points: number): PointSearch<V> {
    step ??= search.next();
    let left = points;
    while (step.done !== true && left > 0) {
      const asked = step.value;
      const values = yield asked;
      left -= asked.length;
      asked.forEach((point, i) => {
        const value = values[i] as V;
        if (better(value, descent.best.value)) descent.best = { point, value };
      });
      step = search.next(values);
    }
    descent.ended = step.done === true;
  }
  return { descent, go };
}

/**
 * Gives each way some points, and again to the better half, until one is left. Returns them in the order in which they are worth more
 * points: the last one first, then those that were given up last.
 */
export function* race<V>(
  ways: readonly Way<V>[],
  points: number,
  better: Better<V>,
): PointSearch<V, readonly Way<V>[]> {
  if (ways.length < 2) return ways;
  for (const way of ways) yield* way.go(points);
  const ranked = ways.toSorted(({ descent: a }, { descent: b }) =>
    better(a.best.value, b.best.value) ? -1 : better(b.best.value, a.best.value) ? 1 : 0,
  );
  const half = Math.ceil(ranked.length / 2);
  return [...(yield* race(ranked.slice(0, half), points, better)), ...ranked.slice(half)];
}
