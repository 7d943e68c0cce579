/** Latin hypercube designs: each factor's range in as many equal parts as there are points, with one point in each. */

import { type Draws, shuffled } from '../statistics/draws.js';

/** A number of points in the unit cube (McKay, Beckman and Conover 1979). */
export function latinHypercube(points: number, dimensions: number, draws: Draws): number[][] {
  const columns = Array.from({ length: dimensions }, () =>
    shuffled(points, draws).map((part) => (part + draws()) / points),
  );
  return Array.from({ length: points }, (_, i) => columns.map((column) => column[i] as number));
}
