import { describe, expect, it } from 'vitest';
import { drawsOf } from '../statistics/draws.js';
import { multiStart } from './multi-start.js';
import { type Better, nelderMead, type PointSearch } from './nelder-mead.js';

/** Follows a search over a function to its end: the best point, and how many were asked for. */
function minimum<V>(search: PointSearch<V>, f: (point: readonly number[]) => V, better: Better<V>) {
  let best: { point: readonly number[]; value: V } | undefined;
  let asked = 0;
  let step = search.next();
  while (step.done !== true) {
    const found = step.value.map((point) => ({ point, value: f(point) }));
    for (const each of found) if (best === undefined || better(each.value, best.value)) best = each;
    asked += found.length;
    step = search.next(found.map(({ value }) => value));
  }
  if (best === undefined) throw new Error('nothing was asked for');
  return { ...best, asked };
}

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
    const { point, asked } = minimum(nelderMead(start, less), f, less);
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
    const { point, value } = minimum(nelderMead(simplexAt([0.2, 0.7], f), less), f, less);
    expect(value).toBeLessThan(0.001);
    expect(point.map((place) => 4 * place - 2).map((place) => Math.round(place * 20) / 20)).toEqual([1, 1]);
  });

  it('stays in the cube, and finds a corner of it', () => {
    const f = ([x, y]: readonly number[]): number => (x as number) - (y as number);
    const all: (readonly number[])[] = [];
    const { point } = minimum(
      nelderMead(simplexAt([0.5, 0.5], f), less),
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
      ),
      () => 7,
      less,
    );
    expect(asked).toBeLessThan(60);
  });
});

describe('a search from several starts', () => {
  const search = (seed: number, isEnough: (value: number) => boolean = () => false) =>
    multiStart({ dimensions: 2, starts: 20, draws: drawsOf(seed, 'test'), better: less, isEnough });

  // Two wells; the simplex from the middle alone would fall into the shallower one.
  const wells = ([x, y]: readonly number[]): number => {
    const well = (a: number, b: number, depth: number): number =>
      -depth * Math.exp(-40 * (((x as number) - a) ** 2 + ((y as number) - b) ** 2));
    return well(0.5, 0.55, 1) + well(0.85, 0.15, 2);
  };

  it.each([1, 2, 3, 4, 5])('finds the deeper of two wells, from seed %i', (seed) => {
    const { point, value } = minimum(search(seed), wells, less);
    expect(value).toBeLessThan(-1.99);
    expect(point[0]).toBeCloseTo(0.85, 1);
  });

  it('asks for the same points with the same seed, and for others with another', () => {
    const asked = (seed: number) => {
      const list: (readonly number[])[] = [];
      minimum(
        search(seed),
        (point) => {
          list.push(point);
          return wells(point);
        },
        less,
      );
      return list;
    };
    expect(asked(1)).toEqual(asked(1));
    expect(asked(1)).not.toEqual(asked(2));
  });

  it('ends with the first value that is enough', () => {
    const { asked } = minimum(
      search(1, (value) => value < 0),
      wells,
      less,
    );
    expect(asked).toBe(20);
  });
});
