/**
 * Samplers by inversion: each turns one uniform number (between 0 and 1, exclusive) into one sample. A sample uses exactly one
 * number and grows with it, so common random numbers stay common when a mean changes. Not a source of random numbers.
 */

import { exp, gamma, ln } from './exact-math.js';
import { normalQuantile } from './normal-quantile.js';

/** Exponential with this mean. */
export function exponential(u: number, mean: number): number {
  return -mean * ln(1 - u);
}

/** Log-normal with this mean; `sigma` is the standard deviation of the logarithm. */
export function logNormal(u: number, mean: number, sigma: number): number {
  return mean * exp(sigma * normalQuantile(u) - (sigma * sigma) / 2);
}

/** Weibull with this mean and this shape, from 0.2 to 20. */
export function weibull(u: number, mean: number, shape: number): number {
  const scale = mean / gamma(1 + 1 / shape);
  return scale * exp(ln(-ln(1 - u)) / shape);
}

/** Pareto with this mean and this shape, above 1: the least value is mean × (shape - 1) / shape. */
export function pareto(u: number, mean: number, shape: number): number {
  return (mean * (shape - 1) * exp(-ln(1 - u) / shape)) / shape;
}
