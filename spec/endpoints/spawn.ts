/** POST /agent/spawn as data, in its three modes. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { receiptSent } from './proof-schemas.js';
import { agentHash, agentName, count } from './shared.js';

/** 4.8: the preflight's reply. `receipt_based` is false where credited beats covered the cost (D-31). */
const spawnAuthorized = z.strictObject({
  ok: z.literal(true),
  eligible: z.literal(true),
  spawn_authorization: z.string().min(1),
  receipt_based: z.boolean(),
  required_beats: count,
});

/** 4.8: the reply of the call that links a registered child. */
function spawnFinalized(facts: Facts) {
  return z.strictObject({ ok: z.literal(true), eligible: z.literal(true), child_hash: agentHash(facts) });
}

/** 4.8: the reply of the probe; what the older form said as well is optional (D-31). */
const spawnReceiptRequired = z.strictObject({
  error: z.string(),
  code: z.literal('RECEIPT_REQUIRED'),
  required_beats: count,
  depth: count,
  siblings: count,
  ok: z.literal(false).optional(),
  eligible: z.literal(false).optional(),
  progress_pct: z.number().min(0).max(100).optional(),
  deficit: count.optional(),
});

/** 4.8. */
export const spawn = {
  id: 'spawn',
  stem: 'spawn',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/spawn',
  section: '4.8',
  purpose: 'Asks what a child costs, authorizes its registration, and links it once it is registered.',
  auth: 'agent',
  buckets: [{ limit: 'spawn', by: 'subject' }],
  body: (facts: Facts) =>
    z
      .object({
        child_name: agentName(facts).optional(),
        beats_receipt: receiptSent.optional(),
        child_hash: agentHash(facts).optional(),
      })
      // D-31: the call that links a child may leave its name out; every other needs it.
      .refine((body) => body.child_name !== undefined || body.child_hash !== undefined, {
        path: ['child_name'],
        message: 'is required unless child_hash is given',
      }),
  invalid: 'spawn/VALIDATION',
  replies: (facts: Facts) => ({
    200: z.union([spawnAuthorized, spawnFinalized(facts)]),
    402: spawnReceiptRequired,
  }),
} as const satisfies Endpoint;
