/** `design.json`, the result of `aips experiment design`, as a schema and the types that follow from it. Writers in reports/ read it. */

import { z } from 'zod';
import { equilibriumResultSchema } from './equilibrium-result.js';
import {
  searchedExtremeSchema,
  searchedPointSchema,
  searchStartsSchema,
  searchStoppedSchema,
} from './search-result.js';

/** The version of the shape of `design.json`. */
export const DESIGN_SCHEMA = 'aips-lab/design/1';

const point = searchedPointSchema.omit({ extreme: true }).extend({
  /** The measure of each objective, in their order. */
  objectives: z.array(searchedExtremeSchema).readonly(),
});

/** Numbers, and what they bring in runs with seeds that nothing was found by. */
export type DesignPoint = z.output<typeof point>;

const region = z.object({
  /** The share of the best value by which a point may be worse. */
  tolerance: z.number(),
  /** Points that reach the goals and are not shown to be worse than that. */
  points: z.int(),
  /** The least and the greatest value of each number among them. */
  ranges: z.array(z.object({ path: z.string(), from: z.number(), to: z.number() })).readonly(),
});

const designResultSchema = z.object({
  schema: z.literal(DESIGN_SCHEMA),
  version: z.string(),
  name: z.string(),
  question: z.string(),
  /** SHA-256 of the file and of the scenario. */
  digest: z.string(),
  objectives: z
    .array(z.object({ measure: z.string(), unit: z.string(), direction: z.enum(['maximize', 'minimize']) }))
    .readonly(),
  seed: z.number(),
  /** Number of points that were played to find the design. */
  points: z.int(),
  /** Both null with several objectives. */
  stopped: searchStoppedSchema.nullable(),
  starts: searchStartsSchema.nullable(),
  /** Null with several objectives. */
  region: region.nullable(),
  /** The scenario without the change. */
  before: point,
  /** The optimum; with several objectives the points that no other beats, in the order of the first objective. */
  front: z.array(point.extend({ dominated: z.boolean() })).readonly(),
  /** The place in `front` of the optimum, or of the point with the least distance from the best of each objective. */
  chosen: z.int(),
  /** Whether the chosen point reaches all goals by its intervals. */
  reached: z.boolean(),
  equilibrium: z
    .object({
      before: equilibriumResultSchema,
      after: equilibriumResultSchema,
      /** Whether other options are played after the change; null where one of the two has no equilibrium. */
      moves: z.boolean().nullable(),
    })
    .nullable(),
});

/** `design.json`. */
export type DesignResult = z.output<typeof designResultSchema>;
