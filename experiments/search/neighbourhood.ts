/**
 * Searches the neighbourhood of a point until no neighbour is better: along every axis and across them, at several distances, and by one
 * more simplex (a pattern search, Torczon 1997, whose oblique directions are random as in MADS, Audet and Dennis 2006). A simplex can
 * end short of a minimum at a ridge, a kink, a wall or where numbers are rounded; this is what follows it.
 */

import { normalQuantile } from '../statistics/distributions.js';
import type { Draws } from '../statistics/draws.js';
import { type Better, inCube, nelderMead, type PointSearch, type Vertex } from './nelder-mead.js';

/** Distances at which neighbours are tried, as shares of the ranges. */
const COARSE_STEPS = [0.005, 0.02, 0.08] as const;
/** Distances at which the end is refined, once nothing is better further away. */
const FINE_STEPS = [0.00125, 0.0003125] as const;
/** All of them; a simplex is finished when it is as small as `SIMPLEX_END`. */
export const NEIGHBOUR_STEPS: readonly number[] = [...FINE_STEPS, ...COARSE_STEPS].toSorted((a, b) => a - b);
export const SIMPLEX_END = COARSE_STEPS[0];
/** The simplex that tries to go on from a point without better neighbours reaches this far. */
const RESTART_REACH = 0.06;
/** With more numbers than this, pairs of them are too many to be tried. */
const PAIRS_MAX = 3;

/** How points are compared. */
export interface Landscape<V> {
  readonly better: Better<V>;
  readonly draws: Draws;
  /** Whether two points have the same settings, because numbers are rounded. */
  readonly isSame: (a: readonly number[], b: readonly number[]) => boolean;
}

type NeighbourSearch<V> = PointSearch<V, Vertex<V>>;

type Ways<V> = readonly ((best: Vertex<V>, landscape: Landscape<V>) => NeighbourSearch<V>)[];

/** Goes from a point to better neighbours until there are none. Returns the last one. */
export function* neighbourhoodSearch<V>(start: Vertex<V>, landscape: Landscape<V>): NeighbourSearch<V> {
  let best = start;
  const restarts: Vertex<V>[] = [];
  const restart = function* (from: Vertex<V>): NeighbourSearch<V> {
    // Restarts that have led nowhere else would be followed by many of their kind.
    const near = restarts.filter(({ point }) => distance(point, from.point) <= SIMPLEX_END);
    if (near.length >= from.point.length) return from;
    restarts.push(from);
    return yield* restarted(from, landscape);
  };
  // The cheapest moves come first, and again after each improvement.
  const along = (step: number) => improvedBy<V>((point) => axisNeighbours(point, step, landscape));
  const across = (step: number) => improvedBy<V>((point) => obliqueNeighbours(point, step, landscape));
  const ways: Ways<V> = [
    ...COARSE_STEPS.map(along),
    ...COARSE_STEPS.map(across),
    restart,
    ...FINE_STEPS.map(along),
    ...FINE_STEPS.map(across),
  ];
  const triedFrom = new Map<Ways<V>[number], Vertex<V>>();
  for (;;) {
    const way = ways.find((each) => triedFrom.get(each) !== best);
    if (way === undefined) return best;
    best = yield* way(best, landscape);
    triedFrom.set(way, best);
  }
}

/** Moves to better neighbours of this kind until there are none. */
function improvedBy<V>(neighbours: (point: readonly number[]) => readonly (readonly number[])[]): Ways<V>[number] {
  return function* (start, landscape) {
    let best = start;
    for (;;) {
      const next = yield* bestOfBatch(best, neighbours(best.point), landscape);
      if (next === best) return best;
      best = yield* furtherAlong(best, next, landscape);
    }
  };
}

/** The best of a point and others. */
function* bestOfBatch<V>(
  own: Vertex<V>,
  points: readonly (readonly number[])[],
  { better }: Landscape<V>,
): NeighbourSearch<V> {
  if (points.length === 0) return own;
  const values = yield points;
  return points.reduce<Vertex<V>>((best, point, i) => {
    const value = values[i] as V;
    return better(value, best.value) ? { point, value } : best;
  }, own);
}

/** Goes on in the direction of an improvement, twice as far each time, while it helps. */
function* furtherAlong<V>(from: Vertex<V>, to: Vertex<V>, landscape: Landscape<V>): NeighbourSearch<V> {
  let best = to;
  for (let factor = 2; ; factor *= 2) {
    const point = to.point.map((x, d) => inCube(x + factor * (x - (from.point[d] as number))));
    if (landscape.isSame(point, best.point)) return best;
    const next = yield* bestOfBatch(best, [point], landscape);
    if (next === best) return best;
    best = next;
  }
}

/** The neighbours along each axis; where a number is rounded at least its next value. */
function axisNeighbours<V>(point: readonly number[], step: number, { isSame }: Landscape<V>): readonly number[][] {
  return point.flatMap((x, d) =>
    [step, -step].flatMap((change) => {
      const other = point.with(d, inCube(x + change));
      if (!isSame(point, other)) return [other];
      const wall = point.with(d, change > 0 ? 1 : 0);
      return isSame(point, wall) ? [] : [nearestOther(point, wall, d, isSame)];
    }),
  );
}

/** The nearest point between two along an axis that differs from the first, which the second does. */
function nearestOther(
  point: readonly number[],
  far: readonly number[],
  d: number,
  isSame: Landscape<unknown>['isSame'],
): number[] {
  let [near, other] = [point[d] as number, far[d] as number];
  for (let halving = 0; halving < 40; halving += 1) {
    const middle = (near + other) / 2;
    if (isSame(point, point.with(d, middle))) near = middle;
    else other = middle;
  }
  return point.with(d, other);
}

/** Neighbours across the axes: along the diagonals of pairs, and along directions at random that are at right angles. */
function obliqueNeighbours<V>(point: readonly number[], step: number, { draws, isSame }: Landscape<V>) {
  const { length } = point;
  if (length < 2) return [];
  const pairs = point.flatMap((_, a) =>
    length > PAIRS_MAX ? [] : point.slice(a + 1).flatMap((_other, k) => diagonals(length, a, a + 1 + k)),
  );
  return [...pairs, ...randomBasis(length, draws)]
    .flatMap((direction) => [step, -step].map((by) => moved(point, direction, by)))
    .filter((other) => !isSame(point, other));
}

function diagonals(length: number, a: number, b: number): readonly number[][] {
  return [1, -1].map((sign) => Array.from({ length }, (_, d) => (d === a ? 1 : d === b ? sign : 0)));
}

/** Directions at right angles to each other, turned at random (Gram and Schmidt). */
function randomBasis(length: number, draws: Draws): readonly (readonly number[])[] {
  const basis: (readonly number[])[] = [];
  while (basis.length < length) {
    let vector = Array.from({ length }, () => normalQuantile(draws()));
    for (const other of basis) {
      const along = dot(vector, other);
      vector = vector.map((x, d) => x - along * (other[d] as number));
    }
    const size = Math.sqrt(dot(vector, vector));
    if (size > 1e-6) basis.push(vector.map((x) => x / size));
  }
  return basis;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, d) => sum + x * (b[d] as number), 0);
}

function moved(point: readonly number[], direction: readonly number[], by: number): number[] {
  return point.map((x, d) => inCube(x + by * (direction[d] as number)));
}

/** The best point of a new simplex around a point, turned at random. */
function* restarted<V>(start: Vertex<V>, landscape: Landscape<V>): NeighbourSearch<V> {
  const { better, draws } = landscape;
  let best = start;
  const note = (points: readonly (readonly number[])[], values: readonly V[]): void => {
    points.forEach((point, i) => {
      const value = values[i] as V;
      if (better(value, best.value)) best = { point, value };
    });
  };
  const corners = randomBasis(start.point.length, draws).map((direction) => {
    const corner = moved(start.point, direction, RESTART_REACH);
    const other = moved(start.point, direction, -RESTART_REACH);
    return distance(corner, start.point) >= distance(other, start.point) ? corner : other;
  });
  const worth = yield corners;
  note(corners, worth);
  const simplex = [start, ...corners.map((point, i): Vertex<V> => ({ point, value: worth[i] as V }))];
  const descent: PointSearch<V> = nelderMead(simplex, better, SIMPLEX_END);
  let step = descent.next();
  while (step.done !== true) {
    const values = yield step.value;
    note(step.value, values);
    step = descent.next(values);
  }
  return best;
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((x, d) => x - (b[d] as number)));
}
