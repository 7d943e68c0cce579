/** PATCH /agent/metadata as data. The fields themselves are in identity-schemas.ts. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { immutableFields, mutableFields, mutableMetadata } from './identity-schemas.js';

const changing = z.never('cannot be changed after the purchase').optional();
const unchangeable = Object.fromEntries(immutableFields.map((field) => [field, changing])) as Record<
  (typeof immutableFields)[number],
  typeof changing
>;

/** 4.11. */
export const metadata = {
  id: 'metadata',
  stem: 'metadata',
  service: 'registry',
  method: 'PATCH',
  path: '/api/v1/agent/metadata',
  section: '4.11',
  purpose: "Sets mutable fields of the agent's SIGIL.",
  auth: 'agent',
  buckets: [{ limit: 'metadata', by: 'subject' }],
  body: (facts: Facts) =>
    z
      .object({ ...mutableMetadata(facts), ...unchangeable })
      .refine((body) => mutableFields.some((field) => body[field] !== undefined), 'must have a mutable field'),
  invalid: 'metadata/VALIDATION',
  errorsShown: 'status',
  replies: ({ protocol }: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      sigil: z.string().min(1),
      generation: z.int().min(protocol.metadata.generationStart),
      updated_fields: z.array(z.enum(mutableFields)).min(1),
    }),
  }),
} as const satisfies Endpoint;
