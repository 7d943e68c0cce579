import { describe, expect, it } from 'vitest';
import { distance, weightsFor } from './design-plan.js';
import { frontOf, isNear, spanOf, thinned } from './front.js';

describe('a front', () => {
  it('has the values that no others dominate, each once', () => {
    expect(
      frontOf([
        [1, 5],
        [2, 2],
        [3, 3],
        [5, 1],
        [2, 2],
        [1, 6],
      ]),
    ).toEqual([0, 1, 3]);
  });

  it('keeps its ends where it is thinned', () => {
    expect(thinned([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([0, 3, 6]);
    expect(thinned([0, 1], 3)).toEqual([0, 1]);
  });
});

describe('the distance from the best of all objectives', () => {
  const front = [
    [0, 10],
    [4, 4],
    [10, 0],
  ];
  const span = spanOf(front);
  const nearest = (weights: readonly number[]): number => {
    const distances = front.map((values) => distance(values, weights, span));
    return distances.indexOf(Math.min(...distances));
  };

  it('finds each point of a front by some weights', () => {
    expect(
      [
        [0.9, 0.1],
        [0.5, 0.5],
        [0.1, 0.9],
      ].map(nearest),
    ).toEqual([0, 1, 2]);
  });

  it('is greater for a point that is dominated in the objective with less weight', () => {
    expect(distance([4, 5], [0.9, 0.1], span)).toBeGreaterThan(distance([4, 4], [0.9, 0.1], span));
  });
});

it('has weights of every objective, which sum to 1', () => {
  expect(weightsFor(2)).toHaveLength(5);
  expect(weightsFor(3)).toHaveLength(6);
  for (const weights of [...weightsFor(2), ...weightsFor(3)]) {
    expect(Math.min(...weights)).toBeGreaterThan(0);
    expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  }
});

describe('near the optimum', () => {
  const best = [100, 101, 99, 100];

  it('is a point that is not shown to be worse than the tolerance, in pairs of runs', () => {
    expect(isNear(best, [100.5, 101.5, 99.5, 100.5], 1, 0.01)).toBe(true);
    expect(isNear(best, [103, 104, 102, 103], 1, 0.01)).toBe(false);
    // The mean is worse by 3, and by so few and different runs it may be none.
    expect(isNear(best, [100, 107, 98, 107], 1, 0.01)).toBe(true);
  });

  it('is the other side where more is better, and never a point with fewer runs', () => {
    expect(isNear(best, [103, 104, 102, 103], -1, 0.01)).toBe(true);
    expect(isNear(best, [97, 98, 96, 97], -1, 0.01)).toBe(false);
    expect(isNear(best, [100, 101, 99], 1, 0.01)).toBe(false);
  });
});
