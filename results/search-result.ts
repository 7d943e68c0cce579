/**
 * `search.json`, the result of a search, as schemas and the types that follow from them. Writers in reports/ read it, and a page reads
 * it back; cli/ makes it.
 */

import { z } from 'zod';
import type { Json } from './json-text.js';

/** The version of the shape of `search.json`. */
export const SEARCH_SCHEMA = 'aips-lab/search/1';

const pair = z.tuple([z.number(), z.number()]).readonly();
const texts = z.array(z.string()).readonly();
/** Settings by their path in the scenario file. */
const set = z.record(z.string(), z.json() as unknown as z.ZodType<Json>);

const measured = { unit: z.string(), mean: z.number(), t95: pair };

const goal = z.object({
  text: z.string(),
  ...measured,
  limit: z.number(),
  /** `reached`: the whole interval is on the right side of the limit; `open`: the mean is; `missed`: neither. */
  state: z.enum(['reached', 'open', 'missed']),
});

/** A measure over several runs. */
export const searchedExtremeSchema = z.object({ measure: z.string(), ...measured });

/** The measure that the search minimizes or maximizes, over several runs. */
export type SearchExtreme = z.output<typeof searchedExtremeSchema>;

/** Settings, and how well goals are reached with them. */
export const searchedPointSchema = z.object({
  set,
  seed: z.number(),
  runs: z.number(),
  /** How well each goal is reached over several runs. */
  goals: z.array(goal).readonly(),
  extreme: searchedExtremeSchema.nullable(),
});

/** A point of the search space, with the results of its runs. */
export type SearchedPoint = z.output<typeof searchedPointSchema>;

/** Why a search stopped. */
export const searchStoppedSchema = z.enum(['reached', 'converged', 'points']);

/** Why a search stopped: the goals were reached, no neighbour is better, or the limit of points was reached before that was known. */
export type SearchStopped = z.output<typeof searchStoppedSchema>;

/** The best point of one simplex, from a start of its own. */
const end = z.object({
  set,
  /** Whether the simplex finished within the budget of points. */
  ended: z.boolean(),
  agrees: z.boolean(),
  /** The mean of what is minimized or maximized. */
  value: z.number().nullable(),
  /** How far the point is from the goals, in shares of their limits; 0: all are reached, null: a run of it failed. */
  excess: z.number().nullable(),
});

/** How far the starts of a search agree. */
export const searchStartsSchema = z.object({
  begun: z.number(),
  /** Of those, how many came to their end within the budget of points. */
  ended: z.number(),
  /** How many are within `tolerance`, a share of its value, of the best point. */
  agreeing: z.number(),
  tolerance: z.number(),
  /** The greatest distance of two ends in one number, as a share of its range. */
  distance: z.number(),
  /** The lowest and the highest value of their ends; null where nothing is minimized or maximized. */
  values: pair.nullable(),
  ends: z.array(end).readonly(),
  /** Distances, as shares of the ranges, at which a search that converged found no better neighbour of its best point. */
  neighbour_steps: z.array(z.number()).readonly(),
});

/** How far the starts of a search agree. */
export type SearchStarts = z.output<typeof searchStartsSchema>;

const common = {
  schema: z.literal(SEARCH_SCHEMA),
  version: z.string(),
  name: z.string(),
  question: z.string(),
  /** SHA-256 of the file and of the scenario. */
  digest: z.string(),
};

const searchResult = z.object({
  ...common,
  find: z.literal('numbers'),
  /** Number of points that were played. */
  points: z.number(),
  stopped: searchStoppedSchema,
  /** Null if a point that was spread was enough. */
  starts: searchStartsSchema.nullable(),
  /** The best point, measured by the runs of the search. */
  best: searchedPointSchema,
  /** The same point, measured by runs with new seeds. */
  confirmed: searchedPointSchema,
  /** Whether all goals are reached in the confirming runs. */
  reached: z.boolean(),
});

/** The result of a search for numbers. */
export type SearchResult = z.output<typeof searchResult>;

const policy = z.object({
  /** Null for the classes that the scenario gives. */
  class: z.string().nullable(),
  policy: z.string(),
  /** Number of points that were played to find the policy's numbers. */
  points: z.number(),
  stopped: searchStoppedSchema,
  /** Null for a policy without numbers. */
  starts: searchStartsSchema.nullable(),
  confirmed: searchedPointSchema,
  /**
   * Among the policies that reach all goals of `life`, `best` costs least, `dominated` costs more than it by the whole
   * confidence interval, and of the others no difference was shown. `another life` misses a goal.
   */
  verdict: z.enum(['best', 'dominated', 'no difference shown', 'another life']),
  /** The cost in excess of the best policy's, in pairs of runs with the same seed. */
  more: searchedExtremeSchema.nullable(),
});

/** One policy in one class, measured by the confirming runs. */
export type SearchedPolicy = z.output<typeof policy>;

const price = z.object({
  class: z.string().nullable(),
  price: z.enum(['heartbeat', 'sigil', 'reissuance']),
  /** The cheapest policy that pays it. */
  paying: z.string(),
  /** The cheapest policy that does not pay it. */
  avoiding: z.string(),
  more: searchedExtremeSchema,
});

/** A price of the protocol that a policy can avoid, and then reaches the same goals for less. */
export type SearchedPrice = z.output<typeof price>;

const classWithoutLife = z.object({
  class: z.string(),
  /** The policy that comes closest. */
  closest: z.string(),
  with_cap: searchedPointSchema,
  /** The same without the cap of the class. */
  without_cap: searchedPointSchema,
  /** Whether the cap is the reason: without it all goals are reached. */
  cap_decides: z.boolean(),
});

/** A class in which no policy reaches all goals of `life`. */
export type SearchedClass = z.output<typeof classWithoutLife>;

const responseResult = z.object({
  ...common,
  find: z.literal('best_response'),
  population: z.string(),
  /** The goals that a policy has to reach to be compared by its cost. */
  life: texts,
  policies: z.array(policy).readonly(),
  dominated_prices: z.array(price).readonly(),
  classes_without_life: z.array(classWithoutLife).readonly(),
  /** Policies that were left out because this population cannot use them, and why. */
  left: z.array(z.object({ policy: z.string(), reason: z.string() })).readonly(),
});

/** The result of a search for the best policy of one population, given the others. */
export type ResponseResult = z.output<typeof responseResult>;

/** The result of a search of either kind. */
export const searchResultSchema = z.discriminatedUnion('find', [searchResult, responseResult]);
