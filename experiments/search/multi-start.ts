/** A search of the whole unit cube: points spread evenly, then a simplex from each of the best of them. The simplex is nelder-mead.ts. */

import { sobolPoints } from '../design/sobol-sequence.js';
import type { Draws } from '../statistics/draws.js';
import { type Better, nelderMead, type PointSearch, type Vertex } from './nelder-mead.js';

/** How a cube is searched. */
export interface MultiStart<V> {
  readonly dimensions: number;
  /** Points that are spread over the cube; the simplex starts from the best of them. */
  readonly starts: number;
  readonly draws: Draws;
  readonly better: Better<V>;
  /** Whether a value is good enough to end the search. */
  readonly isEnough: (value: V) => boolean;
}

/** The first simplex reaches this far from its start in each dimension. */
const REACH = 0.12;
/** The maximum number of spread points from which a simplex starts. */
const DESCENTS_MAX = 4;

/** Spreads points by the Sobol sequence, the middle of the cube among them, and goes downhill from the best. */
export function* multiStart<V>({ dimensions, starts, draws, better, isEnough }: MultiStart<V>): PointSearch<V> {
  const middle = Array.from({ length: dimensions }, () => 0.5);
  const spread = [middle, ...sobolPoints(starts - 1, dimensions, draws)];
  const values = yield spread;
  const found = spread.map((point, i): Vertex<V> => ({ point, value: values[i] as V }));
  if (dimensions === 0 || found.some(({ value }) => isEnough(value))) return;
  for (const start of apart(
    found.toSorted((a, b) => (better(a.value, b.value) ? -1 : better(b.value, a.value) ? 1 : 0)),
  )) {
    const corners = start.point.map((x, d) => start.point.with(d, x < 0.5 ? x + REACH : x - REACH));
    const worth = yield corners;
    const simplex = [start, ...corners.map((point, i): Vertex<V> => ({ point, value: worth[i] as V }))];
    const descent = nelderMead(simplex, better);
    let step = descent.next();
    while (step.done !== true) {
      const given = yield step.value;
      if (given.some(isEnough)) return;
      step = descent.next(given);
    }
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
