import { describe, expect, it } from 'vitest';
import { minimum } from '../../test/fixtures/minimum.js';
import { type Better, nelderMead } from './nelder-mead.js';

const SMALL = 0.005;
const less: Better<number> = (a, b) => a < b;
const simplexAt = (corner: readonly number[], f: (point: readonly number[]) => number) =>
  [corner, ...corner.map((x, d) => corner.with(d, x + 0.1))].map((point) => ({ point, value: f(point) }));

describe('the simplex of Nelder and Mead', () => {
  it.each([1, 2, 4, 6])('finds the bottom of a bowl in %i dimensions', (dimensions) => {
    const bottom = Array.from({ length: dimensions }, (_, d) => 0.3 + 0.07 * d);
    const f = (point: readonly number[]): number =>
      point.reduce((sum, x, d) => sum + (d + 1) * (x - (bottom[d] as number)) ** 2, 0);
    const start = simplexAt(
      bottom.map(() => 0.8),
      f,
    );
    const { point, asked } = minimum(nelderMead(start, less, SMALL), f, less);
    point.forEach((x, d) => {
      expect(x).toBeCloseTo(bottom[d] as number, 2);
    });
    expect(asked).toBeLessThan(400);
  });

  it("follows the bend of Rosenbrock's valley", () => {
    // Over [-2, 2] in both dimensions; its lowest place is (1, 1).
    const f = ([u, v]: readonly number[]): number => {
      const [x, y] = [4 * (u as number) - 2, 4 * (v as number) - 2];
      return (1 - x) ** 2 + 100 * (y - x * x) ** 2;
    };
    const { point, value } = minimum(nelderMead(simplexAt([0.2, 0.7], f), less, SMALL), f, less);
    expect(value).toBeLessThan(0.001);
    expect(point.map((place) => 4 * place - 2).map((place) => Math.round(place * 20) / 20)).toEqual([1, 1]);
  });

  it('stays in the cube, and finds a corner of it', () => {
    const f = ([x, y]: readonly number[]): number => (x as number) - (y as number);
    const all: (readonly number[])[] = [];
    const { point } = minimum(
      nelderMead(simplexAt([0.5, 0.5], f), less, SMALL),
      (p) => {
        all.push(p);
        return f(p);
      },
      less,
    );
    expect(point).toEqual([0, 1]);
    expect(all.flat().every((x) => x >= 0 && x <= 1)).toBe(true);
  });

  it('ends on a plain, where nothing is better', () => {
    const { asked } = minimum(
      nelderMead(
        simplexAt([0.4, 0.4], () => 7),
        less,
        SMALL,
      ),
      () => 7,
      less,
    );
    expect(asked).toBeLessThan(60);
  });
});
