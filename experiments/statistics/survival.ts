/**
 * Times until an event of which some are censored: the Kaplan-Meier curve with its band, the median, and the log-rank test. All times are taken
 * as independent of each other.
 */

import type { Interval } from './bootstrap.js';
import { chiSquareAbove, normalQuantile } from './distributions.js';

/** A time under observation, at whose end the event came or did not. */
export interface Lifetime {
  readonly time: number;
  readonly event: boolean;
}

/** The curve at one time at which an event came. */
interface SurvivalStep {
  readonly time: number;
  /** Under observation just before. */
  readonly at_risk: number;
  readonly events: number;
  /** The estimated share without the event after this time. */
  readonly survival: number;
  /** The pointwise 95 % interval by Greenwood's variance of log(-log); null where everybody had the event. */
  readonly band: Interval | null;
}

interface Count {
  readonly time: number;
  readonly atRisk: number;
  readonly events: number;
}

/** The times in order of size, each with the counts of those at risk and of the events. */
function countsOf(lifetimes: readonly Lifetime[]): Count[] {
  const sorted = lifetimes.toSorted((a, b) => a.time - b.time);
  const counts: Count[] = [];
  for (let at = 0; at < sorted.length; ) {
    const { time } = sorted[at] as Lifetime;
    const from = at;
    let events = 0;
    for (; sorted[at]?.time === time; at += 1) events += sorted[at]?.event === true ? 1 : 0;
    counts.push({ time, atRisk: sorted.length - from, events });
  }
  return counts;
}

/** The Kaplan-Meier curve: a step for each time of an event. Before the first it is 1. */
export function kaplanMeier(lifetimes: readonly Lifetime[]): readonly SurvivalStep[] {
  const z = normalQuantile(0.975);
  let survival = 1;
  let greenwood = 0;
  return countsOf(lifetimes)
    .filter(({ events }) => events > 0)
    .map(({ time, atRisk, events }) => {
      survival = events === atRisk ? 0 : survival * (1 - events / atRisk);
      greenwood += events / (atRisk * (atRisk - events));
      return { time, at_risk: atRisk, events, survival, band: bandOf(survival, greenwood, z) };
    });
}

/** survival^exp(±z·σ), with σ² the variance of log(-log survival). */
function bandOf(survival: number, greenwood: number, z: number): Interval | null {
  if (survival === 0) return null;
  const half = (z * Math.sqrt(greenwood)) / Math.abs(Math.log(survival));
  return [survival ** Math.exp(half), survival ** Math.exp(-half)];
}

/**
 * The first time at which the curve is at or below a half, and the interval of the times at which the band allows a half (Brookmeyer and Crowley
 * 1982); null for an end that the times do not reach.
 */
export function medianOf(curve: readonly SurvivalStep[]): {
  readonly median: number | null;
  readonly interval: readonly [number | null, number | null];
} {
  // Rounding must not keep the last of a half from completing it.
  const firstBelow = (shareOf: (step: SurvivalStep) => number): number | null =>
    curve.find((step) => shareOf(step) <= 0.5 + 1e-12)?.time ?? null;
  return {
    median: firstBelow(({ survival }) => survival),
    interval: [firstBelow(({ band }) => band?.[0] ?? 0), firstBelow(({ band }) => band?.[1] ?? 0)],
  };
}

/** A test of whether the curves of groups differ. */
interface LogRank {
  readonly chi_square: number;
  readonly degrees: number;
  readonly p: number;
  /** Of each group: its events, and those that it would have if all groups had the same risk. */
  readonly observed: readonly number[];
  readonly expected: readonly number[];
}

/** The log-rank test (Mantel 1966) of at least two groups; null where no event compares them. */
export function logRank(groups: readonly (readonly Lifetime[])[]): LogRank | null {
  const all = countsOf(groups.flat()).filter(({ events }) => events > 0);
  const own = groups.map(atTimes);
  const observed = groups.map((group) => group.filter(({ event }) => event).length);
  const expected = groups.map(() => 0);
  const size = groups.length - 1;
  const variance = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const { time, atRisk, events } of all) {
    const shares = own.map((riskAt) => riskAt(time) / atRisk);
    const spread = atRisk > 1 ? (events * (atRisk - events)) / (atRisk - 1) : 0;
    shares.forEach((share, i) => {
      expected[i] = (expected[i] as number) + events * share;
      for (let j = 0; i < size && j < size; j += 1) {
        const row = variance[i] as number[];
        row[j] = (row[j] as number) + spread * share * ((i === j ? 1 : 0) - (shares[j] as number));
      }
    });
  }
  const off = observed.slice(0, size).map((count, i) => count - (expected[i] as number));
  const solved = solution(variance, off);
  if (solved === null) return null;
  const chi_square = off.reduce((sum, each, i) => sum + each * (solved[i] as number), 0);
  return { chi_square, degrees: size, p: chiSquareAbove(chi_square, size), observed, expected };
}

/** How many of a group are at risk at a time, for times that grow. */
function atTimes(group: readonly Lifetime[]): (time: number) => number {
  const times = group.map(({ time }) => time).sort((a, b) => a - b);
  let gone = 0;
  return (time) => {
    while (gone < times.length && (times[gone] as number) < time) gone += 1;
    return times.length - gone;
  };
}

/** Solves a symmetric system by elimination with pivots on the diagonal; null where it is singular. */
function solution(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const rows = matrix.map((row, i) => [...row, right[i] as number]);
  const scale = Math.max(0, ...rows.map((row, i) => row[i] as number));
  for (const [i, pivot] of rows.entries()) {
    if (!((pivot[i] as number) > scale * 1e-12)) return null;
    for (const [j, row] of rows.entries()) {
      if (j === i) continue;
      const factor = (row[i] as number) / (pivot[i] as number);
      for (let k = i; k < row.length; k += 1) row[k] = (row[k] as number) - factor * (pivot[k] as number);
    }
  }
  return rows.map((row, i) => (row.at(-1) as number) / (row[i] as number));
}
