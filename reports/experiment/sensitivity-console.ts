/** Prints a sensitivity analysis on a terminal: for each measure a line a factor, the strongest first. */

import { numberText } from '../../results/numbers.js';
import { visible } from '../../results/visible.js';

/** The effects of the factors on one measure, as Morris or Sobol give them. */
export interface MeasureEffects {
  readonly measure: string;
  readonly effects: readonly (
    | {
        readonly factor: string;
        readonly mu: number;
        readonly mu_star: number;
        readonly mu_star95: readonly [number, number];
        readonly sigma: number;
      }
    | {
        readonly factor: string;
        readonly first: number;
        readonly first95: readonly [number, number];
        readonly total: number;
        readonly total95: readonly [number, number];
      }
  )[];
}

type Effect = MeasureEffects['effects'][number];

function strength(effect: Effect): number {
  return 'mu_star' in effect ? effect.mu_star : effect.total;
}

function between([low, high]: readonly [number, number]): string {
  return `(95 %: ${numberText(low)} to ${numberText(high)})`;
}

function effectText(effect: Effect): string {
  if ('mu_star' in effect) {
    return `mu* ${numberText(effect.mu_star)} ${between(effect.mu_star95)}, mu ${numberText(effect.mu)}, sigma ${numberText(effect.sigma)}`;
  }
  return `first ${numberText(effect.first)} ${between(effect.first95)}, total ${numberText(effect.total)} ${between(effect.total95)}`;
}

/** A sensitivity analysis for a terminal. */
export function sensitivityText(question: string, found: readonly MeasureEffects[]): string {
  const lines = [question];
  for (const { measure, effects } of found) {
    const width = Math.max(...effects.map(({ factor }) => factor.length));
    lines.push('', measure);
    for (const effect of effects.toSorted((a, b) => strength(b) - strength(a))) {
      lines.push(`  ${effect.factor.padEnd(width)}  ${effectText(effect)}`);
    }
  }
  return `${visible(lines.join('\n'))}\n`;
}
