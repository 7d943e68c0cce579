import { describe, expect, it } from 'vitest';
import { streamKey, uniform } from './counter-random.js';
import { exp, gamma, ln } from './exact-math.js';
import { normalQuantile } from './normal-quantile.js';
import { exponential, logNormal, weibull } from './samplers.js';

describe('own elementary functions', () => {
  it('ln agrees with Math.log over all magnitudes, and near 1', () => {
    for (let i = 1; i < 20_000; i += 1) {
      const wide = 10 ** ((i / 20_000 - 0.5) * 614);
      expect(Math.abs(ln(wide) - Math.log(wide))).toBeLessThanOrEqual(1e-12 * Math.abs(Math.log(wide)));
      const near = 0.5 + i / 20_000;
      expect(Math.abs(ln(near) - Math.log(near))).toBeLessThanOrEqual(1e-12 * Math.abs(Math.log(near)));
    }
    expect(ln(1)).toBe(0);
    expect(ln(5e-324)).toBeCloseTo(-744.4400719213812, 9);
    expect(ln(Number.MAX_VALUE)).toBeCloseTo(709.782712893384, 9);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('ln(%f) is refused', (x) =>
    expect(() => ln(x)).toThrow(RangeError),
  );

  it('exp agrees with Math.exp', () => {
    for (let i = 0; i <= 20_000; i += 1) {
      const x = (i / 20_000 - 0.5) * 1_400;
      expect(Math.abs(exp(x) - Math.exp(x))).toBeLessThanOrEqual(1e-12 * Math.exp(x));
    }
    expect([exp(0), exp(-800), exp(800)]).toEqual([1, 0, Number.POSITIVE_INFINITY]);
  });

  it.each([
    [1, 1],
    [1.5, 0.886226925452758],
    [2, 1],
    [5, 24],
    [6, 120],
    [21, 2432902008176640000],
  ])('gamma(%f) is %f', (x, value) => expect(gamma(x) / value).toBeCloseTo(1, 12));

  it.each([0.5, 101, Number.NaN])('gamma(%f) is refused', (x) => expect(() => gamma(x)).toThrow(RangeError));

  // Python's statistics.NormalDist().inv_cdf.
  it.each([
    [0.5, 0],
    [0.975, 1.9599639845400536],
    [0.9, 1.2815515655446008],
    [0.0749, -1.4402382675279632],
    [0.001, -3.090232306167813],
    [1e-10, -6.361340902404056],
    [1e-300, -37.0470962993612],
  ])('a share %f of the normal distribution lies below %f', (p, value) => {
    expect(Math.abs(normalQuantile(p) - value)).toBeLessThanOrEqual(1e-14 * Math.abs(value));
  });

  it.each([0, 1, Number.NaN])('the quantile of %f is refused', (p) =>
    expect(() => normalQuantile(p)).toThrow(RangeError),
  );
});

const SAMPLES = 100_000;
const { high, low } = streamKey(11, 'samplers', 0);

function sampled(of: (u: number) => number): number[] {
  return Array.from({ length: SAMPLES }, (_, n) => of(uniform(high, low, 3, n))).sort((a, b) => a - b);
}

/** The greatest distance between the share of samples below a value and what the distribution says. */
function distance(sorted: readonly number[], cdf: (x: number) => number): number {
  return sorted.reduce((worst, x, i) => Math.max(worst, Math.abs(cdf(x) - i / SAMPLES)), 0);
}

/** Kolmogorov's bound that a fair sample exceeds once in 10,000. */
const KOLMOGOROV = 2.23 / Math.sqrt(SAMPLES);

describe('samplers', () => {
  it.each<[string, (u: number) => number, (x: number) => number, mean: number, deviation: number]>([
    ['exponential', (u) => exponential(u, 300), (x) => 1 - Math.exp(-x / 300), 300, 300],
    [
      'weibull of shape 0.8',
      (u) => weibull(u, 300, 0.8),
      (x) => 1 - Math.exp(-((x / (300 / 1.1330030963193476)) ** 0.8)),
      300,
      300 * 1.2605,
    ],
    ['weibull of shape 1', (u) => weibull(u, 300, 1), (x) => 1 - Math.exp(-x / 300), 300, 300],
  ])('%s has the distribution and the mean that it should', (_name, of, cdf, mean, deviation) => {
    const samples = sampled(of);
    expect(distance(samples, cdf)).toBeLessThan(KOLMOGOROV);
    const average = samples.reduce((sum, x) => sum + x, 0) / SAMPLES;
    expect(Math.abs(average - mean)).toBeLessThan((4 * deviation) / Math.sqrt(SAMPLES));
  });

  it('log-normal has the mean, the median and the quartiles that it should', () => {
    const samples = sampled((u) => logNormal(u, 300, 1));
    const average = samples.reduce((sum, x) => sum + x, 0) / SAMPLES;
    // Deviation: mean × √(e^σ² - 1).
    expect(Math.abs(average - 300)).toBeLessThan((4 * 300 * Math.sqrt(Math.E - 1)) / Math.sqrt(SAMPLES));
    const median = 300 * Math.exp(-0.5);
    expect(samples[SAMPLES / 2]! / median).toBeCloseTo(1, 1);
    expect(samples[SAMPLES / 4]! / (median * Math.exp(-0.6744897501960817))).toBeCloseTo(1, 1);
    expect(samples[(SAMPLES * 3) / 4]! / (median * Math.exp(0.6744897501960817))).toBeCloseTo(1, 1);
  });

  it('grow with the number that they are drawn from', () => {
    for (const of of [
      (u: number) => exponential(u, 9),
      (u: number) => logNormal(u, 9, 2),
      (u: number) => weibull(u, 9, 0.5),
    ]) {
      const values = [1e-9, 0.1, 0.4, 0.5, 0.9, 1 - 1e-9].map(of);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      expect(values[0]).toBeGreaterThan(0);
    }
  });

  it('give the same bits on every machine', () => {
    expect(exponential(0.25, 3_600)).toBe(1035.6554608264112);
    expect(logNormal(0.25, 3_600, 1)).toBe(1112.3157409918267);
    expect(weibull(0.25, 3_600, 0.8)).toBe(669.4411466990225);
  });
});
