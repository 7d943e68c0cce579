import { describe, expect, it } from 'vitest';
import { chiSquareAbove } from './distributions.js';
import { drawsOf } from './draws.js';
import { kaplanMeier, type Lifetime, logRank, medianOf } from './survival.js';

const lives = (...times: readonly (number | string)[]): Lifetime[] =>
  times.map((time) => ({ time: Number.parseFloat(String(time)), event: typeof time === 'number' }));

// Weeks of remission of 42 children with leukemia: Freireich et al., Blood 21 (1963), 699-716; '6+' was still in remission.
const TREATED = lives(
  6,
  6,
  6,
  '6+',
  7,
  '9+',
  10,
  '10+',
  '11+',
  13,
  16,
  '17+',
  '19+',
  '20+',
  22,
  23,
  '25+',
  '32+',
  '32+',
  '34+',
  '35+',
);
const PLACEBO = lives(1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23);

describe('the remissions of Freireich', () => {
  it('have the Kaplan-Meier curve of the textbooks (Kleinbaum and Klein, Survival Analysis, table 2.2)', () => {
    const curve = kaplanMeier(TREATED);
    expect(curve.map(({ time, at_risk, events }) => [time, at_risk, events])).toEqual([
      [6, 21, 3],
      [7, 17, 1],
      [10, 15, 1],
      [13, 12, 1],
      [16, 11, 1],
      [22, 7, 1],
      [23, 6, 1],
    ]);
    const shares = curve.map(({ survival }) => survival.toFixed(4));
    expect(shares).toEqual(['0.8571', '0.8067', '0.7529', '0.6902', '0.6275', '0.5378', '0.4482']);
  });

  it('have the log-log bands that R gives (survfit with conf.type = "log-log")', () => {
    const [first] = kaplanMeier(TREATED);
    expect(first?.band?.map((end) => end.toFixed(4))).toEqual(['0.6197', '0.9516']);
    // By hand: sigma = sqrt(3 / (21 * 18)) / |log(0.857142)| = 0.57790, and 0.857142 ^ exp(±1.959964 * 0.57790).
    expect(
      kaplanMeier(TREATED)
        .at(-1)
        ?.band?.map((end) => end.toFixed(4)),
    ).toEqual(['0.1881', '0.6801']);
  });

  it('have medians of 23 and 8 weeks', () => {
    expect(medianOf(kaplanMeier(TREATED))).toEqual({ median: 23, interval: [13, null] });
    expect(medianOf(kaplanMeier(PLACEBO))).toEqual({ median: 8, interval: [4, 11] });
  });

  it('differ by a log-rank chi-square of 16.79', () => {
    const test = logRank([TREATED, PLACEBO]);
    expect(test?.chi_square.toFixed(2)).toBe('16.79');
    expect(test?.observed).toEqual([9, 21]);
    expect(test?.expected.map((each) => each.toFixed(2))).toEqual(['19.25', '10.75']);
    expect(test?.p.toExponential(1)).toBe('4.2e-5');
  });
});

describe('the probability of a chi-square above', () => {
  // With 2 degrees of freedom it is exp(-x / 2); those with 1 and 4 are of tables, and far out the normal tail of 10: 2 * 7.619853e-24.
  it.each([
    [3.841_459, 1, 0.05],
    [9.487_729, 4, 0.05],
    [0.2, 2, Math.exp(-0.1)],
    [40, 2, Math.exp(-20)],
    [100, 1, 1.523_971e-23],
  ])('%d with %i degrees', (x, degrees, p) => {
    expect(chiSquareAbove(x, degrees) / p).toBeCloseTo(1, 5);
  });
});

describe('a log-rank test', () => {
  it('of three groups, one of which is split evenly, says the same in any order', () => {
    const groups = [TREATED, PLACEBO.slice(0, 10), PLACEBO.slice(10)];
    const [one, other] = [logRank(groups), logRank(groups.toReversed())];
    expect(one?.degrees).toBe(2);
    expect(one?.chi_square).toBeCloseTo(other?.chi_square ?? 0, 9);
    expect(one?.chi_square).toBeGreaterThan(16.79);
  });

  it('of the same group twice finds nothing, and without an event there is none', () => {
    expect(logRank([TREATED, TREATED])?.chi_square).toBeCloseTo(0, 12);
    expect(logRank([lives('3+', '4+'), lives('5+')])).toBeNull();
    expect(logRank([TREATED, []])).toBeNull();
  });
});

describe('a Kaplan-Meier curve', () => {
  it('follows exponential lifetimes, whose rates are known', () => {
    const draws = drawsOf(7, 'lifetimes');
    const drawn = (rate: number) =>
      Array.from({ length: 4_000 }, () => -Math.log(1 - draws()) / rate).map(
        (time): Lifetime => ({
          time: Math.min(time, 2),
          event: time < 2,
        }),
      );
    const sample = drawn(1);
    const at = (time: number) => kaplanMeier(sample).findLast((step) => step.time <= time);
    for (const time of [0.25, 0.5, 1, 1.5]) {
      const [low, high] = at(time)?.band ?? [1, 0];
      // Wider than the band by half: four times in a row it may be missed by little.
      const slack = (high - low) / 4;
      expect(Math.exp(-time)).toBeGreaterThan(low - slack);
      expect(Math.exp(-time)).toBeLessThan(high + slack);
    }
    expect(medianOf(kaplanMeier(sample)).median).toBeCloseTo(Math.log(2), 1);
    expect(logRank([sample, drawn(1.5)])?.p).toBeLessThan(1e-9);
  });

  it('covers the true share in about 95 of 100 samples', () => {
    const draws = drawsOf(11, 'coverage');
    let covered = 0;
    for (let sample = 0; sample < 400; sample += 1) {
      const times = Array.from({ length: 40 }, () => {
        const [life, end] = [-Math.log(1 - draws()), 3 * draws()];
        return { time: Math.min(life, end), event: life <= end };
      });
      const [low, high] = kaplanMeier(times).findLast(({ time }) => time <= 0.7)?.band ?? [0, 0];
      if (low <= Math.exp(-0.7) && Math.exp(-0.7) <= high) covered += 1;
    }
    expect(covered).toBeGreaterThanOrEqual(368);
    expect(covered).toBeLessThanOrEqual(394);
  });

  it('ends at 0 where all had the event, without a band, and has no step without one', () => {
    expect(kaplanMeier(lives(1, 2)).at(-1)).toEqual({ time: 2, at_risk: 1, events: 1, survival: 0, band: null });
    expect(kaplanMeier(lives('5+'))).toEqual([]);
    expect(medianOf([])).toEqual({ median: null, interval: [null, null] });
  });
});
