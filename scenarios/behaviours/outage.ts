import type { RandomStream } from './random-stream.js';

/** How long something lasts, in seconds. */
export type DurationDistribution =
  | { readonly distribution: 'fixed'; readonly meanSec: number }
  | { readonly distribution: 'exponential'; readonly meanSec: number }
  | { readonly distribution: 'lognormal'; readonly meanSec: number; readonly sigma: number }
  | { readonly distribution: 'weibull'; readonly meanSec: number; readonly shape: number };

/** An agent works for a while, is gone for a while, and so on, each time drawn anew. It begins by working. */
export interface OutagePattern {
  readonly up: DurationDistribution;
  readonly down: DurationDistribution;
}

/** The longest span that is told apart from for ever: 20 years of 365 days. */
export const DURATION_SEC_MAX = 630_720_000;

/** Draws how long a span lasts: whole seconds, at least one. */
export function drawDurationSec(span: DurationDistribution, random: RandomStream): number {
  return Math.min(DURATION_SEC_MAX, Math.max(1, Math.round(draw(span, random))));
}

function draw(span: DurationDistribution, random: RandomStream): number {
  switch (span.distribution) {
    case 'fixed':
      return span.meanSec;
    case 'exponential':
      return random.exponential(span.meanSec);
    case 'lognormal':
      return random.logNormal(span.meanSec, span.sigma);
    case 'weibull':
      return random.weibull(span.meanSec, span.shape);
    default:
      return span satisfies never;
  }
}
