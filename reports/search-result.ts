/** The type of a search's result, `search.json`, which every writer of it takes. It is made in cli/search.ts. */

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

/** `search.json`. */
export interface SearchResult {
  readonly schema: typeof SEARCH_SCHEMA;
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
