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

/** The probability of more than `x` of chi-square with these degrees of freedom, far out too, where a difference from 1 would be 0. */
export function chiSquareAbove(x: number, degrees: number): number {
  const [a, z] = [degrees / 2, x / 2];
  if (z < a + 1) return 1 - jStat.chisquare.cdf(x, degrees);
  // The continued fraction of the upper incomplete gamma function, by the method of Lentz (1976).
  let [b, c, d] = [z + 1 - a, Number.POSITIVE_INFINITY, 1 / (z + 1 - a)];
  let product = d;
  for (let i = 1; i < 1_000; i += 1) {
    const numerator = i * (a - i);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    product *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return Math.exp(a * Math.log(z) - z - jStat.gammaln(a)) * product;
}

/** The logarithm of the gamma function of a number above zero. */
export function logGamma(x: number): number {
  return jStat.gammaln(x);
}
