/**
 * The schema of one population in a scenario file. Conditions between its keys are checked in resolve-population.ts.
 */

import { z } from 'zod';
import { identityClasses } from '../spec/vocabulary.js';
import { adaptsSchema } from './adaptation-schema.js';
import { DURATION_SEC_MAX } from './behaviours/duration.js';
import { ANSWER_SEC, BEATS_MAX, CHILDREN_MAX, DEPTH_MAX } from './behaviours/spawn-policy.js';
import {
  allowed,
  between,
  duration,
  durationDistribution,
  hashRateTrait,
  map,
  moment,
  money,
  moneyTrait,
  naming,
  oneOf,
  parsedText,
  share,
  traced,
  whole,
} from './schema-parts.js';
import { parseRateGapSec, RATE_FORM } from './units.js';

/** The name of a population is also the principal of its SIGILs, so it has the form that 4.6 demands of a principal. */
const POPULATION_NAME = 'a lower-case letter, then up to 23 lower-case letters, digits or hyphens';
const populationName = z.string(allowed(POPULATION_NAME)).regex(/^[a-z][a-z0-9-]{0,23}$/, allowed(POPULATION_NAME));

/** The name of a population in another part of the file. */
export const populationReference = naming('populations', populationName);

const arrivals = z.discriminatedUnion(
  'pattern',
  [
    z.strictObject({ pattern: z.literal('at'), time: moment.default(0) }),
    z.strictObject({ pattern: z.literal('uniform'), from: moment.default(0), over: duration }),
    z.strictObject({
      pattern: z.literal('poisson'),
      from: moment.default(0),
      rate: parsedText(RATE_FORM, parseRateGapSec),
    }),
    z.strictObject({
      pattern: z.literal('entry'),
      from: moment.default(0),
      rate: parsedText(RATE_FORM, parseRateGapSec),
      every: duration,
      above: money.default(0),
    }),
    z
      .strictObject({ pattern: z.literal('trace'), ...traced })
      .transform((file) => ({ ...file, valuesSec: [] as readonly number[] })),
    z.strictObject({ pattern: z.literal('spawned') }),
  ],
  oneOf('pattern', 'at, uniform, poisson, entry, trace or spawned'),
);

const heartbeat = z.discriminatedUnion(
  'policy',
  [
    z.strictObject({ policy: z.literal('interval'), every: duration, jitter: share.default(0) }),
    z.strictObject({ policy: z.literal('keep_alive'), margin: moment, spread: moment.default(0) }),
    z.strictObject({
      policy: z.literal('daily'),
      from: moment.default(0),
      for: duration,
      every: duration,
      margin: moment,
    }),
    z.strictObject({ policy: z.literal('budget'), per_day: money }),
    z.strictObject({ policy: z.literal('thrifty'), every: duration, worth: moneyTrait, margin: moment }),
    z.strictObject({
      policy: z.literal('elastic'),
      every: duration,
      at: money,
      elasticity: between(0, 10),
      shortest: duration.default(1),
      longest: duration.default(DURATION_SEC_MAX),
    }),
    z.strictObject({
      policy: z.literal('straddle'),
      every: duration,
      turns: whole(1, 1_000).default(2),
      margin: moment,
    }),
    z.strictObject({ policy: z.literal('on_demand'), every: duration, for: duration, beat: duration }),
    z
      .strictObject({ policy: z.literal('trace'), ...traced })
      .transform((file) => ({ ...file, valuesSec: [] as readonly number[] })),
    z.strictObject({ policy: z.literal('spam'), every: duration }),
    z.strictObject({
      policy: z.literal('own'),
      behaviour: z.string(allowed('the name of a behaviour')).min(1, 'must not be empty'),
      options: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])).default({}),
    }),
  ],
  oneOf('policy', 'interval, keep_alive, daily, budget, thrifty, elastic, straddle, on_demand, trace, spam or own'),
);

const topUp = z.strictObject(
  { below: money.default(0), amount: money, after: moment.default(0), times: whole(1, 1_000_000).optional() },
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

const sponsor = z.strictObject(
  {
    cap: whole(1, 10_000).optional(),
    expires: duration.optional(),
    renew: z.boolean(allowed('true or false')).default(true),
    answer: duration.default(ANSWER_SEC),
    generations: whole(1, 1_000).default(1),
  },
  map,
);

const spawning = z.strictObject(
  {
    into: populationReference,
    every: durationDistribution,
    children_max: whole(1, CHILDREN_MAX).default(CHILDREN_MAX),
    depth_max: whole(1, DEPTH_MAX).default(DEPTH_MAX),
    beats_max: whole(1, BEATS_MAX).default(BEATS_MAX),
    sponsor: sponsor.optional(),
  },
  map,
);

const flagging = z.strictObject(
  {
    every: durationDistribution,
    targets: populationReference,
    asserts: z.enum(identityClasses, allowed(`one of ${identityClasses.join(', ')}`)).default('narrow_task'),
  },
  map,
);

const economics = z.strictObject(
  {
    live_day: money.default(0),
    heartbeat: money.default(0),
    gigahash: money.default(0),
    shared_day: money.optional(),
  },
  map,
);

const SIGIL_CHOICES = ['at_birth', 'at_cap', 'never'] as const;
const trueOrFalse = z.boolean(allowed('true or false'));
const budget = z.strictObject({ wallet: moneyTrait, top_up: topUp.optional() }, map);
const outages = z.strictObject({ up: durationDistribution, down: durationDistribution }, map);
const sigil = z.enum(SIGIL_CHOICES, allowed(`one of ${SIGIL_CHOICES.join(', ')}`));
const reissue = z.strictObject({ every: durationDistribution, free: trueOrFalse.default(false) }, map);
const difficulty = whole(1, 1_000_000);

/** The keys that an option of `adapts` can replace; some need by: fixed, which resolve-adaptation.ts checks. */
const replaceable = {
  class: classes.optional(),
  heartbeat: heartbeat.optional(),
  budget: budget.optional(),
  hash_rate: hashRateTrait.optional(),
  difficulty: difficulty.optional(),
  outages: outages.optional(),
  resync: trueOrFalse.optional(),
  sigil: sigil.optional(),
  lifetime: durationDistribution.optional(),
  reissue: reissue.optional(),
  spawning: spawning.optional(),
  sponsored: trueOrFalse.optional(),
  flagging: flagging.optional(),
  misbehaves: trueOrFalse.optional(),
  forges: trueOrFalse.optional(),
  economics: economics.optional(),
};

export const populationSchema = z.strictObject(
  {
    name: populationName,
    count: whole(0, 10_000_000),
    class: classes,
    arrivals: arrivals.default({ pattern: 'at', time: 0 }),
    heartbeat,
    budget,
    hash_rate: hashRateTrait,
    difficulty: difficulty.optional(),
    outages: outages.optional(),
    count_ends_growth: trueOrFalse.default(false),
    resync: trueOrFalse.default(true),
    sigil: sigil.default('at_birth'),
    lifetime: durationDistribution.optional(),
    reissue: reissue.optional(),
    spawning: spawning.optional(),
    sponsored: trueOrFalse.optional(),
    flagging: flagging.optional(),
    misbehaves: trueOrFalse.default(false),
    forges: trueOrFalse.default(false),
    economics: economics.default({ live_day: 0, heartbeat: 0, gigahash: 0 }),
    adapts: adaptsSchema(replaceable).optional(),
  },
  map,
);
