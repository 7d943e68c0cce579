/** The types of a search's result, `search.json`, which every writer of it takes. They are made in cli/. */

import type { Json } from './json-text.js';

/** The version of the shape of `search.json`. */
export const SEARCH_SCHEMA = 'aips-lab/search/1';

/** How a goal stands over some runs. */
export interface SearchGoal {
  readonly text: string;
  readonly unit: string;
  readonly mean: number;
  readonly t95: readonly [number, number];
  readonly limit: number;
  /** `reached`: the whole interval is on the right side of the limit; `open`: the mean is; `missed`: neither. */
  readonly state: 'reached' | 'open' | 'missed';
}

/** The measure that is made small or large, over some runs. */
export interface SearchExtreme {
  readonly measure: string;
  readonly unit: string;
  readonly mean: number;
  readonly t95: readonly [number, number];
}

/** A point that was played. */
export interface SearchedPoint {
  /** Settings by their path in the scenario file. */
  readonly set: Readonly<Record<string, Json>>;
  readonly seed: number;
  readonly runs: number;
  readonly goals: readonly SearchGoal[];
  readonly extreme: SearchExtreme | null;
}

/** `search.json` of a search for numbers. */
export interface SearchResult {
  readonly schema: typeof SEARCH_SCHEMA;
  readonly find: 'numbers';
  readonly version: string;
  readonly name: string;
  readonly question: string;
  /** SHA-256 of the file and of the scenario. */
  readonly digest: string;
  /** Points that were played, and why no more were. */
  readonly points: number;
  readonly stopped: 'reached' | 'converged' | 'points';
  /** The best point by the runs of the search. */
  readonly best: SearchedPoint;
  /** The same point by runs with seeds of their own. */
  readonly confirmed: SearchedPoint;
  /** Whether all goals are reached in the confirming runs. */
  readonly reached: boolean;
}

/** One policy in one class, as the confirming runs show it. */
export interface SearchedPolicy {
  /** Null: the classes of the scenario. */
  readonly class: string | null;
  readonly policy: string;
  /** Points that were played to find its numbers. */
  readonly points: number;
  readonly confirmed: SearchedPoint;
  /** `best`: costs least of those that lead the life; `dominated`: costs more, by the whole interval; `another life`: misses a goal. */
  readonly verdict: 'best' | 'dominated' | 'no difference shown' | 'another life';
  /** The cost above that of the best, in pairs of runs with the same seed. */
  readonly more: SearchExtreme | null;
}

/** A price of the protocol without which the same life costs less. */
export interface SearchedPrice {
  readonly class: string | null;
  readonly price: 'heartbeat' | 'sigil' | 'reissuance';
  /** The cheapest policy that pays it, and the cheapest that does not. */
  readonly paying: string;
  readonly avoiding: string;
  readonly more: SearchExtreme;
}

/** A class in which no policy leads the life. */
export interface SearchedClass {
  readonly class: string;
  /** The policy that comes closest. */
  readonly closest: string;
  readonly with_cap: SearchedPoint;
  /** The same without the cap of the class. */
  readonly without_cap: SearchedPoint;
  /** Whether the cap is what ends the life: without it all goals are reached. */
  readonly cap_decides: boolean;
}

/** `search.json` of a best response. */
export interface ResponseResult {
  readonly schema: typeof SEARCH_SCHEMA;
  readonly find: 'best_response';
  readonly version: string;
  readonly name: string;
  readonly question: string;
  readonly digest: string;
  readonly population: string;
  readonly life: readonly string[];
  readonly policies: readonly SearchedPolicy[];
  readonly dominated_prices: readonly SearchedPrice[];
  readonly classes_without_life: readonly SearchedClass[];
  /** Policies that are not for this population, and why. */
  readonly left: readonly { readonly policy: string; readonly reason: string }[];
}
