import { describe, expect, it } from 'vitest';
import { holm, holmMissing, independentDifference, pairedDifference } from './difference.js';
import { normalQuantile } from './distributions.js';
import { drawsOf } from './draws.js';

// Student's data on sleep (1908): hours gained by ten patients with each of two drugs.
const ONE = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
const TWO = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

describe('a difference', () => {
  it('in pairs is that of the published example', () => {
    const { difference, p, t95, n, effect } = pairedDifference(ONE, TWO);
    expect([difference, n]).toEqual([expect.closeTo(1.58, 10), [10, 10]]);
    expect(p).toBeCloseTo(0.002_833, 6);
    expect(t95[0]).toBeCloseTo(0.700_114, 5);
    expect(t95[1]).toBeCloseTo(2.459_886, 5);
    // t = 4.062128 over the root of ten.
    expect(effect).toBeCloseTo(4.062_128 / Math.sqrt(10), 5);
  });

  it('of independent samples is that of the published example', () => {
    const { p, t95 } = independentDifference(ONE, TWO);
    expect(p).toBeCloseTo(0.079_394, 5);
    expect(t95[0]).toBeCloseTo(-0.205_483, 5);
    expect(t95[1]).toBeCloseTo(3.365_483, 5);
  });

  it('in pairs has the narrower interval where the pairs go together', () => {
    const { t95, narrowed } = pairedDifference(ONE, TWO);
    const apart = independentDifference(ONE, TWO).t95;
    expect(narrowed).toBeCloseTo((apart[1] - apart[0]) / (t95[1] - t95[0]), 9);
    expect(narrowed).toBeGreaterThan(2);
  });

  it('without any spread is certain', () => {
    expect(pairedDifference([1, 2, 3], [1, 2, 3])).toMatchObject({ difference: 0, p: 1, t95: [0, 0], effect: 0 });
    expect(pairedDifference([1, 2, 3], [2, 3, 4])).toMatchObject({ difference: 1, p: 0, t95: [1, 1], effect: null });
    expect(independentDifference([1, 1], [2, 2])).toMatchObject({ difference: 1, p: 0, effect: null });
  });

  it('where there is none is found in about five of a hundred', () => {
    const draw = drawsOf(4, 'normal');
    const sample = (): number[] => Array.from({ length: 12 }, () => normalQuantile(draw()));
    const found = (compare: typeof pairedDifference): number =>
      Array.from({ length: 1_000 }, () => compare(sample(), sample())).filter(({ p }) => p < 0.05).length;
    // 50 are expected; the standard deviation is 6.9.
    for (const count of [found(pairedDifference), found(independentDifference)]) {
      expect(count).toBeGreaterThan(29);
      expect(count).toBeLessThan(71);
    }
  });
});

describe("Holm's correction", () => {
  it('is that of the published example', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(6)))).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });

  it('gives intervals that exclude zero just where the corrected probability shows a difference', () => {
    const draw = drawsOf(5, 'holm');
    const noise = (): number => normalQuantile(draw());
    for (let report = 0; report < 200; report += 1) {
      const pairs = Array.from({ length: 6 }, (_, k) => {
        const a = Array.from({ length: 8 }, noise);
        return [a, a.map((value) => value + 0.3 * k + noise())] as const;
      });
      const probabilities = pairs.map(([a, b]) => pairedDifference(a, b).p);
      const missing = holmMissing(probabilities);
      const excluding = pairs.map(([a, b], i) => {
        const [low, high] = pairedDifference(a, b, missing[i]).t95;
        return low > 0 || high < 0;
      });
      expect(excluding).toEqual(holm(probabilities).map((p) => p <= 0.05));
    }
  });
});
