import { describe, expect, it } from 'vitest';
import { minimum } from '../../test/fixtures/minimum.js';
import { drawsOf } from '../statistics/draws.js';
import { type MultiStart, multiStart } from './multi-start.js';

type Landscape = (point: readonly number[]) => number;

const less = (a: number, b: number): boolean => a < b;
const searchOf = (dimensions: number, seed: number, options: Partial<MultiStart<number>> = {}) =>
  multiStart<number>({
    ...{ dimensions, spread: 10 * (dimensions + 1), pointsMax: 2_000, draws: drawsOf(seed, 'test'), better: less },
    isSame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    isEnough: () => false,
    ...options,
  });

describe('a search from several starts', () => {
  // Two wells; the simplex from the middle alone would fall into the shallower one.
  const wells: Landscape = ([x, y]) => {
    const well = (a: number, b: number, depth: number): number =>
      -depth * Math.exp(-40 * (((x as number) - a) ** 2 + ((y as number) - b) ** 2));
    return well(0.5, 0.55, 1) + well(0.85, 0.15, 2);
  };

  it.each([1, 2, 3, 4, 5])('finds the deeper of two wells, from seed %i', (seed) => {
    const { point, value } = minimum(searchOf(2, seed).search, wells, less);
    expect(value).toBeLessThan(-1.99);
    expect(point[0]).toBeCloseTo(0.85, 1);
  });

  it('asks for the same points with the same seed, and for others with another', () => {
    const asked = (seed: number) => {
      const list: (readonly number[])[] = [];
      const noted: Landscape = (point) => {
        list.push(point);
        return wells(point);
      };
      minimum(searchOf(2, seed).search, noted, less);
      return list;
    };
    expect(asked(1)).toEqual(asked(1));
    expect(asked(1)).not.toEqual(asked(2));
  });

  it('ends with the first value that is enough', () => {
    const { search } = searchOf(2, 1, { isEnough: (value) => value < 0 });
    expect(minimum(search, wells, less).asked).toBe(30);
  });

  it('reports the end point of each start, and the starts that did not finish', () => {
    const whole = searchOf(2, 1);
    minimum(whole.search, wells, less);
    const ends = whole.descents.map(({ best, ended }) => [ended, best.value < -1.99 ? 'deep' : 'shallow']);
    expect(ends.length).toBeGreaterThan(1);
    expect(ends).toContainEqual([true, 'deep']);
    expect(ends).toContainEqual([true, 'shallow']);
    const short = searchOf(2, 1, { pointsMax: 40 });
    expect(minimum(short.search, wells, less, 40).converged).toBe(false);
    expect(short.descents.map(({ ended }) => ended)).toEqual([false]);
  });
});

const inEights = (x: number): number => Math.round(8 * x);

/** Landscapes on which simplexes alone end short, in some seeds: what each has, and how far from its minimum a search may end. */
const hard: readonly (readonly [what: string, dimensions: number, f: Landscape, least: number, within: number])[] = [
  [
    'two ridges across the axes',
    3,
    ([x = 0, y = 0, z = 0]) => 20 * Math.abs(y - 0.3 * x - 0.2) + 20 * Math.abs(z - 0.7 * x - 0.1) + Math.abs(x - 0.93),
    0,
    0.06,
  ],
  [
    'a kink at a limit that the best point has to keep',
    4,
    (point) => {
      const sum = point.reduce((total, x) => total + x, 0);
      const cost = point.reduce((total, x, d) => total + x * (1 + 0.1 * d) + 0.2 * (x - 0.5) ** 2, 0);
      return (sum >= 1.5 ? 0 : 5 + 1.5 - sum) + cost;
    },
    1.675,
    0.001,
  ],
  [
    'a ridge that leaves a wall',
    3,
    ([x = 0, y = 0, z = 0]) => 10 * Math.abs(x - Math.min(1, 0.9 + 0.3 * y)) + Math.abs(y - 0.1) + Math.abs(z - y),
    0,
    0.006,
  ],
  [
    'whole numbers',
    3,
    (point) => {
      const [a = 0, b = 0, c = 0] = point.map(inEights);
      return Math.abs(a - 7) + Math.abs(b - 1) + Math.abs(c - 6) + 2 * Math.abs(a - b - 6);
    },
    0,
    0.5,
  ],
];

describe('the neighbourhood of the best point', () => {
  it.each(hard)('is searched on %s', (what, dimensions, f, least, within) => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const isSame: MultiStart<number>['isSame'] =
        what === 'whole numbers'
          ? (a, b) => a.every((x, d) => inEights(x) === inEights(b[d] as number))
          : (a, b) => a.every((x, d) => x === b[d]);
      const { value, converged } = minimum(searchOf(dimensions, seed, { isSame }).search, f, less);
      expect([seed, converged, value - least < within]).toEqual([seed, true, true]);
    }
  });
});

describe('the budget', () => {
  const bowl: Landscape = ([x = 0]) => (x - 0.4321) ** 2;

  it('is used whole: what is left after the neighbourhood goes to further starts', () => {
    const search = searchOf(1, 1, { pointsMax: 80, spread: 20 });
    expect(minimum(search.search, bowl, less, 80)).toMatchObject({ converged: false });
    expect(search.descents.length).toBeGreaterThan(1);
  });

  it('refines the end far below 0.5 % of a range', () => {
    const search = searchOf(1, 1, { pointsMax: 80, spread: 20 });
    const { point } = minimum(search.search, bowl, less, 80);
    expect(Math.abs((point[0] as number) - 0.4321)).toBeLessThan(0.0005);
    expect(search.settled()).toEqual(point);
  });

  it('says of no point that it is settled while a better one was found elsewhere', () => {
    const search = searchOf(1, 1, { pointsMax: 30, spread: 20 });
    minimum(search.search, bowl, less, 30);
    expect(search.settled()).toBeUndefined();
  });
});
