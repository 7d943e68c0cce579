import type { Luck } from './random-stream.js';

/** How long something lasts, in seconds. */
export type Span =
  | { readonly distribution: 'fixed'; readonly meanSec: number }
  | { readonly distribution: 'exponential'; readonly meanSec: number }
  | { readonly distribution: 'lognormal'; readonly meanSec: number; readonly sigma: number }
  | { readonly distribution: 'weibull'; readonly meanSec: number; readonly shape: number };

/** An agent works for a while, is gone for a while, and so on, each time drawn anew. It begins by working. */
export interface OutagePattern {
  readonly up: Span;
  readonly down: Span;
}

/** The longest span that is told apart from for ever: 20 years of 365 days. */
export const SPAN_SEC_MAX = 630_720_000;

/** Draws how long a span lasts: whole seconds, at least one. */
export function drawSpanSec(span: Span, luck: Luck): number {
  return Math.min(SPAN_SEC_MAX, Math.max(1, Math.round(draw(span, luck))));
}

function draw(span: Span, luck: Luck): number {
  switch (span.distribution) {
    case 'fixed':
      return span.meanSec;
    case 'exponential':
      return luck.exponential(span.meanSec);
    case 'lognormal':
      return luck.logNormal(span.meanSec, span.sigma);
    case 'weibull':
      return luck.weibull(span.meanSec, span.shape);
    default:
      return span satisfies never;
  }
}
