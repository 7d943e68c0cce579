/**
 * The schema of faults, interventions and reviews in a scenario file. References to populations are checked in
 * resolve-disturbance.ts.
 */

import { z } from 'zod';
import { overlaySchema } from '../spec/overlay.js';
import { feeTypes } from '../spec/vocabulary.js';
import { PAYMENT_DELAY_SEC, PAYMENT_RETRY_SEC } from './behaviours/payment-faults.js';
import { populationReference } from './population-schema.js';
import {
  allowed,
  between,
  duration,
  durationDistribution,
  map,
  moment,
  money,
  naming,
  oneOf,
  share,
  whole,
} from './schema-parts.js';

/** The keys that say which agents are affected; without populations all are. */
const affectedKeys = {
  populations: z
    .array(populationReference, allowed('a list of populations'))
    .min(1, 'must name a population')
    .optional(),
  share: share.default(1),
};

const DISTURBANCE_NAME = 'up to 64 lower-case letters, digits and hyphens';
const disturbanceName = z.string(allowed(DISTURBANCE_NAME)).regex(/^[a-z][a-z0-9-]{0,63}$/, allowed(DISTURBANCE_NAME));

/** When complaints are reviewed, which share of reviews is right, and when a sustained complaint is resolved. */
export const reviewsSchema = z.strictObject(
  { delay: durationDistribution, accuracy: share, resolve: durationDistribution.optional() },
  map,
);

/** A fault: agents, anchors or payments fail for a time. */
export const faultSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('outage'),
      name: disturbanceName.optional(),
      at: moment,
      for: duration,
      ...affectedKeys,
    }),
    z.strictObject({
      kind: z.literal('outages'),
      name: disturbanceName.optional(),
      up: durationDistribution,
      down: durationDistribution,
      ...affectedKeys,
    }),
    z.strictObject({
      kind: z.literal('anchor_stall'),
      name: disturbanceName.optional(),
      at: moment,
      for: duration,
      catch_up: z.boolean(allowed('true or false')).default(false),
    }),
    z.strictObject({
      kind: z.literal('payments'),
      name: disturbanceName.optional(),
      at: moment,
      for: duration,
      late: share.default(0),
      delay: durationDistribution.default({ distribution: 'fixed', mean: PAYMENT_DELAY_SEC }),
      dropped: share.default(0),
      retry: duration.default(PAYMENT_RETRY_SEC),
    }),
  ],
  oneOf('kind', 'outage, outages, anchor_stall or payments'),
);

/** The bounds of a factor by which numbers are multiplied. */
const FACTOR = [0.0001, 10_000] as const;

/** The measure that an intervention holds, with its target. */
const heldTarget = z.discriminatedUnion(
  'measure',
  [
    z.strictObject({ measure: z.literal('revenue'), per_day: money }),
    z.strictObject({ measure: z.literal('heartbeat_revenue'), per_day: money }),
    z.strictObject({ measure: z.literal('availability'), share }),
  ],
  oneOf('measure', 'revenue, heartbeat_revenue or availability'),
);

/** An intervention: somebody changes the protocol's numbers, once or again and again, revokes keys or grants a subsidy. */
export const interventionSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('protocol'), name: disturbanceName.optional(), at: moment, set: overlaySchema }),
    z.strictObject({ kind: z.literal('revoke_keys'), name: disturbanceName.optional(), at: moment, ...affectedKeys }),
    z.strictObject({
      kind: z.literal('subsidy'),
      name: disturbanceName.optional(),
      at: moment,
      ...affectedKeys,
      fee: z.enum(feeTypes, allowed(`one of ${feeTypes.join(', ')}`)).default('heartbeat'),
      discount_bps: whole(1, 10_000),
      floor: money.optional(),
      for: duration.optional(),
    }),
    z.strictObject({
      kind: z.literal('hold'),
      name: disturbanceName.optional(),
      at: moment.default(0),
      every: duration,
      target: heldTarget,
      populations: affectedKeys.populations,
      numbers: z
        .array(naming('numbers', z.string(allowed('the path of a number'))), allowed('a list of paths of numbers'))
        .min(1, 'must name a number')
        .optional(),
      gain: between(-10, 10).optional(),
      factor_min: between(...FACTOR).default(0.01),
      factor_max: between(...FACTOR).default(100),
    }),
  ],
  oneOf('kind', 'protocol, revoke_keys, subsidy or hold'),
);
