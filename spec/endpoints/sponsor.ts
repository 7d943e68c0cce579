/** POST, DELETE and GET /agent/sponsor as data. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { ISO_SPAN_HOURS_MAX } from '../formats.js';
import { sponsorshipStatuses } from '../vocabulary.js';
import { agentHash, count, isoTime } from './shared.js';

const call = {
  stem: 'sponsor',
  service: 'registry',
  path: '/api/v1/agent/sponsor',
  section: '4.13',
  auth: 'agent',
} as const;

/** 2.10 as POST answers it: without created_at, which only listings carry (D-48). */
function sponsorship(facts: Facts) {
  const { heartbeatsEpochMin, heartbeatsEpochMax } = facts.protocol.sponsor;
  return z.strictObject({
    parent_hash: agentHash(facts),
    child_hash: agentHash(facts),
    status: z.enum(sponsorshipStatuses),
    max_heartbeats_epoch: z.int().min(heartbeatsEpochMin).max(heartbeatsEpochMax),
    heartbeats_used_epoch: count,
    expires_at: isoTime.nullable(),
  });
}

/** 4.13: makes or renews a sponsorship. */
export const sponsorPost = {
  ...call,
  id: 'sponsor.post',
  method: 'POST',
  purpose: "Lets an ancestor's wallet pay a descendant's heartbeats, up to a cap in each epoch.",
  buckets: [{ limit: 'sponsorPost', by: 'agent' }],
  body: (facts: Facts) => {
    const { heartbeatsEpochMin, heartbeatsEpochMax, expiresHoursMin } = facts.protocol.sponsor;
    return z.object({
      child_hash: agentHash(facts),
      max_heartbeats_epoch: z.int().min(heartbeatsEpochMin).max(heartbeatsEpochMax).optional(),
      expires_in_hours: z.number().min(expiresHoursMin).max(ISO_SPAN_HOURS_MAX).optional(),
    });
  },
  invalid: 'sponsor/VALIDATION',
  refuses: [
    'VALIDATION',
    'SPONSOR_INVALID',
    'SPONSOR_NOT_ANCESTOR',
    'WALLET_REQUIRED',
    'SPONSOR_PARENT_FROZEN',
    'AGENT_NOT_FOUND',
  ],
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      sponsorship: sponsorship(facts).extend({ status: z.literal('active') }),
    }),
  }),
} as const satisfies Endpoint;

/** 4.13: ends a sponsorship. */
export const sponsorDelete = {
  ...call,
  id: 'sponsor.delete',
  method: 'DELETE',
  purpose: 'Revokes a sponsorship.',
  buckets: [{ limit: 'sponsorDelete', by: 'agent' }],
  body: (facts: Facts) => z.object({ child_hash: agentHash(facts) }),
  invalid: 'sponsor/VALIDATION',
  refuses: ['SPONSOR_NOT_FOUND'],
  replies: () => ({ 200: z.strictObject({ ok: z.literal(true), revoked: z.literal(true) }) }),
} as const satisfies Endpoint;

/** 4.13: lists the caller's sponsorships of any status (D-30). */
export const sponsorGet = {
  ...call,
  id: 'sponsor.get',
  method: 'GET',
  purpose: 'Lists the sponsorships that the caller has given.',
  buckets: [{ limit: 'sponsorGet', by: 'agent' }],
  body: null,
  invalid: null,
  refuses: [],
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      sponsorships: z.array(sponsorship(facts).extend({ created_at: isoTime })),
    }),
  }),
} as const satisfies Endpoint;
