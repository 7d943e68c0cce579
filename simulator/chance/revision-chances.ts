/**
 * How a revising agent chooses its next option, as pure chances of switching from payoffs and shares. Draws and payoffs are made in
 * agents/revision.ts.
 *
 * Payoffs are lamports for an agent and day; NaN for an option that nobody had, which no rule but a mutation finds.
 */

import type { Revision } from '../../scenarios/adaptation.js';
import { exp } from './exact-math.js';

/** The chance that an agent with payoff `own` takes the option of another with payoff `other`. Without noise it takes a better one surely, and no equal one. */
export function imitationChance({ by, noise }: Pick<Revision, 'by' | 'noise'>, own: number, other: number): number {
  const gain = other - own;
  if (Number.isNaN(gain)) return 0;
  if (noise === 0) return gain > 0 ? 1 : 0;
  if (by === 'replicator') return Math.min(1, Math.max(0, gain / noise));
  return 1 / (1 + exp(-gain / noise));
}

/** The chance of each option by its payoff alone: the best (shared by equal ones, unless `own` is one of them), or the logit of all. */
function answerChances({ by, noise }: Revision, own: number, payoffs: readonly number[]): number[] {
  const known = payoffs.filter((payoff) => !Number.isNaN(payoff));
  const best = Math.max(...known);
  if (known.length === 0) return payoffs.map((_, option) => (option === own ? 1 : 0));
  if (by === 'logit' && noise > 0) {
    const weights = payoffs.map((payoff) => (Number.isNaN(payoff) ? 0 : exp((payoff - best) / noise)));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.map((weight) => weight / sum);
  }
  if (payoffs[own] === best) return payoffs.map((_, option) => (option === own ? 1 : 0));
  const equals = known.filter((payoff) => payoff === best).length;
  return payoffs.map((payoff) => (payoff === best ? 1 / equals : 0));
}

/**
 * The chance of each option for a revising agent that has the option `own`; they sum to 1. `models`: of each option the chance that another agent,
 * drawn at random, has it.
 */
export function switchChances(
  rule: Revision,
  own: number,
  payoffs: readonly number[],
  models: readonly number[],
): number[] {
  const chances = imitates(rule)
    ? payoffs.map((payoff, option) =>
        option === own ? 0 : models[option]! * imitationChance(rule, payoffs[own]!, payoff),
      )
    : answerChances(rule, own, payoffs);
  if (imitates(rule)) chances[own] = 1 - chances.reduce((sum, chance) => sum + chance, 0);
  const { mutation } = rule;
  return chances.map((chance) => chance * (1 - mutation) + mutation / payoffs.length);
}

/** Whether an agent compares itself with one other, rather than all options with each other. */
function imitates({ by }: Pick<Revision, 'by'>): boolean {
  return by === 'imitation' || by === 'replicator';
}
