/** POST and DELETE /admin/agent/subsidy as data. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { feeTypes } from '../vocabulary.js';
import { agentHash, count, isoTime, isoTimeSent } from './shared.js';

const call = {
  stem: 'subsidy',
  service: 'registry',
  path: '/api/v1/admin/agent/subsidy',
  section: '4.17',
  auth: 'admin',
  buckets: [{ limit: 'subsidy', by: 'ip' }],
  invalid: 'subsidy/SUBSIDY_INVALID',
} as const;

const discountBps = ({ protocol }: Facts) =>
  z.int().min(protocol.subsidy.discountBpsMin).max(protocol.subsidy.discountBpsMax);

/** 2.11. `valid_until` is null or absent where the subsidy has no end. */
function subsidy(facts: Facts) {
  return z.strictObject({
    agent_hash: agentHash(facts),
    fee_type: z.enum(feeTypes),
    discount_bps: discountBps(facts),
    floor_lamports: count,
    reason: z.string().min(1),
    valid_until: isoTime.nullable().optional(),
  });
}

/** 4.17: makes or replaces a subsidy. */
export const subsidyPost = {
  ...call,
  id: 'subsidy.post',
  method: 'POST',
  purpose: 'Discounts one type of fee for one agent.',
  body: (facts: Facts) =>
    z.object({
      agent_hash: agentHash(facts),
      fee_type: z.enum(feeTypes),
      discount_bps: discountBps(facts),
      reason: z.string().min(1),
      floor_lamports: count.optional(),
      valid_until: isoTimeSent.optional(),
    }),
  replies: (facts: Facts) => ({ 200: z.strictObject({ ok: z.literal(true), subsidy: subsidy(facts) }) }),
  refuses: ['SUBSIDY_INVALID', 'AGENT_NOT_FOUND', 'AUTH_MISSING', 'AUTH_INVALID'],
} as const satisfies Endpoint;

/** 4.17: takes a subsidy back. */
export const subsidyDelete = {
  ...call,
  id: 'subsidy.delete',
  method: 'DELETE',
  purpose: 'Ends a discount.',
  body: (facts: Facts) => z.object({ agent_hash: agentHash(facts), fee_type: z.enum(feeTypes) }),
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      deleted: z.literal(true),
      agent_hash: agentHash(facts),
      fee_type: z.enum(feeTypes),
    }),
  }),
  refuses: ['SUBSIDY_NOT_FOUND', 'AUTH_MISSING', 'AUTH_INVALID'],
} as const satisfies Endpoint;
