/**
 * A search of the whole unit cube: points spread evenly, a simplex from each of the best of them, and the neighbourhood of the best point
 * that these find. The simplex is nelder-mead.ts.
 */

import { sobolPoints } from '../design/sobol-sequence.js';
import { type Landscape, NEIGHBOUR_STEPS, neighbourhoodSearch } from './neighbourhood.js';
import { nelderMead, ordered, type PointSearch, type Vertex } from './nelder-mead.js';

/** How a cube is searched. */
export interface MultiStart<V> extends Landscape<V> {
  readonly dimensions: number;
  /** Points that are spread over the cube; the simplex starts from the best of them. */
  readonly spread: number;
  /** The most points that will be played: the neighbourhood of the best point gets a share of them. */
  readonly pointsMax: number;
  /** Whether a value is good enough to end the search. */
  readonly isEnough: (value: V) => boolean;
}

/** The way of one simplex: its best point so far, and whether it has come to its end. */
export interface Descent<V> {
  best: Vertex<V>;
  ended: boolean;
}

/** A search to follow, and how far its simplexes have come meanwhile. */
interface CubeSearch<V> {
  readonly search: PointSearch<V>;
  readonly descents: readonly Descent<V>[];
}

/** The first simplex reaches this far from its start in each dimension. */
const REACH = 0.12;
/** The maximum number of spread points from which a simplex starts. */
const DESCENTS_MAX = 4;
/** Points, for each dimension, that the search of a neighbourhood takes at least. */
const NEIGHBOURHOOD_POINTS = 20;

/** Spreads points by the Sobol sequence, the middle of the cube among them, and goes downhill from the best. */
export function multiStart<V>(options: MultiStart<V>): CubeSearch<V> {
  const descents: Descent<V>[] = [];
  return { search: untilEnough(searchCube(options, descents), options), descents };
}

function* searchCube<V>(options: MultiStart<V>, descents: Descent<V>[]): PointSearch<V> {
  const { dimensions, spread, draws, better, pointsMax } = options;
  const points = [Array.from({ length: dimensions }, () => 0.5), ...sobolPoints(spread - 1, dimensions, draws)];
  const values = yield points;
  if (dimensions === 0) return;
  const found = points.map((point, i): Vertex<V> => ({ point, value: values[i] as V }));
  const starts = apart(ordered(found, better)).map((start) => {
    const descent: Descent<V> = { best: start, ended: false };
    return { descent, way: downhill(descent, options) };
  });
  let left = pointsMax - spread;
  let improved: Vertex<V> | null = null;
  for (const { descent, way } of starts) {
    descents.push(descent);
    let step = way.next();
    while (step.done !== true) {
      // Once a simplex has ended, the neighbourhood of its best point comes before the others if there is not enough for both.
      const isShort = left <= NEIGHBOURHOOD_POINTS * dimensions && descents.length > 1;
      if (isShort && improved === null) improved = yield* neighbourhoodSearch(bestOf(descents, options), options);
      left -= step.value.length;
      step = way.next(yield step.value);
    }
    descent.ended = true;
  }
  const best = bestOf(descents, options);
  if (improved === null || better(best.value, improved.value)) yield* neighbourhoodSearch(best, options);
}

/** The way of a simplex from the best point of a descent, which it keeps up to date. */
function* downhill<V>(descent: Descent<V>, { better }: MultiStart<V>): PointSearch<V> {
  const start = descent.best;
  const note = (points: readonly (readonly number[])[], values: readonly V[]): readonly Vertex<V>[] => {
    const vertices = points.map((point, i): Vertex<V> => ({ point, value: values[i] as V }));
    for (const vertex of vertices) if (better(vertex.value, descent.best.value)) descent.best = vertex;
    return vertices;
  };
  const corners = start.point.map((x, d) => start.point.with(d, x < 0.5 ? x + REACH : x - REACH));
  const simplex = nelderMead([start, ...note(corners, yield corners)], better, NEIGHBOUR_STEPS[0]);
  let step = simplex.next();
  while (step.done !== true) {
    const values = yield step.value;
    note(step.value, values);
    step = simplex.next(values);
  }
}

function bestOf<V>(descents: readonly Descent<V>[], { better }: MultiStart<V>): Vertex<V> {
  const [first, ...others] = descents.map(({ best }) => best);
  if (first === undefined) throw new Error('no simplex has started');
  return others.reduce((best, each) => (better(each.value, best.value) ? each : best), first);
}

/** Follows a search until a value is enough. */
function* untilEnough<V>(search: PointSearch<V>, { isEnough }: MultiStart<V>): PointSearch<V> {
  let step = search.next();
  while (step.done !== true) {
    const values = yield step.value;
    if (values.some(isEnough)) return;
    step = search.next(values);
  }
}

/** The first point of a list, and those after it that are far from all chosen ones: neighbours would reach the same minimum. */
function apart<V>(sorted: readonly Vertex<V>[]): readonly Vertex<V>[] {
  const chosen: Vertex<V>[] = [];
  for (const vertex of sorted) {
    const isNear = ({ point }: Vertex<V>): boolean =>
      point.every((x, d) => Math.abs(x - (vertex.point[d] as number)) < 2 * REACH);
    if (chosen.length < DESCENTS_MAX && !chosen.some(isNear)) chosen.push(vertex);
  }
  return chosen;
}
