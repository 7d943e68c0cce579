/**
 * The power of a t test, and how many runs show a difference: by the noncentral t distribution. A pilot gives the standard deviations; from how many
 * runs of it they come is the caller's.
 */

import { logGamma, normalBelow, tQuantile } from './distributions.js';

/** A difference, and how it is tested: at a level, two-sided. */
interface PlannedTest {
  /** The difference of the means, not zero. */
  readonly difference: number;
  /** The probability that a test shows a difference between equal means. */
  readonly level: number;
}

/** The power of Student's t of the differences of `n` pairs, which have the standard deviation `sd`. */
export function pairedPower(n: number, sd: number, { difference, level }: PlannedTest): number {
  return twoSidedPower((difference * Math.sqrt(n)) / sd, n - 1, level);
}

/** The power of Welch's t of two arms with `n` independent runs each. */
export function independentPower(
  n: number,
  sds: readonly [number, number],
  { difference, level }: PlannedTest,
): number {
  const [a, b] = [sds[0] ** 2, sds[1] ** 2];
  const degrees = ((n - 1) * (a + b) ** 2) / (a ** 2 + b ** 2);
  return twoSidedPower(difference / Math.sqrt((a + b) / n), degrees, level);
}

/** No more runs than this are planned. */
const RUNS_MAX = 10_000_000;

/** The least number of runs, from 2 on, whose power reaches `power`; null where more than 10 million are needed. `powerOf` grows with its runs. */
export function leastRuns(power: number, powerOf: (n: number) => number): number | null {
  let high = 2;
  while (powerOf(high) < power) {
    if (high >= RUNS_MAX) return null;
    high = Math.min(2 * high, RUNS_MAX);
  }
  let low = high === 2 ? 1 : Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (powerOf(middle) < power) low = middle;
    else high = middle;
  }
  return high;
}

/** The probability that a noncentral t is beyond the two-sided bounds of a level. */
function twoSidedPower(noncentrality: number, degrees: number, level: number): number {
  const bound = tQuantile(1 - level / 2, degrees);
  const within = overScale(degrees, (scale) => {
    const [low, high] = [-bound * scale - noncentrality, bound * scale - noncentrality];
    return normalBelow(high) - normalBelow(low);
  });
  return Math.min(1, Math.max(0, 1 - within));
}

const STEPS = 2_000;
const SPREADS = 12;

/** The mean of a function of √(chi-square / degrees), by Simpson's rule over 12 standard deviations to each side. */
function overScale(degrees: number, of: (scale: number) => number): number {
  const half = degrees / 2;
  const logConstant = Math.LN2 + half * Math.log(half) - logGamma(half);
  const density = (s: number): number =>
    s === 0
      ? degrees === 1
        ? Math.exp(logConstant)
        : 0
      : Math.exp(logConstant + (degrees - 1) * Math.log(s) - half * s * s);
  const width = SPREADS / Math.sqrt(2 * degrees);
  const [from, to] = [Math.max(0, 1 - width), 1 + width];
  const step = (to - from) / STEPS;
  let sum = 0;
  for (let i = 0; i <= STEPS; i += 1) {
    const s = from + i * step;
    const weight = i === 0 || i === STEPS ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * density(s) * of(s);
  }
  return (sum * step) / 3;
}
