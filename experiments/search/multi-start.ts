/**
 * A search of the whole unit cube: points spread evenly, simplexes from the best of them, of which the better ones go on, a population
 * around the best point, and the neighbourhood of the best point that these find; then the other simplexes, and more of both kinds from
 * other points while the budget lasts. Their ways are descents.ts.
 */

import { sobolPoints } from '../design/sobol-sequence.js';
import { type Descent, populationFrom, race, SIMPLEX_REACH, simplexFrom, type Way } from './descents.js';
import { type Landscape, neighbourhoodSearch } from './neighbourhood.js';
import { ordered, type PointSearch, type Vertex } from './nelder-mead.js';

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

/** A search to follow, and how far its simplexes have come meanwhile. */
interface CubeSearch<V> {
  readonly search: PointSearch<V>;
  readonly descents: readonly Descent<V>[];
  /** The last point of which all neighbours were tried, and none was better. */
  readonly settled: () => readonly number[] | undefined;
}

/** The maximum number of spread points from which a simplex starts. */
const STARTS_MAX = 4;
/** Points, for each dimension and one more, after which the worse half of the simplexes waits. */
const RACE_POINTS = 2;
/** The share of the budget behind the spread points that the first population takes. */
const POPULATION_SHARE = 0.2;
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
  const points = [Array.from({ length: dimensions }, () => 0.5), ...sobolPoints(spread - 1, dimensions, draws)];
  const values = yield points;
  if (dimensions === 0) return;
  const begin = (way: Way<V>): Way<V> => {
    progress.descents.push(way.descent);
    return way;
  };
  const found = points.map((point, i): Vertex<V> => ({ point, value: values[i] as V }));
  const left = pointsMax - spread;
  const slice = RACE_POINTS * (dimensions + 1);
  const starts = apart(ordered(found, better), startsFor(left, slice));
  const [first, ...others] = yield* race(
    starts.map((start) => begin(simplexFrom(start, options))),
    slice,
    better,
  );
  if (first === undefined) throw new Error('no simplex has started');
  yield* first.go(Number.POSITIVE_INFINITY);
  const wide = begin(populationFrom(first.descent.best, options));
  // One number has no other that a population could learn to move with it.
  yield* wide.go(dimensions > 1 ? POPULATION_SHARE * left : 0);
  let best = yield* settle(betterOf(first.descent.best, wide.descent.best, options), options, progress);
  for (const way of [...others, wide]) {
    yield* way.go(Number.POSITIVE_INFINITY);
    if (better(way.descent.best.value, best.value)) best = yield* settle(way.descent.best, options, progress);
  }
  yield* goOn(best, options, progress);
}

/** The number of simplexes that compete: no more than half of the budget decides which of them goes on. */
function startsFor(left: number, slice: number): number {
  return [STARTS_MAX, 2].find((starts) => 4 * (starts - 1) * slice <= left) ?? 1;
}

/** Searches the neighbourhood of a point, and notes the point without a better neighbour to which this comes. */
function* settle<V>(from: Vertex<V>, options: MultiStart<V>, progress: Progress<V>): PointSearch<V, Vertex<V>> {
  const best = yield* neighbourhoodSearch(from, options);
  progress.settled = best.point;
  return best;
}

/** Starts further populations and simplexes by turns, each from the best of some points at random, until the budget ends. */
function* goOn<V>(from: Vertex<V>, options: MultiStart<V>, progress: Progress<V>): PointSearch<V> {
  const { dimensions, draws, better } = options;
  let best = from;
  for (let turn = 0; ; turn += 1) {
    const points = Array.from({ length: FURTHER_POINTS * dimensions }, () => Array.from({ length: dimensions }, draws));
    const values = yield points;
    const found = points.map((point, i): Vertex<V> => ({ point, value: values[i] as V }));
    const start = ordered(found, better)[0] as Vertex<V>;
    const way = turn % 2 === 0 ? simplexFrom(start, options) : populationFrom(start, options);
    yield* way.go(Number.POSITIVE_INFINITY);
    progress.descents.push(way.descent);
    if (better(way.descent.best.value, best.value)) best = yield* settle(way.descent.best, options, progress);
  }
}

function betterOf<V>(a: Vertex<V>, b: Vertex<V>, { better }: MultiStart<V>): Vertex<V> {
  return better(b.value, a.value) ? b : a;
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
function apart<V>(sorted: readonly Vertex<V>[], most: number): readonly Vertex<V>[] {
  const chosen: Vertex<V>[] = [];
  for (const vertex of sorted) {
    const isNear = ({ point }: Vertex<V>): boolean =>
      point.every((x, d) => Math.abs(x - (vertex.point[d] as number)) < 2 * SIMPLEX_REACH);
    if (chosen.length < most && !chosen.some(isNear)) chosen.push(vertex);
  }
  return chosen;
}
