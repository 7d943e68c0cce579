/**
 * A search of the whole unit cube: points spread evenly, a simplex from each of the best of them, and the neighbourhood of the best point
 * that these find; then more simplexes from other points while the budget lasts. The simplex is nelder-mead.ts.
 */

import { sobolPoints } from '../design/sobol-sequence.js';
import { type Landscape, neighbourhoodSearch, SIMPLEX_END } from './neighbourhood.js';
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

/** The way of one simplex: its best point so far, and whether it is finished. */
export interface Descent<V> {
  best: Vertex<V>;
  ended: boolean;
}

/** A search to follow, and how far its simplexes have come meanwhile. */
interface CubeSearch<V> {
  readonly search: PointSearch<V>;
  readonly descents: readonly Descent<V>[];
  /** The last point of which all neighbours were tried, and none was better. */
  readonly settled: () => readonly number[] | undefined;
}

/** The first simplex reaches this far from its start in each dimension. */
const REACH = 0.12;
/** The maximum number of spread points from which a simplex starts. */
const DESCENTS_MAX = 4;
/** Points, for each dimension, that the search of a neighbourhood takes at least. */
const NEIGHBOURHOOD_POINTS = 20;
/** Points, for each dimension, from which the best one is the start of a further simplex. */
const FURTHER_POINTS = 2;
/** Points with the same settings count once in a budget: where numbers are rounded, more than the budget are asked for, up to this multiple. */
const ASKED_MAX = 3;

/** Spreads points by the Sobol sequence, the middle of the cube among them, and goes downhill from the best. */
export function multiStart<V>(options: MultiStart<V>): CubeSearch<V> {
  const progress: Progress<V> = { descents: [], settled: undefined };
  const search = untilEnough(searchCube(options, progress), options);
  return { search, descents: progress.descents, settled: () => progress.settled };
}

interface Progress<V> {
  readonly descents: Descent<V>[];
  settled: readonly number[] | undefined;
}

function* searchCube<V>(options: MultiStart<V>, progress: Progress<V>): PointSearch<V> {
  const { dimensions, spread, draws, better, pointsMax } = options;
  const { descents } = progress;
  const points = [Array.from({ length: dimensions }, () => 0.5), ...sobolPoints(spread - 1, dimensions, draws)];
  const values = yield points;
  if (dimensions === 0) return;
  const found = points.map((point, i): Vertex<V> => ({ point, value: values[i] as V }));
  let left = pointsMax - spread;
  let improved: Vertex<V> | null = null;
  for (const start of apart(ordered(found, better))) {
    const descent: Descent<V> = { best: start, ended: false };
    descents.push(descent);
    const way = downhill(descent, options);
    let step = way.next();
    while (step.done !== true) {
      // Once a simplex has ended, the neighbourhood of its best point comes before the others if there is not enough for both.
      const isShort = left <= NEIGHBOURHOOD_POINTS * dimensions && descents.length > 1;
      if (isShort && improved === null) improved = yield* settle(bestOf(descents, options), options, progress);
      left -= step.value.length;
      step = way.next(yield step.value);
    }
    descent.ended = true;
  }
  const best = bestOf(descents, options);
  if (improved === null || better(best.value, improved.value)) improved = yield* settle(best, options, progress);
  yield* goOn(improved, options, progress);
}

/** Searches the neighbourhood of a point, and notes the point without a better neighbour to which this comes. */
function* settle<V>(from: Vertex<V>, options: MultiStart<V>, progress: Progress<V>): PointSearch<V, Vertex<V>> {
  const best = yield* neighbourhoodSearch(from, options);
  progress.settled = best.point;
  return best;
}

/** Starts further simplexes, each from the best of some points at random, until the budget ends. */
function* goOn<V>(from: Vertex<V>, options: MultiStart<V>, progress: Progress<V>): PointSearch<V> {
  const { dimensions, draws, better } = options;
  for (let best = from; ; ) {
    const points = Array.from({ length: FURTHER_POINTS * dimensions }, () => Array.from({ length: dimensions }, draws));
    const values = yield points;
    const found = points.map((point, i): Vertex<V> => ({ point, value: values[i] as V }));
    const descent: Descent<V> = { best: ordered(found, better)[0] as Vertex<V>, ended: true };
    yield* downhill(descent, options);
    progress.descents.push(descent);
    if (better(descent.best.value, best.value)) best = yield* settle(descent.best, options, progress);
  }
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
  const simplex = nelderMead([start, ...note(corners, yield corners)], better, SIMPLEX_END);
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

/** Follows a search until a value is enough, or it has asked for much more than its budget. */
function* untilEnough<V>(search: PointSearch<V>, { isEnough, pointsMax }: MultiStart<V>): PointSearch<V> {
  let asked = 0;
  let step = search.next();
  while (step.done !== true && asked < ASKED_MAX * pointsMax) {
    asked += step.value.length;
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
