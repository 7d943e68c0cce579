/** Random durations: the distributions that a scenario can name, and drawing from them. It does not know the purpose of a duration. */

import type { RandomStream } from './random-stream.js';

/** The distribution of a duration in seconds: each by its mean, or that of measured values, of which the smallest come first. */
export type DurationDistribution =
  | { readonly distribution: 'trace'; readonly valuesSec: readonly number[] }
  | { readonly distribution: 'fixed'; readonly meanSec: number }
  | { readonly distribution: 'exponential'; readonly meanSec: number }
  | { readonly distribution: 'lognormal'; readonly meanSec: number; readonly sigma: number }
  | { readonly distribution: 'weibull'; readonly meanSec: number; readonly shape: number };

/** The longest duration, 20 years of 365 days: it stands for "for ever" and fits into an Int32. */
export const DURATION_SEC_MAX = 630_720_000;

/** Draws a duration: whole seconds, from one to `DURATION_SEC_MAX`. */
export function drawDurationSec(duration: DurationDistribution, random: RandomStream): number {
  return Math.min(DURATION_SEC_MAX, Math.max(1, Math.round(draw(duration, random))));
}

/** One of some measured values, the smallest first. It grows with the number that is drawn, as samples of distributions do. */
export function drawValue(values: readonly number[], random: RandomStream): number {
  return values[Math.floor(random.uniform() * values.length)] as number;
}

function draw(duration: DurationDistribution, random: RandomStream): number {
  switch (duration.distribution) {
    case 'trace':
      return drawValue(duration.valuesSec, random);
    case 'fixed':
      return duration.meanSec;
    case 'exponential':
      return random.exponential(duration.meanSec);
    case 'lognormal':
      return random.logNormal(duration.meanSec, duration.sigma);
    case 'weibull':
      return random.weibull(duration.meanSec, duration.shape);
    default:
      return duration satisfies never;
  }
}
