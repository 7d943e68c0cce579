/** POST /agent/heartbeat as data: body, replies and limit. The rule is reference/registry/heartbeat.ts. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { errors } from '../errors.js';
import { agentHash, count, heartbeatFee, passport, paymentTx, rateLimitedBody } from './shared.js';

const TOO_SOON = 'HEARTBEAT_TOO_SOON';
const otherLimits = Object.values(errors)
  .filter(({ endpoint, status, code }) => endpoint === 'heartbeat' && status === 429 && code !== TOO_SOON)
  .map(({ code }) => code);

/** Section 7: the refusals with 429, of which the first also says when the next heartbeat is due (4.5). */
const heartbeatLimited = z.discriminatedUnion('code', [
  z.strictObject({ error: z.string(), code: z.literal(TOO_SOON), next_eligible_beat: count }),
  z.strictObject({ error: z.string(), code: z.enum(otherLimits) }),
  rateLimitedBody,
]);

/** 4.5. */
export const heartbeat = {
  id: 'heartbeat',
  stem: 'heartbeat',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/heartbeat',
  section: '4.5',
  purpose: 'Pays for a proof of liveness and answers with a passport.',
  auth: 'agent',
  buckets: [{ limit: 'heartbeat', by: 'subject' }],
  body: () => z.object({ payment_tx: paymentTx, global_anchor: count.optional() }),
  invalid: 'heartbeat/VALIDATION',
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      agent_hash: agentHash(facts),
      passport: passport(facts),
      lineage_proof: passport(facts).optional(),
      total_heartbeats: count,
      heartbeat_count_epoch: count,
      billing_epoch: count,
      current_beat: count,
      fee: heartbeatFee,
    }),
    429: heartbeatLimited,
  }),
} as const satisfies Endpoint;
