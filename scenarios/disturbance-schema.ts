import { z } from 'zod';
import { overlaySchema } from '../spec/overlay.js';
import { feeTypes } from '../spec/vocabulary.js';
import { populationName } from './population-schema.js';
import { allowed, map, money, oneOf, share, someTime, span, spanTime, whole } from './schema-parts.js';

/** Whom something befalls; without names everybody. */
const whom = {
  populations: z.array(populationName, allowed('a list of populations')).min(1, 'must name a population').optional(),
  share: share.default(1),
};

/** How complaints are reviewed. */
export const reviewsSchema = z.strictObject({ delay: span, accuracy: share, resolve: span.optional() }, map);

/** What goes wrong around the agents. */
export const faultSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('outage'), at: spanTime, for: someTime, ...whom }),
    z.strictObject({ kind: z.literal('outages'), up: span, down: span, ...whom }),
    z.strictObject({
      kind: z.literal('anchor_stall'),
      at: spanTime,
      for: someTime,
      catch_up: z.boolean(allowed('true or false')).default(false),
    }),
    z.strictObject({
      kind: z.literal('payments'),
      at: spanTime,
      for: someTime,
      late: share.default(0),
      delay: span.default({ distribution: 'fixed', mean: 600 }),
      dropped: share.default(0),
      retry: someTime.default(120),
    }),
  ],
  oneOf('kind', 'outage, outages, anchor_stall or payments'),
);

/** What somebody does once. */
export const interventionSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('protocol'), at: spanTime, set: overlaySchema }),
    z.strictObject({ kind: z.literal('revoke_keys'), at: spanTime, ...whom }),
    z.strictObject({
      kind: z.literal('subsidy'),
      at: spanTime,
      ...whom,
      fee: z.enum(feeTypes, allowed(`one of ${feeTypes.join(', ')}`)).default('heartbeat'),
      discount_bps: whole(1, 10_000),
      floor: money.optional(),
      for: someTime.optional(),
    }),
  ],
  oneOf('kind', 'protocol, revoke_keys or subsidy'),
);
