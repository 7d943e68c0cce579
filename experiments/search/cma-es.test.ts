import { describe, expect, it } from 'vitest';
import { minimum } from '../../test/fixtures/minimum.js';
import { drawsOf } from '../statistics/draws.js';
import { type CmaEs, cmaEs, defaultPopulation } from './cma-es.js';
import { type Matrix, symmetricEigen } from './symmetric-eigen.js';

type Landscape = (point: readonly number[]) => number;

const less = (a: number, b: number): boolean => a < b;
const evolve = (start: readonly number[], f: Landscape, options: Partial<CmaEs<number>> = {}) =>
  minimum(cmaEs(start, { better: less, draws: drawsOf(1, 'test'), reach: 0.2, small: 1e-5, ...options }), f, less);

describe('a population that adapts its covariance', () => {
  it.each([1, 2, 5, 10])('finds the bottom of a bowl in %i dimensions', (dimensions) => {
    const bottom = Array.from({ length: dimensions }, (_, d) => 0.3 + 0.04 * d);
    const { point } = evolve(
      bottom.map(() => 0.8),
      (p) => p.reduce((sum, x, d) => sum + (x - (bottom[d] as number)) ** 2, 0),
    );
    expect(Math.max(...point.map((x, d) => Math.abs(x - (bottom[d] as number))))).toBeLessThan(1e-4);
  });

  it('learns that numbers have to move together', () => {
    // A valley along the diagonal, 1,000 times as steep across it as along it.
    const { point } = evolve([0.2, 0.2], ([x = 0, y = 0]) => 1_000_000 * (x - y) ** 2 + (x + y - 1.4) ** 2);
    expect(point.map((x) => Math.round(x * 1_000) / 1_000)).toEqual([0.7, 0.7]);
  });

  it('needs no values but their order', () => {
    const f: Landscape = ([x = 0, y = 0]) => (x - 0.3) ** 2 + (y - 0.6) ** 2;
    const rooted: Landscape = (p) => Math.cbrt(f(p));
    expect(evolve([0.9, 0.1], rooted).point).toEqual(evolve([0.9, 0.1], f).point);
  });

  it('stays in the cube, and finds a corner of it', () => {
    const asked: (readonly number[])[] = [];
    const { point } = evolve([0.5, 0.5], (p) => {
      asked.push(p);
      return (p[0] as number) - (p[1] as number);
    });
    expect(asked.flat().every((x) => x >= 0 && x <= 1)).toBe(true);
    expect(point.map((x) => Math.round(x * 100) / 100)).toEqual([0, 1]);
  });

  it('ends on a plain after one population', () => {
    expect(evolve([0.5, 0.5, 0.5], () => 1).asked).toBe(7);
    expect([1, 2, 5, 20].map(defaultPopulation)).toEqual([4, 6, 8, 12]);
  });
});

it('takes a symmetric matrix apart into its axes', () => {
  const matrix: Matrix = [
    [4, 1, -2],
    [1, 2, 0.5],
    [-2, 0.5, 3],
  ];
  const { values, vectors } = symmetricEigen(matrix);
  matrix.forEach((row, i) => {
    row.forEach((x, j) => {
      const again = values.reduce((sum, value, a) => sum + value * (vectors[i]?.[a] ?? 0) * (vectors[j]?.[a] ?? 0), 0);
      expect(again).toBeCloseTo(x, 12);
    });
  });
  expect(values.reduce((a, b) => a + b, 0)).toBeCloseTo(9, 12);
});
