import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from './bootstrap.js';
import { normalQuantile, tQuantile, tTwoSided } from './distributions.js';
import { drawsOf, shuffled } from './draws.js';
import { estimateOf, meanInterval } from './estimate.js';

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

describe('the intervals of skewed values', () => {
  it.each([
    [5, 0.81],
    [8, 0.88],
  ])('cover the mean less often than 95 %%: of %i lognormal values in a share of %d', (n, share) => {
    const draw = drawsOf(9, 'lognormal');
    const truth = Math.exp(0.5);
    const trials = 1_500;
    const covered = Array.from({ length: trials }, (_, trial) => {
      const values = Array.from({ length: n }, () => Math.exp(normalQuantile(draw())));
      const { bootstrap95, t95 } = estimateOf(values, () => drawsOf(trial, 'bootstrap'));
      const [low = 0, high = 0] = bootstrap95 ?? t95 ?? [];
      return low <= truth && truth <= high;
    }).filter(Boolean).length;
    // The standard deviation of such a share is about 0.01.
    expect(Math.abs(covered / trials - share)).toBeLessThan(0.03);
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
    const [low = 0, high = 0] = meanInterval(values) ?? [];
    expect((high - low) / 2).toBeCloseTo((2.262_157 * sd) / Math.sqrt(10), 5);
  });

  it('of skewed values has an interval by the bootstrap too, the same for a seed', () => {
    const skewed = [1, 1, 1, 2, 2, 3, 3, 4, 9, 40];
    const estimate = estimateOf(skewed, draws);
    expect(estimate.bootstrap95).toEqual(bootstrapInterval(skewed, draws()));
    expect(estimate.bootstrap95?.[0]).toBeGreaterThan(estimate.t95?.[0] ?? 0);
    expect(estimateOf([1, 2, 3, 4, 5, 6, 7, 8], draws).bootstrap95).toBeNull();
    // A third of the resamples would be of zeros alone.
    expect(estimateOf([0, 0, 0, 0, 0, 0, 0, 1], draws)).toMatchObject({
      bootstrap95: null,
      t95: [expect.any(Number), expect.any(Number)],
    });
  });
});

describe('the interval of an estimate covers the true mean about as often as docs/experiments.md says', () => {
  const SAMPLES = 300;
  type Sampler = (draw: () => number) => number;
  const normal: Sampler = (draw) => normalQuantile(draw());
  const exponential: Sampler = (draw) => -Math.log(draw());
  const lognormal: Sampler = (draw) => Math.exp(normalQuantile(draw()));
  /** Whole numbers with mean 2 (Poisson, by the product of uniform numbers). */
  const discrete: Sampler = (draw) => {
    let count = -1;
    for (let product = 1; product > Math.exp(-2); product *= draw()) count += 1;
    return count;
  };

  // The standard error of a share near 0.95 is 0.013 here: the bounds are three of them.
  it.each([
    ['normal', 3, 0.95, 0, normal],
    ['normal', 8, 0.95, 0, normal],
    ['normal', 30, 0.95, 0, normal],
    ['discrete', 8, 0.93, 2, discrete],
    ['discrete', 30, 0.95, 2, discrete],
    ['exponential', 3, 0.88, 1, exponential],
    ['exponential', 8, 0.925, 1, exponential],
    ['exponential', 30, 0.95, 1, exponential],
    ['lognormal', 8, 0.88, Math.exp(0.5), lognormal],
    ['lognormal', 30, 0.92, Math.exp(0.5), lognormal],
  ] as const)('%s values, %i of them: %d', (name, n, share, truth, sampler) => {
    const draw = drawsOf(n, `samples ${name}`);
    let hits = 0;
    for (let i = 0; i < SAMPLES; i += 1) {
      const values = Array.from({ length: n }, () => sampler(draw));
      const { t95, bootstrap95 } = estimateOf(values, () => drawsOf(i, 'boot'));
      const [low, high] = bootstrap95 ?? t95 ?? [Number.NaN, Number.NaN];
      if (low <= truth && truth <= high) hits += 1;
    }
    expect(Math.abs(hits / SAMPLES - share)).toBeLessThan(0.04);
  });
});

it('a shuffle has every number once', () => {
  expect(shuffled(20, drawsOf(1, 'x')).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
});
