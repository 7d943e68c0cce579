/**
 * The simplex search of Nelder and Mead (1965) in the unit cube, as a generator: it yields points and is given their values. It
 * only compares values, so they may be anything that can be ordered. Starting points are chosen in multi-start.ts.
 */

/** A point of the unit cube and its value. */
export interface Vertex<V> {
  readonly point: readonly number[];
  readonly value: V;
}

/** Whether the first value is strictly better than the second. */
export type Better<V> = (a: V, b: V) => boolean;

/** Yields points, is given their values in the same order, and returns when it is done. */
export type PointSearch<V, Found = void> = Generator<readonly (readonly number[])[], Found, readonly V[]>;

/**
 * Moves a simplex of at least two vertices downhill until it extends no further than `small` in any dimension, of ranges of length 1.
 * Points beyond the cube are brought to its wall. The coefficients depend on the number of dimensions (Gao and Han 2012): with the usual
 * ones a simplex of many dimensions degenerates.
 */
export function* nelderMead<V>(start: readonly Vertex<V>[], better: Better<V>, small: number): PointSearch<V> {
  const dimensions = start.length - 1;
  const [expansion, contraction, shrinkage] =
    dimensions < 2 ? [2, 0.5, 0.5] : [1 + 2 / dimensions, 0.75 - 1 / (2 * dimensions), 1 - 1 / dimensions];
  let simplex = ordered(start, better);
  while (sizeOf(simplex) > small) {
    const worst = simplex.at(-1) as Vertex<V>;
    const [best, second] = [simplex[0] as Vertex<V>, simplex.at(-2) as Vertex<V>];
    const centre = centreOf(simplex.slice(0, -1));
    const at = (factor: number): readonly number[] =>
      centre.map((c, d) => inCube(c + factor * (c - (worst.point[d] as number))));
    const reflected = yield* vertexAt<V>(at(1));
    let next: Vertex<V> | null = reflected;
    if (better(reflected.value, best.value)) {
      const expanded = yield* vertexAt<V>(at(expansion));
      if (better(expanded.value, reflected.value)) next = expanded;
    } else if (!better(reflected.value, second.value)) {
      const outside = better(reflected.value, worst.value);
      const contracted = yield* vertexAt<V>(at(outside ? contraction : -contraction));
      next = better(contracted.value, outside ? reflected.value : worst.value) ? contracted : null;
    }
    if (next === null) {
      const points = simplex
        .slice(1)
        .map(({ point }) =>
          point.map((x, d) => (best.point[d] as number) + shrinkage * (x - (best.point[d] as number))),
        );
      const values = yield points;
      simplex = [best, ...points.map((point, i) => ({ point, value: values[i] as V }))];
    } else simplex = [...simplex.slice(0, -1), next];
    simplex = ordered(simplex, better);
  }
}

function* vertexAt<V>(point: readonly number[]): PointSearch<V, Vertex<V>> {
  const [value] = yield [point];
  return { point, value: value as V };
}

/** The best first. Equals keep their order, so that the same values give the same way. */
export function ordered<V>(simplex: readonly Vertex<V>[], better: Better<V>): Vertex<V>[] {
  return simplex.toSorted((a, b) => (better(a.value, b.value) ? -1 : better(b.value, a.value) ? 1 : 0));
}

function centreOf(vertices: readonly Vertex<unknown>[]): number[] {
  const [first] = vertices;
  return (first?.point ?? []).map(
    (_, d) => vertices.reduce((sum, { point }) => sum + (point[d] as number), 0) / vertices.length,
  );
}

/** A coordinate brought to the wall that it is beyond. */
export function inCube(x: number): number {
  return Math.min(1, Math.max(0, x));
}

/** How far a simplex extends in the dimension in which it extends furthest. */
function sizeOf(simplex: readonly Vertex<unknown>[]): number {
  const spans = (simplex[0]?.point ?? []).map((_, d) => {
    const places = simplex.map(({ point }) => point[d] as number);
    return Math.max(...places) - Math.min(...places);
  });
  return Math.max(0, ...spans);
}
