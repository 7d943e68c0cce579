/** GET /status/:hash as data: the status of an agent. The full verification is in verify.ts. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { classesOf, sigilTiersOf } from '../parts.js';
import { agentTypes, standings } from '../vocabulary.js';
import { beatState, storedMetadata, walletFields } from './identity-schemas.js';
import { agentHash, count, isoTime } from './shared.js';

/** 4.1 lists the route; D-19 gives its reply. `sigil_issued_at` is a global beat, as `issued_at_beat` of 2.7 is. */
export const status = {
  id: 'status',
  stem: 'status',
  service: 'registry',
  method: 'GET',
  path: '/api/v1/status/:hash',
  section: '4.1',
  purpose: "Tells an agent's status.",
  auth: 'none',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: (facts: Facts) => ({
    200: z.strictObject({
      exists: z.literal(true),
      status: z.enum(standings),
      hash: agentHash(facts),
      type: z.enum(agentTypes),
      depth: count,
      name: z.string(),
      metadata: storedMetadata,
      ...walletFields,
      identity_class: z.enum(classesOf(facts.protocol)).nullable(),
      sigil: z.string().nullable(),
      sigil_issued_at: count.nullable(),
      tier: z.enum(sigilTiersOf(facts.protocol)).nullable(),
      principal: z.string().nullable(),
      registered: isoTime,
      registered_by: z.string().nullable(),
      tx_signature: z.string().nullable(),
      heartbeat_refused: z.boolean(),
      heartbeat_refused_reason: z.string().nullable(),
      beat_state: beatState(facts).nullable(),
    }),
    404: z.strictObject({
      error: z.string().optional(),
      code: z.literal('AGENT_NOT_FOUND').optional(),
      exists: z.literal(false),
      status: z.literal('not_found'),
      hash: z.string(),
    }),
  }),
} as const satisfies Endpoint;
