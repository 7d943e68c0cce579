/** Quantiles and probabilities of Student's t and of the normal distribution, by jstat. Estimates are in estimate.ts. */

import { createRequire } from 'node:module';

interface Distribution<P extends readonly number[]> {
  readonly cdf: (x: number, ...parameters: P) => number;
  readonly inv: (p: number, ...parameters: P) => number;
}

// jstat has no types of its own.
const { jStat } = createRequire(import.meta.url)('jstat') as {
  readonly jStat: {
    readonly studentt: Distribution<[degrees: number]>;
    readonly normal: Distribution<[mean: number, sd: number]>;
    readonly chisquare: Distribution<[degrees: number]>;
    readonly gammaln: (x: number) => number;
  };
};

/** The value below which a share `p` of Student's t with these degrees of freedom lies. */
export function tQuantile(p: number, degrees: number): number {
  return jStat.studentt.inv(p, degrees);
}

/** The probability of a t at least as far from zero as this one, in either direction. */
export function tTwoSided(t: number, degrees: number): number {
  return Math.min(1, 2 * jStat.studentt.cdf(-Math.abs(t), degrees));
}

/** The value below which a share `p` of the standard normal distribution lies. */
export function normalQuantile(p: number): number {
  return jStat.normal.inv(p, 0, 1);
}

/** The share of the standard normal distribution below a value. */
export function normalBelow(x: number): number {
  return jStat.normal.cdf(x, 0, 1);
}

/** The value below which a share `p` of chi-square with these degrees of freedom lies. */
export function chiSquareQuantile(p: number, degrees: number): number {
  return jStat.chisquare.inv(p, degrees);
}

/** The logarithm of the gamma function of a number above zero. */
export function logGamma(x: number): number {
  return jStat.gammaln(x);
}
