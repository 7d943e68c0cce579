/** The types of `search.json`, the result of a search. Writers in reports/ read it; cli/ makes it. */

import type { Json } from './json-text.js';

/** The version of the shape of `search.json`. */
export const SEARCH_SCHEMA = 'aips-lab/search/1';

/** How well a goal is reached over several runs. */
export interface SearchGoal {
  readonly text: string;
  readonly unit: string;
  readonly mean: number;
  readonly t95: readonly [number, number];
  readonly limit: number;
  /** `reached`: the whole interval is on the right side of the limit; `open`: the mean is; `missed`: neither. */
  readonly state: 'reached' | 'open' | 'missed';
}

/** The measure that the search minimizes or maximizes, over several runs. */
export interface SearchExtreme {
  readonly measure: string;
  readonly unit: string;
  readonly mean: number;
  readonly t95: readonly [number, number];
}

/** A point of the search space, with the results of its runs. */
export interface SearchedPoint {
  /** Settings by their path in the scenario file. */
  readonly set: Readonly<Record<string, Json>>;
  readonly seed: number;
  readonly runs: number;
  readonly goals: readonly SearchGoal[];
  readonly extreme: SearchExtreme | null;
}

/** The best point of one simplex, from a start of its own. */
export interface SearchEnd {
  readonly set: Readonly<Record<string, Json>>;
  /** Whether the simplex came to its end within the budget of points. */
  readonly ended: boolean;
  /** The mean of what is minimized or maximized. */
  readonly value: number | null;
  /** How far the point is from the goals, in shares of their limits; 0: all are reached, null: a run of it failed. */
  readonly excess: number | null;
  readonly agrees: boolean;
}

/** How far the starts of a search agree. */
export interface SearchStarts {
  readonly begun: number;
  /** Of those, how many came to their end within the budget of points. */
  readonly ended: number;
  /** How many are within `tolerance`, a share of its value, of the best point. */
  readonly agreeing: number;
  readonly tolerance: number;
  /** The lowest and the highest value of their ends; null where nothing is minimized or maximized. */
  readonly values: readonly [number, number] | null;
  /** The greatest distance of two ends in one number, as a share of its range. */
  readonly distance: number;
  readonly ends: readonly SearchEnd[];
  /** Distances, as shares of the ranges, at which a search that converged found no better neighbour of its best point. */
  readonly neighbour_steps: readonly number[];
}

/** Why a search stopped: the goals were reached, no neighbour is better, or the limit of points was reached before that was known. */
export type SearchStopped = 'reached' | 'converged' | 'points';

/** `search.json` of a search for numbers. */
export interface SearchResult {
  readonly schema: typeof SEARCH_SCHEMA;
  readonly find: 'numbers';
  readonly version: string;
  readonly name: string;
  readonly question: string;
  /** SHA-256 of the file and of the scenario. */
  readonly digest: string;
  /** Number of points that were played. */
  readonly points: number;
  readonly stopped: SearchStopped;
  /** Null if a point that was spread was enough. */
  readonly starts: SearchStarts | null;
  /** The best point, measured by the runs of the search. */
  readonly best: SearchedPoint;
  /** The same point, measured by runs with new seeds. */
  readonly confirmed: SearchedPoint;
  /** Whether all goals are reached in the confirming runs. */
  readonly reached: boolean;
}

/** One policy in one class, measured by the confirming runs. */
export interface SearchedPolicy {
  /** Null for the classes that the scenario gives. */
  readonly class: string | null;
  readonly policy: string;
  /** Number of points that were played to find the policy's numbers. */
  readonly points: number;
  readonly stopped: SearchStopped;
  /** Null for a policy without numbers. */
  readonly starts: SearchStarts | null;
  readonly confirmed: SearchedPoint;
  /**
   * Among the policies that reach all goals of `life`, `best` costs least, `dominated` costs more than it by the whole
   * confidence interval, and of the others no difference was shown. `another life` misses a goal.
   */
  readonly verdict: 'best' | 'dominated' | 'no difference shown' | 'another life';
  /** The cost in excess of the best policy's, in pairs of runs with the same seed. */
  readonly more: SearchExtreme | null;
}

/** A price of the protocol that a policy can avoid, and then reaches the same goals for less. */
export interface SearchedPrice {
  readonly class: string | null;
  readonly price: 'heartbeat' | 'sigil' | 'reissuance';
  /** The cheapest policy that pays it. */
  readonly paying: string;
  /** The cheapest policy that does not pay it. */
  readonly avoiding: string;
  readonly more: SearchExtreme;
}

/** A class in which no policy reaches all goals of `life`. */
export interface SearchedClass {
  readonly class: string;
  /** The policy that comes closest. */
  readonly closest: string;
  readonly with_cap: SearchedPoint;
  /** The same without the cap of the class. */
  readonly without_cap: SearchedPoint;
  /** Whether the cap is the reason: without it all goals are reached. */
  readonly cap_decides: boolean;
}

/** `search.json` of a search for the best policy of one population, given the others. */
export interface ResponseResult {
  readonly schema: typeof SEARCH_SCHEMA;
  readonly find: 'best_response';
  readonly version: string;
  readonly name: string;
  readonly question: string;
  readonly digest: string;
  readonly population: string;
  /** The goals that a policy has to reach to be compared by its cost. */
  readonly life: readonly string[];
  readonly policies: readonly SearchedPolicy[];
  readonly dominated_prices: readonly SearchedPrice[];
  readonly classes_without_life: readonly SearchedClass[];
  /** Policies that were left out because this population cannot use them, and why. */
  readonly left: readonly { readonly policy: string; readonly reason: string }[];
}
