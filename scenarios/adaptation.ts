/**
 * Agents that choose among options: their form in a scenario, and the variants of a population that follow. The chances of switching are in the simulator's
 * chance/revision-chances.ts.
 */

import type { Population } from './scenario.js';

/** The options of a population, and how its agents come by them. */
export interface Adaptation {
  readonly options: readonly AdaptationOption[];
  /** Of each option, its share of the agents, drawn at arrival, or how many agents have it. */
  readonly start: { readonly kind: 'shares' | 'counts'; readonly of: readonly number[] };
  /** Null: an agent keeps the option that it has at its arrival. */
  readonly revision: RevisionPlan | null;
}

/** One option. */
interface AdaptationOption {
  readonly name: string;
  /** Whether an agent that takes it departs, and one that has it at the start never arrives. */
  readonly leaves: boolean;
  /** The population with this option, without `adapts`. */
  readonly population: Population;
}

/**
 * A rule. `noise` is a difference of payoffs. Imitation and replicator compare with another agent of the population, drawn at random:
 * imitation takes its option with the Fermi function of the difference (Blume 1993, Szabó and Tőke 1998), replicator in proportion to a gain,
 * surely from `noise` on (Schlag 1998). `mutation` is the chance of an option at random in place of the rule.
 */
export interface Revision {
  readonly by: 'imitation' | 'replicator' | 'best_response' | 'logit';
  readonly noise: number;
  readonly mutation: number;
}

/** When agents revise, and by which rule. */
export interface RevisionPlan {
  readonly rule: Revision;
  /** The time between two revisions, counted from second 0. */
  readonly everySec: number;
  /** The share of agents that revise each time. */
  readonly rate: number;
  /** The payoffs that a revising agent compares: the mean of each option, or its own with that of one other agent. */
  readonly sees: 'options' | 'agents';
  /** The payoff of a day for an agent that leaves, in lamports. */
  readonly outsideLamports: number;
}

/** A population as the agents of one option play it; one without options has one variant, which is itself. */
interface Variant {
  readonly population: Population;
  /** The index of the population. */
  readonly index: number;
  /** The index of the option; null for a population without options. */
  readonly option: number | null;
}

/** All variants, in the order of the populations and of their options. */
export function variantsOf(populations: readonly Population[]): readonly Variant[] {
  return populations.flatMap((population, index): readonly Variant[] =>
    population.adapts === undefined
      ? [{ population, index, option: null }]
      : population.adapts.options.map((each, option) => ({ population: each.population, index, option })),
  );
}

/** The groups of a population's options, such as `workers/freezing`. */
export function optionGroups({ name, adapts }: Population): readonly string[] {
  return adapts === undefined ? [] : adapts.options.map((option) => optionGroup(name, option.name));
}

/** The group of an option. */
export function optionGroup(population: string, option: string): string {
  return `${population}/${option}`;
}

/** The option of an agent whose uniform number at its arrival is `u`. `shares` sum to 1. */
export function startOption(shares: readonly number[], u: number): number {
  let below = 0;
  let drawn = -1;
  for (const [option, share] of shares.entries()) {
    if (share === 0) continue;
    drawn = option;
    below += share;
    if (u < below) break;
  }
  // The last option with a share takes the rounding error of the sum.
  if (drawn < 0) throw new RangeError('no option has a share');
  return drawn;
}

/**
 * The option of each member of a population for exact counts: members in the order of their uniform numbers, the first option first. So another
 * split changes no more members than it must.
 */
export function optionsByCounts(counts: readonly number[], uniforms: Float64Array): Uint8Array {
  const order = Uint32Array.from(uniforms, (_, member) => member).sort((a, b) => uniforms[a]! - uniforms[b]! || a - b);
  const options = new Uint8Array(uniforms.length);
  let at = 0;
  for (const [option, count] of counts.entries()) {
    for (let i = 0; i < count; i += 1) options[order[at + i]!] = option;
    at += count;
  }
  return options;
}
