/**
 * The covariance matrix adaptation evolution strategy (Hansen, The CMA Evolution Strategy: A Tutorial, 2016) in the unit cube, as a
 * generator: it yields a population of points and is given their values. It compares values only, so that limits are part of `better`.
 * Starting points are chosen in multi-start.ts.
 */

import { normalQuantile } from '../statistics/distributions.js';
import type { Draws } from '../statistics/draws.js';
import { type Better, ordered, type PointSearch, type Vertex } from './nelder-mead.js';
import { type Matrix, symmetricEigen } from './symmetric-eigen.js';

/** How a population moves. */
export interface CmaEs<V> {
  readonly better: Better<V>;
  readonly draws: Draws;
  /** The standard deviation of the first population in each dimension, of ranges of length 1. */
  readonly reach: number;
  /** Ends when no dimension has a larger standard deviation. */
  readonly small: number;
  /** Points of a population, at least 4; absent: 4 + 3 ln(dimensions). */
  readonly population?: number;
}

/** Shares of the better half of a population, and the rates of learning that follow from them and from the dimensions. */
interface Rates {
  readonly weights: readonly number[];
  readonly effective: number;
  readonly pathDecay: number;
  readonly stepDecay: number;
  readonly rankOne: number;
  readonly rankMu: number;
  readonly damping: number;
  /** The expected length of a normal vector. */
  readonly expected: number;
}

/** Moves a population from a point until it is small or has no better point left to tell it where to go. Points beyond the cube are reflected. */
export function* cmaEs<V>(start: readonly number[], options: CmaEs<V>): PointSearch<V> {
  const { better, draws, small } = options;
  const n = start.length;
  const size = options.population ?? defaultPopulation(n);
  const rates = ratesOf(n, size);
  let [mean, step, generation]: [readonly number[], number, number] = [start, options.reach, 0];
  let [stepPath, path]: [readonly number[], readonly number[]] = [start.map(() => 0), start.map(() => 0)];
  let covariance: Matrix = start.map((_, i) => start.map((_other, j) => (i === j ? 1 : 0)));
  for (;;) {
    const { values: variances, vectors } = symmetricEigen(covariance);
    const deviations = variances.map((variance) => Math.sqrt(Math.max(variance, 1e-20)));
    if (step * Math.max(...deviations) <= small) return;
    const points = Array.from({ length: size }, () => {
      const z = deviations.map((deviation) => deviation * normalQuantile(draws()));
      return mean.map((m, i) => reflected(m + step * dot(vectors[i] ?? [], z)));
    });
    const values = yield points;
    const found = ordered(
      points.map((point, i): Vertex<V> => ({ point, value: values[i] as V })),
      better,
    );
    const [best, worst] = [found[0] as Vertex<V>, found.at(-1) as Vertex<V>];
    // On a plain there is no direction.
    if (!better(best.value, worst.value)) return;
    const moves = rates.weights.map((_, k) =>
      (found[k] as Vertex<V>).point.map((x, i) => (x - (mean[i] as number)) / step),
    );
    const move = mean.map((_, i) => rates.weights.reduce((sum, weight, k) => sum + weight * (moves[k]?.[i] ?? 0), 0));
    mean = mean.map((m, i) => m + step * (move[i] as number));
    generation += 1;
    // C^(-1/2) times the move: into the axes of the population, to length 1, and back.
    const along = deviations.map(
      (deviation, a) => move.reduce((sum, y, i) => sum + (vectors[i]?.[a] ?? 0) * y, 0) / deviation,
    );
    const whitened = mean.map((_, i) => dot(vectors[i] ?? [], along));
    const { stepDecay, pathDecay, rankOne, rankMu, effective, damping, expected, weights } = rates;
    stepPath = blend(stepPath, whitened, stepDecay, effective);
    const length = Math.hypot(...stepPath);
    const settled = length / Math.sqrt(1 - (1 - stepDecay) ** (2 * generation)) / expected < 1.4 + 2 / (n + 1);
    path = settled ? blend(path, move, pathDecay, effective) : path.map((x) => (1 - pathDecay) * x);
    const kept = 1 - rankOne - rankMu + (settled ? 0 : rankOne * pathDecay * (2 - pathDecay));
    covariance = covariance.map((row, i) =>
      row.map((c, j) => {
        const spread = weights.reduce(
          (sum, weight, k) => sum + weight * (moves[k]?.[i] ?? 0) * (moves[k]?.[j] ?? 0),
          0,
        );
        return kept * c + rankOne * (path[i] as number) * (path[j] as number) + rankMu * spread;
      }),
    );
    step *= Math.exp(Math.min(1, (stepDecay / damping) * (length / expected - 1)));
  }
}

/** The usual points of a population. */
export function defaultPopulation(dimensions: number): number {
  return 4 + Math.floor(3 * Math.log(dimensions));
}

function ratesOf(n: number, size: number): Rates {
  const raw = Array.from({ length: Math.floor(size / 2) }, (_, k) => Math.log((size + 1) / 2) - Math.log(k + 1));
  const sum = raw.reduce((a, b) => a + b, 0);
  const weights = raw.map((weight) => weight / sum);
  const effective = 1 / weights.reduce((a, weight) => a + weight ** 2, 0);
  const stepDecay = (effective + 2) / (n + effective + 5);
  const rankOne = 2 / ((n + 1.3) ** 2 + effective);
  return {
    ...{ weights, effective, stepDecay, rankOne },
    pathDecay: (4 + effective / n) / (n + 4 + (2 * effective) / n),
    rankMu: Math.min(1 - rankOne, (2 * (effective - 2 + 1 / effective)) / ((n + 2) ** 2 + effective)),
    damping: 1 + 2 * Math.max(0, Math.sqrt((effective - 1) / (n + 1)) - 1) + stepDecay,
    expected: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n ** 2)),
  };
}

/** An average of a path and a step that keeps the length of a path of random steps. */
function blend(path: readonly number[], step: readonly number[], decay: number, effective: number): readonly number[] {
  const factor = Math.sqrt(decay * (2 - decay) * effective);
  return path.map((x, i) => (1 - decay) * x + factor * (step[i] as number));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, i) => sum + x * (b[i] as number), 0);
}

/** A coordinate beyond a wall, reflected by it as often as needed. */
function reflected(x: number): number {
  const folded = Math.abs(x) % 2;
  return folded > 1 ? 2 - folded : folded;
}
