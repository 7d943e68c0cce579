import { z } from 'zod';
import { overlaySchema } from '../spec/overlay.js';
import { identityClasses } from '../spec/vocabulary.js';
import { goalNames } from './goals.js';
import { measureNames } from './measures.js';
import { SCENARIO_FORMAT } from './scenario.js';
import {
  DURATION_FORM,
  HASH_RATE_FORM,
  MONEY_FORM,
  parseDurationSec,
  parseHashRate,
  parseLamports,
  parseRateGapSec,
  RATE_FORM,
} from './units.js';

interface Says {
  readonly error: (issue: { readonly code?: string; readonly input?: unknown }) => string;
}

/** Says what is allowed, and whether the key is missing. */
function allowed(form: string): Says {
  return { error: ({ input }) => (input === undefined ? `is missing: must be ${form}` : `must be ${form}`) };
}

/** The same for a map whose form follows from one of its keys. */
function oneOf(key: string, forms: string): Says {
  const whole = allowed(`a map whose ${key} is ${forms}`);
  const known = (input: unknown): boolean => typeof input === 'object' && input !== null;
  return { error: (issue) => (known(issue.input) ? `must be ${forms}` : whole.error(issue)) };
}

/** A text in a form of its own, as the number that it means. */
function written(form: string, parse: (text: string) => number | undefined): z.ZodType<number, string> {
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

function whole(min: number, max: number): z.ZodType<number, number> {
  const error = allowed(`a whole number from ${min} to ${max}`);
  return z.number(error).int(error).min(min, error).max(max, error);
}

function between(min: number, max: number): z.ZodType<number, number> {
  const error = allowed(`a number from ${min} to ${max}`);
  return z.number(error).min(min, error).max(max, error);
}

const spanTime = written(DURATION_FORM, parseDurationSec);
const someTime = written(`${DURATION_FORM}, above zero`, (text) => parseDurationSec(text) || undefined);
const hashRate = written(HASH_RATE_FORM, parseHashRate);
const lamportsText = written(MONEY_FORM, parseLamports);
const money = z.union([whole(0, Number.MAX_SAFE_INTEGER), lamportsText], allowed(MONEY_FORM));
const text = z.string(allowed('a text'));
const map = allowed('a map of keys and values');
const share = between(0, 1);
/** The name of a population is its principal too, and has the form of one (4.6). */
const POPULATION_NAME = 'a lower-case letter, then up to 23 lower-case letters, digits or hyphens';
const populationName = z.string(allowed(POPULATION_NAME)).regex(/^[a-z][a-z0-9-]{0,23}$/, allowed(POPULATION_NAME));

const span = z.discriminatedUnion(
  'distribution',
  [
    z.strictObject({ distribution: z.literal('fixed'), mean: someTime }),
    z.strictObject({ distribution: z.literal('exponential'), mean: someTime }),
    z.strictObject({ distribution: z.literal('lognormal'), mean: someTime, sigma: between(0.01, 5) }),
    z.strictObject({ distribution: z.literal('weibull'), mean: someTime, shape: between(0.2, 20) }),
  ],
  oneOf('distribution', 'fixed, exponential, lognormal or weibull'),
);

const arrivals = z.discriminatedUnion(
  'pattern',
  [
    z.strictObject({ pattern: z.literal('at'), time: spanTime.default(0) }),
    z.strictObject({ pattern: z.literal('uniform'), from: spanTime.default(0), over: someTime }),
    z.strictObject({
      pattern: z.literal('poisson'),
      from: spanTime.default(0),
      rate: written(RATE_FORM, parseRateGapSec),
    }),
  ],
  oneOf('pattern', 'at, uniform or poisson'),
);

const heartbeat = z.discriminatedUnion(
  'policy',
  [
    z.strictObject({ policy: z.literal('interval'), every: someTime, jitter: share.default(0) }),
    z.strictObject({ policy: z.literal('keep_alive'), margin: spanTime, spread: spanTime.default(0) }),
  ],
  oneOf('policy', 'interval or keep_alive'),
);

const topUp = z.strictObject(
  { below: money.default(0), amount: money, after: spanTime.default(0), times: whole(1, 1_000_000).optional() },
  map,
);

const CLASSES = `one of ${identityClasses.join(', ')}, or a map of these to shares that sum to 1`;
const classes = z.union(
  [
    z.enum(identityClasses),
    z.strictObject({ narrow_task: share.optional(), autonomous: share.optional(), orchestrator: share.optional() }),
  ],
  allowed(CLASSES),
);

const population = z.strictObject(
  {
    name: populationName,
    count: whole(0, 4_000_000),
    class: classes,
    arrivals: arrivals.default({ pattern: 'at', time: 0 }),
    heartbeat,
    budget: z.strictObject({ wallet: money, top_up: topUp.optional() }, map),
    hash_rate: hashRate,
    outages: z.strictObject({ up: span, down: span }, map).optional(),
    resync: z.boolean(allowed('true or false')).default(true),
  },
  map,
);

const NAME = 'up to 64 lower-case letters, digits and hyphens';
const EXPECTATION = 'a text such as frozen_share < 5% after 7d';

/** The shape of a scenario file. What one part asks of another is `scenarioOf`'s to check. */
export const scenarioFileSchema = z.strictObject(
  {
    format: z.literal(SCENARIO_FORMAT, allowed(`${SCENARIO_FORMAT}, the version of the form of this file`)),
    name: z.string(allowed(NAME)).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, allowed(NAME)),
    question: text.min(1, 'must not be empty'),
    description: text.default(''),
    seed: whole(0, Number.MAX_SAFE_INTEGER).default(1),
    duration: someTime,
    protocol: overlaySchema.optional(),
    populations: z
      .array(population, allowed('a list of populations'))
      .min(1, 'must hold at least one population')
      .max(1_000, 'must hold at most 1000 populations'),
    measures: z.strictObject(
      {
        every: someTime,
        list: z
          .array(z.enum(measureNames, allowed(`one of ${measureNames.join(', ')}`)), allowed('a list of measures'))
          .optional(),
      },
      map,
    ),
    expectations: z.array(z.string(allowed(EXPECTATION)), allowed('a list of texts')).default([]),
    sometimes: z
      .array(z.enum(goalNames, allowed(`one of ${goalNames.join(', ')}`)), allowed('a list of goals'))
      .default([]),
  },
  map,
);

/** A scenario file as its schema reads it, durations in seconds and money in lamports. */
export type ScenarioFile = z.output<typeof scenarioFileSchema>;
