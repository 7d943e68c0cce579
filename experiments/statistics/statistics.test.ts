import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from './bootstrap.js';
import { normalQuantile, tQuantile, tTwoSided } from './distributions.js';
import { drawsOf, shuffled } from './draws.js';
import { estimateOf, halfWidth, meanInterval } from './estimate.js';

describe("Student's t", () => {
  // Published tables.
  it.each([
    [0.975, 1, 12.706_205],
    [0.975, 4, 2.776_445],
    [0.975, 29, 2.045_23],
    [0.995, 29, 2.756_386],
    [0.95, 9, 1.833_113],
    [0.975, 1_000, 1.962_339],
  ])('has its quantile %d with %i degrees of freedom at %d', (p, degrees, value) => {
    expect(tQuantile(p, degrees)).toBeCloseTo(value, 5);
  });

  it('gives the probability of a value as far from zero', () => {
    expect(tTwoSided(2.045_23, 29)).toBeCloseTo(0.05, 6);
    expect(tTwoSided(-2.045_23, 29)).toBeCloseTo(0.05, 6);
    expect(tTwoSided(0, 5)).toBe(1);
  });
});

describe('an estimate', () => {
  const draws = () => drawsOf(1, 'test');

  it('has mean, spread and quantiles', () => {
    expect(estimateOf([2, 4, 4, 4, 5, 5, 7, 9], draws)).toMatchObject({ n: 8, mean: 5, min: 2, p50: 4.5, max: 9 });
    expect(estimateOf([2, 4, 4, 4, 5, 5, 7, 9], draws).sd).toBeCloseTo(Math.sqrt(32 / 7), 12);
  });

  it('of one value has no interval, and of equal values one without width', () => {
    expect(estimateOf([3], draws)).toMatchObject({ n: 1, sd: null, t95: null, bootstrap95: null, skewness: null });
    expect(estimateOf([3, 3, 3], draws)).toMatchObject({ sd: 0, t95: [3, 3], bootstrap95: null, skewness: null });
  });

  it('has the interval of a worked example', () => {
    // Sample of 10 with mean 5.1 and sd 3.6040…; t with 9 degrees of freedom is 2.262157.
    const values = [1, 2, 3, 3, 4, 5, 5, 6, 8, 14];
    const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - 5.1) ** 2, 0) / 9);
    expect(halfWidth(values)).toBeCloseTo((2.262_157 * sd) / Math.sqrt(10), 5);
  });

  it('of skewed values has an interval by the bootstrap too, the same for a seed', () => {
    const skewed = [1, 1, 1, 2, 2, 3, 3, 4, 9, 40];
    const estimate = estimateOf(skewed, draws);
    expect(estimate.bootstrap95).toEqual(bootstrapInterval(skewed, draws()));
    expect(estimate.bootstrap95?.[0]).toBeGreaterThan(estimate.t95?.[0] ?? 0);
    expect(estimateOf([1, 2, 3, 4, 5, 6, 7, 8], draws).bootstrap95).toBeNull();
  });
});

describe('intervals cover the true mean about as often as they say', () => {
  const SAMPLES = 150;
  const draw = drawsOf(1, 'samples');
  const covered = (
    sample: (draw: () => number) => number,
    interval: (values: number[], i: number) => readonly [number, number],
    truth: number,
  ) => {
    let hits = 0;
    for (let i = 0; i < SAMPLES; i += 1) {
      const [low, high] = interval(
        Array.from({ length: 30 }, () => sample(draw)),
        i,
      );
      if (low <= truth && truth <= high) hits += 1;
    }
    return hits / SAMPLES;
  };

  it("Student's t for normal values", () => {
    const share = covered(
      (draw) => normalQuantile(draw()),
      (values) => meanInterval(values) as [number, number],
      0,
    );
    expect(share).toBeGreaterThan(0.9);
    expect(share).toBeLessThan(0.995);
  });

  it('the bootstrap for exponential values', () => {
    const share = covered(
      (draw) => -Math.log(draw()),
      (values, i) => bootstrapInterval(values, drawsOf(i, 'boot')),
      1,
    );
    expect(share).toBeGreaterThan(0.87);
    expect(share).toBeLessThan(0.995);
  });
});

it('a shuffle has every number once', () => {
  expect(shuffled(20, drawsOf(1, 'x')).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
});
