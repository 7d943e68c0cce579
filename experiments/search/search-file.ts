/** The schema of files for `aips experiment search`: numbers that reach goals, or the policy that answers best. Their points are played by the command. */

import { z } from 'zod';
import { withKnownKeys } from '../../scenarios/known-keys.js';
import { type Parsed, parseYaml } from '../../spec/document.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { formulasKey } from '../sweep/measure-formula.js';
import { experimentKeys, factorRanges, RUNS_MAX } from '../sweep/sweep-file.js';
import { policyNames } from './policy-names.js';

/** A single run has no interval, and a goal is reached by an interval. */
const REPLICATES_MIN = 2;
const POINTS_MAX = 100_000;

const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error);
};
const goals = z.array(z.string()).min(1, 'must hold at least one goal such as uptime_share > 99 %');

/** The kinds of things that are looked for. */
const KINDS = ['numbers', 'best_response'] as const;
const kindSchema = z.looseObject({
  find: z.enum(KINDS, `must be one of ${KINDS.join(', ')}`).default('numbers'),
});

const numbersSchema = z
  .strictObject({
    ...experimentKeys,
    find: z.literal('numbers').default('numbers'),
    replicates: whole(REPLICATES_MIN, RUNS_MAX).default(5),
    numbers: factorRanges,
    ...formulasKey,
    goals,
    minimize: z.string().optional(),
    maximize: z.string().optional(),
    /** The most points that are played; absent: `defaultPoints`. */
    points: whole(1, POINTS_MAX).optional(),
    /** Runs with seeds of their own, by which the point that was found is confirmed. */
    confirm: whole(REPLICATES_MIN, RUNS_MAX).default(20),
  })
  .refine(({ minimize, maximize }) => minimize === undefined || maximize === undefined, {
    path: ['maximize'],
    message: 'cannot stand beside minimize',
  });

const policyName = z.enum(policyNames, `must be one of ${policyNames.join(', ')}`);
const className = z.enum(identityClasses, `must be one of ${identityClasses.join(', ')}`);

const responseSchema = z.strictObject({
  ...experimentKeys,
  find: z.literal('best_response'),
  replicates: whole(REPLICATES_MIN, RUNS_MAX).default(3),
  /** The agents who look for the policy that costs them least. */
  population: z.string().min(1, 'must name a population of the scenario'),
  /** Goals that every policy has to reach: what its agents get for what they pay. */
  life: goals,
  /** The classes that they may choose; absent: their own. */
  classes: z.array(className).min(1, 'must name at least one class').optional(),
  /** The policies that they may choose; absent: all. */
  policies: z.array(policyName).min(1, 'must name at least one policy').optional(),
  /** The most points that are played for each policy and class. */
  points: whole(1, POINTS_MAX).default(16),
  confirm: whole(REPLICATES_MIN, RUNS_MAX).default(10),
});

/** A file that looks for numbers. */
export type NumbersFile = z.output<typeof numbersSchema>;

/** Points that are enough for most searches over this count of numbers to end. */
export function defaultPoints(numbers: number): number {
  return 100 * (numbers + 1);
}

/** A file that looks for a best response. */
export type ResponseFile = z.output<typeof responseSchema>;

/** Reads a file of either kind; every mistake is a problem with its line and key. */
export function parseSearch(text: string, file: string): Parsed<NumbersFile | ResponseFile> {
  const kind = parseYaml(text, file, kindSchema);
  if (!kind.ok) return kind;
  return kind.value.find === 'numbers' ? parsedBy(numbersSchema, text, file) : parsedBy(responseSchema, text, file);
}

function parsedBy<T>(schema: z.ZodType<T>, text: string, file: string): Parsed<T> {
  return withKnownKeys(parseYaml(text, file, schema), () =>
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  );
}

/** The JSON Schema (draft 2020-12) of such files, for editors. */
export function searchJsonSchema(): Readonly<Record<string, unknown>> {
  const titled = z.union([numbersSchema, responseSchema]).meta({
    title: 'aips-lab search',
    description:
      'Numbers within bounds that reach goals, or the policy that costs a population least for the same life.',
  });
  return z.toJSONSchema(titled, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
}
