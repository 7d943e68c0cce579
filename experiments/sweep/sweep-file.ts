/** The schema of a sweep file: a scenario, what varies in it, and how often each arm is played. Its arms are made in plan.ts. */

import { z } from 'zod';
import type { Json } from '../../results/json-text.js';
import { withKnownKeys } from '../../scenarios/known-keys.js';
import { naming } from '../../scenarios/schema-parts.js';
import { type Parsed, parseYaml } from '../../spec/document.js';
import type { Design } from '../design/designs.js';
import { readRange } from '../design/factor-range.js';
import { SOBOL_DIMENSIONS_MAX } from '../design/sobol-sequence.js';
import { formulasKey } from './measure-formula.js';

/** The version of the form of sweep files. */
const SWEEP_FORMAT = 1;
/** The most arms and runs of a sweep: more are likelier a mistake than meant. */
export const ARMS_MAX = 100_000;
export const RUNS_MAX = 10_000_000;
/** The most numbers that a sweep keeps of all runs for its series: they are all in memory. */
export const SERIES_NUMBERS_MAX = 10_000_000;
/** The most times of agents that a sweep keeps for its curves of survival: they are all in memory. */
export const LIVES_MAX = 2_000_000;

const json = z.json() as unknown as z.ZodType<Json>;
const NAME = 'up to 64 lower-case letters, digits and hyphens';
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, `must be ${NAME}`);
const ARM_NAME = 'up to 64 lower-case letters, digits, dots and hyphens';
const armName = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, `must be ${ARM_NAME}`);
const path = naming(
  'numbers',
  z.string().regex(/^[^.\s]+(\.[^.\s]+)*$/, 'must be a path such as populations.workers.count'),
);
const points = z.int('must be a whole number').min(1).max(ARMS_MAX);
const values = z.array(json).min(1, 'must hold at least one value').max(ARMS_MAX);
const lists = z
  .record(path, values)
  .refine((factors) => Object.keys(factors).length > 0, 'must name at least one path');

const factorRange = z
  .strictObject({
    from: z.union([z.number(), z.string()]),
    to: z.union([z.number(), z.string()]),
    scale: z.enum(['linear', 'log']).default('linear'),
    whole: z.boolean().default(false),
  })
  .transform((range, context) => {
    const read = readRange(range);
    if (typeof read !== 'string') return read;
    context.addIssue({ code: 'custom', message: read });
    return z.NEVER;
  });

/** Ranges by path, as designs of points and analyses of sensitivity take them. */
export const factorRanges = z
  .record(path, factorRange)
  .refine((factors) => Object.keys(factors).length > 0, 'must name at least one path')
  .refine((factors) => Object.keys(factors).length <= SOBOL_DIMENSIONS_MAX, `must be at most ${SOBOL_DIMENSIONS_MAX}`);

const design: z.ZodType<Design, unknown> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('grid'), factors: lists }),
  z
    .strictObject({ kind: z.literal('zip'), factors: lists })
    .refine(({ factors }) => new Set(Object.values(factors).map(({ length }) => length)).size === 1, {
      path: ['factors'],
      message: 'must be lists of the same length',
    }),
  z.strictObject({
    kind: z.literal('table'),
    rows: z
      .array(z.strictObject({ name: armName.optional(), set: z.record(path, json).default({}) }))
      .min(1, 'must hold at least one row')
      .max(ARMS_MAX),
  }),
  z.strictObject({ kind: z.literal('latin_hypercube'), points, factors: factorRanges }),
  z.strictObject({ kind: z.literal('sobol'), points, factors: factorRanges }),
]);

/** Keys that every file of an experiment has. */
export const experimentKeys = {
  format: z.literal(SWEEP_FORMAT, `must be ${SWEEP_FORMAT}, the format version of this file`),
  name,
  question: z.string().min(1, 'must not be empty'),
  description: z.string().default(''),
  /** The scenario, from the folder of this file. */
  scenario: z.string().min(1, 'must name a scenario file'),
  seed: z.int('must be a whole number').min(0).default(1),
  replicates: z.int('must be a whole number').min(1).max(RUNS_MAX).default(10),
};

const measureList = z.array(naming('measures', z.string())).min(1, 'must hold at least one measure');

const sweepFileSchema = z.strictObject({
  ...experimentKeys,
  common_random_numbers: z.boolean().default(true),
  design: design.default({ kind: 'table', rows: [{ set: {} }] }),
  ...formulasKey,
  measures: measureList.optional(),
  /** Measures whose values at every sample are kept. */
  series: measureList.default([]),
  /** Times until agents are frozen for the first time: of all agents, and by group. */
  survival: z
    .strictObject({
      of: z.literal('first_freeze', 'must be first_freeze'),
      by: z.enum(['population', 'class', 'option'], 'must be population, class or option').optional(),
    })
    .optional(),
  /** True: a row is written for each agent of each run. */
  agents: z.boolean().default(false),
  expectations: z.array(naming('measures', z.string())).default([]),
});

/** A sweep file that was read. */
export type SweepFile = z.output<typeof sweepFileSchema>;

/** Reads a sweep file; every mistake is a problem with its line and key. */
export function parseSweep(text: string, file: string): Parsed<SweepFile> {
  return withKnownKeys(parseYaml(text, file, sweepFileSchema), sweepJsonSchema);
}

/** The JSON Schema (draft 2020-12) of sweep files, for editors. */
export function sweepJsonSchema(): Readonly<Record<string, unknown>> {
  const titled = sweepFileSchema.meta({
    title: 'aips-lab sweep',
    description: 'An experiment: a scenario, what varies in it, and how often each arm is played.',
  });
  return z.toJSONSchema(titled, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
}
