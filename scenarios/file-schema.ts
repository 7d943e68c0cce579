/** The schema of a scenario file, part by part. Conditions between parts are checked in resolve-scenario.ts. */

import { z } from 'zod';
import { overlaySchema } from '../spec/overlay.js';
import { faultSchema, interventionSchema, reviewsSchema } from './disturbance-schema.js';
import { goalNames } from './goals.js';
import { measureNames } from './measures.js';
import { populationSchema } from './population-schema.js';
import { SCENARIO_FORMAT } from './scenario.js';
import { allowed, duration, durationAnyLength, map, naming, text, whole } from './schema-parts.js';
import { tracesSchema } from './traces.js';

const NAME = 'up to 64 lower-case letters, digits and hyphens';
const EXPECTATION = 'a text such as frozen_share < 5% after 7d';

/** The shape of a scenario file. */
export const scenarioFileSchema = z.strictObject(
  {
    format: z.literal(SCENARIO_FORMAT, allowed(`${SCENARIO_FORMAT}, the format version of this file`)),
    name: z.string(allowed(NAME)).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, allowed(NAME)),
    question: text.min(1, 'must not be empty'),
    description: text.default(''),
    seed: whole(0, Number.MAX_SAFE_INTEGER).default(1),
    duration: durationAnyLength,
    protocol: overlaySchema.optional(),
    traces: tracesSchema.default({}),
    populations: z
      .array(populationSchema, allowed('a list of populations'))
      .min(1, 'must hold at least one population')
      .max(1_000, 'must hold at most 1000 populations'),
    reviews: reviewsSchema.optional(),
    faults: z.array(faultSchema, allowed('a list of faults')).max(1_000, 'must hold at most 1000 faults').default([]),
    interventions: z
      .array(interventionSchema, allowed('a list of interventions'))
      .max(1_000, 'must hold at most 1000 interventions')
      .default([]),
    measures: z.strictObject(
      {
        every: duration,
        list: z
          .array(
            naming('measures', z.enum(measureNames, allowed(`one of ${measureNames.join(', ')}`))),
            allowed('a list of measures'),
          )
          .optional(),
      },
      map,
    ),
    expectations: z.array(naming('measures', z.string(allowed(EXPECTATION))), allowed('a list of texts')).default([]),
    sometimes: z
      .array(naming('goals', z.enum(goalNames, allowed(`one of ${goalNames.join(', ')}`))), allowed('a list of goals'))
      .default([]),
  },
  map,
);

/** A parsed scenario file, with durations in seconds and money in lamports. */
export type ScenarioFile = z.output<typeof scenarioFileSchema>;
