/** The difference of a measure between two arms: interval, probability, size of the effect, and Holm's correction. */

import { mean, sampleStandardDeviation, sampleVariance } from 'simple-statistics';
import type { Interval } from './bootstrap.js';
import { tQuantile, tTwoSided } from './distributions.js';

/** The difference B less A. */
export interface Difference {
  /** Whether runs were compared in pairs. */
  readonly paired: boolean;
  /** Pairs, or runs of A and of B. */
  readonly n: readonly [number, number];
  readonly means: readonly [number, number];
  readonly difference: number;
  /** The 95 % interval of the difference. */
  readonly t95: Interval;
  /** The probability of a difference at least as large if there were none. */
  readonly p: number;
  /** Cohen's d of the pairs, or Hedges' g; null for a difference without any spread. */
  readonly effect: number | null;
  /** How many times as wide the interval would be without pairs; null where there are none or nothing varies. */
  readonly narrowed: number | null;
}

/** The share of intervals that may miss what they estimate. */
const MISSING = 0.05;

/**
 * The difference of runs in pairs, of which there are at least two (Student's t of the differences). `missing`: the share of intervals
 * that may miss the difference.
 */
export function pairedDifference(a: readonly number[], b: readonly number[], missing = MISSING): Difference {
  const differences = b.map((value, i) => value - (a[i] as number));
  const n = differences.length;
  const difference = mean(differences);
  const sd = sampleStandardDeviation(differences);
  const half = (tQuantile(1 - missing / 2, n - 1) * sd) / Math.sqrt(n);
  return {
    ...{ paired: true, n: [n, n], means: [mean([...a]), mean([...b])], difference },
    t95: [difference - half, difference + half],
    p: sd === 0 ? certain(difference) : tTwoSided((difference * Math.sqrt(n)) / sd, n - 1),
    effect: sd === 0 ? (difference === 0 ? 0 : null) : difference / sd,
    narrowed: half === 0 ? null : welch(a, b, missing).half / half,
  };
}

/** The difference of independent runs, at least two of each (Welch's t). */
export function independentDifference(a: readonly number[], b: readonly number[], missing = MISSING): Difference {
  const { difference, error, degrees, half } = welch(a, b, missing);
  return {
    ...{ paired: false, n: [a.length, b.length], means: [mean([...a]), mean([...b])], difference },
    t95: [difference - half, difference + half],
    p: error === 0 ? certain(difference) : tTwoSided(difference / error, degrees),
    effect: hedges(a, b, difference),
    narrowed: null,
  };
}

/** Where nothing varies, a difference is there or it is not. */
function certain(difference: number): number {
  return difference === 0 ? 1 : 0;
}

function welch(a: readonly number[], b: readonly number[], missing: number) {
  const [ofA, ofB] = [sampleVariance([...a]) / a.length, sampleVariance([...b]) / b.length];
  const difference = mean([...b]) - mean([...a]);
  const error = Math.sqrt(ofA + ofB);
  const degrees =
    error === 0 ? a.length + b.length - 2 : error ** 4 / (ofA ** 2 / (a.length - 1) + ofB ** 2 / (b.length - 1));
  return { difference, error, degrees, half: tQuantile(1 - missing / 2, degrees) * error };
}

/** The difference in pooled standard deviations, corrected for small samples (Hedges 1981). */
function hedges(a: readonly number[], b: readonly number[], difference: number): number | null {
  const degrees = a.length + b.length - 2;
  const pooled = Math.sqrt(
    ((a.length - 1) * sampleVariance([...a]) + (b.length - 1) * sampleVariance([...b])) / degrees,
  );
  if (pooled === 0) return difference === 0 ? 0 : null;
  return (difference / pooled) * (1 - 3 / (4 * degrees - 1));
}

/**
 * For each of several comparisons the share `missing` of its interval, so that it excludes zero just where Holm's corrected probability is
 * at most `level` (Holm 1979): the intervals say what the verdicts say.
 */
export function holmMissing(probabilities: readonly number[], level = MISSING): number[] {
  const order = probabilities.map((p, i) => ({ p, i })).sort((x, y) => x.p - y.p || x.i - y.i);
  const shares = order.map((_, rank) => level / (order.length - rank));
  const firstFailing = order.findIndex(({ p }, rank) => p > (shares[rank] as number));
  const missing = new Array<number>(probabilities.length);
  order.forEach(({ i }, rank) => {
    missing[i] = shares[firstFailing >= 0 ? Math.min(rank, firstFailing) : rank] as number;
  });
  return missing;
}

/** Probabilities of several comparisons, each corrected for all of them (Holm 1979), in their order. */
export function holm(probabilities: readonly number[]): number[] {
  const order = probabilities.map((p, i) => ({ p, i })).sort((x, y) => x.p - y.p || x.i - y.i);
  const adjusted = new Array<number>(probabilities.length);
  let least = 0;
  order.forEach(({ p, i }, rank) => {
    least = Math.max(least, Math.min(1, p * (probabilities.length - rank)));
    adjusted[i] = least;
  });
  return adjusted;
}
