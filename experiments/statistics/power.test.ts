import { describe, expect, it } from 'vitest';
import { independentPower, leastRuns, pairedPower } from './power.js';

const level = 0.05;

describe('the power of a t test', () => {
  // Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), table 2.4.1, two-sided 0.05: n for each group, d = 0.2, 0.5, 0.8.
  it.each([
    [0.2, 0.8, 393, 394],
    [0.5, 0.8, 64, 64],
    [0.8, 0.8, 26, 26],
    [0.5, 0.9, 85, 86],
    [0.8, 0.9, 34, 34],
    [1, 0.8, 17, 17],
    [0.5, 0.95, 105, 105],
  ])('of two groups with d = %f and power %f needs %i to %i runs each', (difference, power, low, high) => {
    const n = leastRuns(power, (runs) => independentPower(runs, [1, 1], { difference, level })) ?? 0;
    expect(n).toBeGreaterThanOrEqual(low);
    expect(n).toBeLessThanOrEqual(high);
  });

  // R: power.t.test(n, delta, sd = 1), two-sided, and its example with power = .90.
  it.each([
    [20, 1, 0.8689528],
    [64, 0.5, 0.8014596],
    [26, 0.8, 0.8074866],
  ])('of two groups of %i with d = %f is %f', (n, difference, power) => {
    expect(independentPower(n, [1, 1], { difference, level })).toBeCloseTo(power, 5);
  });

  it('of pairs needs 34 for d = 0.5, 15 for 0.8 and 199 for 0.2', () => {
    const pairs = (difference: number) => leastRuns(0.8, (n) => pairedPower(n, 1, { difference, level }));
    expect([pairs(0.5), pairs(0.8), pairs(0.2)]).toEqual([34, 15, 199]);
    expect(pairedPower(34, 1, { difference: 0.5, level })).toBeCloseTo(0.8077775, 5);
  });

  it('depends on the difference in standard deviations alone, and on neither sign nor unit', () => {
    const one = pairedPower(12, 3, { difference: 2, level });
    expect(pairedPower(12, 3e9, { difference: -2e9, level })).toBeCloseTo(one, 10);
    expect(independentPower(12, [3, 3], { difference: 2, level })).toBeCloseTo(
      independentPower(12, [3e9, 3e9], { difference: -2e9, level }),
      10,
    );
  });

  it('is the level where there is no difference, and 1 where nothing can hide it', () => {
    for (const n of [2, 3, 8, 100, 100_000]) {
      expect(pairedPower(n, 1, { difference: 1e-12, level })).toBeCloseTo(level, 6);
      expect(independentPower(n, [1, 5], { difference: 1e-12, level: 0.01 })).toBeCloseTo(0.01, 5);
    }
    expect(pairedPower(30, 1, { difference: 50, level })).toBe(1);
  });

  it('of two groups with one that hardly varies is near that of one group', () => {
    const lone = independentPower(20, [1, 1e-9], { difference: 0.7, level });
    expect(lone).toBeCloseTo(pairedPower(20, 1, { difference: 0.7, level }), 6);
  });

  it('is out of reach of ten million runs where the difference is too small', () => {
    expect(leastRuns(0.8, (n) => pairedPower(n, 1, { difference: 1e-6, level }))).toBeNull();
    expect(leastRuns(0.8, (n) => pairedPower(n, 1, { difference: 1e3, level }))).toBe(2);
  });
});
