/** Numbers that differ from agent to agent and stay with it: hash rate, first balance, the worth of a heartbeat. What they are for is in scenario.ts. */

/** The distribution of a number over the agents of a population, by its mean. */
export type TraitDistribution =
  | { readonly distribution: 'lognormal'; readonly mean: number; readonly sigma: number }
  /** Above mean × (shape - 1) / shape; the shape is above 1. */
  | { readonly distribution: 'pareto'; readonly mean: number; readonly shape: number }
  | { readonly distribution: 'weibull'; readonly mean: number; readonly shape: number };

/** The numbers of a population that are drawn for each agent; the others are the same for all. */
export interface Traits {
  readonly hashesPerSec?: TraitDistribution;
  readonly walletLamports?: TraitDistribution;
  readonly worthLamports?: TraitDistribution;
}

export type TraitName = keyof Traits;
