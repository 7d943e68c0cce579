/**
 * Building blocks of the scenario schema, each with an error that says what is allowed. Whole keys are in the other
 * schema files.
 */

import { z } from 'zod';
import { DAY_SEC } from '../spec/time.js';
import { DURATION_SEC_MAX } from './behaviours/duration.js';
import { DURATION_FORM, HASH_RATE_FORM, MONEY_FORM, parseDurationSec, parseHashRate, parseLamports } from './units.js';

interface SchemaMessage {
  readonly error: (issue: { readonly code?: string; readonly input?: unknown }) => string;
}

/** An error that says what is allowed, and whether the key is missing. */
export function allowed(form: string): SchemaMessage {
  return { error: ({ input }) => (input === undefined ? `is missing: must be ${form}` : `must be ${form}`) };
}

/** The same for a map whose form depends on one of its keys. */
export function oneOf(key: string, forms: string): SchemaMessage {
  const whole = allowed(`a map whose ${key} is ${forms}`);
  const known = (input: unknown): boolean => typeof input === 'object' && input !== null;
  return { error: (issue) => (known(issue.input) ? `must be ${forms}` : whole.error(issue)) };
}

/** A text that is parsed into a number. */
export function parsedText(form: string, parse: (text: string) => number | undefined): z.ZodType<number, string> {
  return z
    .string(allowed(form))
    .transform((text, context) => {
      const value = parse(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: `must be ${form}, not "${text}"` });
      return z.NEVER;
    })
    .meta({ description: form });
}

/**
 * A schema of a text that is, or begins with, a name that is given elsewhere: editors offer those. JSON Schema has no keyword for that
 * but the comment.
 */
export function naming<Schema extends z.ZodType>(
  names: 'populations' | 'traces' | 'measures' | 'goals' | 'numbers',
  schema: Schema,
): Schema {
  return schema.meta({ $comment: names }) as Schema;
}

export function whole(min: number, max: number): z.ZodType<number, number> {
  const error = allowed(`a whole number from ${min} to ${max}`);
  return z.number(error).int(error).min(min, error).max(max, error);
}

/** A number within bounds that belong to it. */
export function between(min: number, max: number): z.ZodType<number, number> {
  const error = allowed(`a number from ${min} to ${max}`);
  return z.number(error).min(min, error).max(max, error);
}

/** A duration above zero, without an upper limit. */
export const durationAnyLength = parsedText(
  `${DURATION_FORM}, above zero`,
  (text) => parseDurationSec(text) || undefined,
);
/** Longer durations would not fit into the columns that hold seconds. */
const bounded = (sec: number): boolean => sec <= DURATION_SEC_MAX;
const LONGEST_DURATION = `must be at most ${DURATION_SEC_MAX / DAY_SEC}d`;
export const moment = parsedText(DURATION_FORM, parseDurationSec).refine(bounded, LONGEST_DURATION);
export const duration = durationAnyLength.refine(bounded, LONGEST_DURATION);
const hashRate = parsedText(HASH_RATE_FORM, parseHashRate);
const lamportsText = parsedText(MONEY_FORM, parseLamports);
export const money = z.union([whole(0, Number.MAX_SAFE_INTEGER), lamportsText], allowed(MONEY_FORM));
/** The same number for all agents, or a distribution of it over them. */
function trait(form: string, fixed: z.ZodType<number>) {
  const forms =
    `${form}; or { distribution: fixed, mean }, { distribution: lognormal, mean, sigma } with sigma from 0.01 to 3, ` +
    '{ distribution: pareto, mean, shape } with a shape from 1.1 to 20, or { distribution: weibull, mean, shape } with a shape from 0.2 to 20';
  return z.union(
    [
      fixed,
      z.discriminatedUnion('distribution', [
        z.strictObject({ distribution: z.literal('fixed'), mean: fixed }),
        z.strictObject({ distribution: z.literal('lognormal'), mean: fixed, sigma: between(0.01, 3) }),
        z.strictObject({ distribution: z.literal('pareto'), mean: fixed, shape: between(1.1, 20) }),
        z.strictObject({ distribution: z.literal('weibull'), mean: fixed, shape: between(0.2, 20) }),
      ]),
    ],
    allowed(forms),
  );
}
export const hashRateTrait = trait(HASH_RATE_FORM, hashRate);
export const moneyTrait = trait(MONEY_FORM, money);
export const text = z.string(allowed('a text'));
export const map = allowed('a map of keys and values');
export const share = between(0, 1);

/** The name of a trace, and the seconds of it, which are filled in when the whole file is known. */
export const traced = {
  trace: naming('traces', z.string(allowed('the name of a trace')).min(1, 'must not be empty')),
};

export const durationDistribution = z.discriminatedUnion(
  'distribution',
  [
    z
      .strictObject({ distribution: z.literal('trace'), ...traced })
      .transform((file) => ({ ...file, valuesSec: [] as readonly number[] })),
    z.strictObject({ distribution: z.literal('fixed'), mean: duration }),
    z.strictObject({ distribution: z.literal('exponential'), mean: duration }),
    z.strictObject({ distribution: z.literal('lognormal'), mean: duration, sigma: between(0.01, 5) }),
    z.strictObject({ distribution: z.literal('weibull'), mean: duration, shape: between(0.2, 20) }),
  ],
  oneOf('distribution', 'fixed, exponential, lognormal, weibull or trace'),
);
