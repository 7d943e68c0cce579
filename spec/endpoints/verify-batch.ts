/** POST /verify/batch as data: several agents are verified at once. One result is as in verify.ts. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { notVerified, verification } from './identity-schemas.js';
import { count } from './shared.js';

/** 4.14. Three rows of section 7 refuse a list, so its items are for the rule to read. */
export const verifyBatch = {
  id: 'verify-batch',
  stem: 'verify-batch',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/verify/batch',
  section: '4.14',
  purpose: 'Verifies several agents at once.',
  auth: 'none',
  buckets: [{ limit: 'verifyBatch', by: 'ip' }],
  body: () => z.object({ hashes: z.unknown() }),
  invalid: 'verify-batch/INVALID_INPUT',
  changesNothing: true,
  replies: (facts: Facts) => ({
    200: z.strictObject({
      results: z.array(z.discriminatedUnion('verified', [verification(facts), notVerified])),
      summary: z.strictObject({ total: count, verified: count, not_found: count }),
    }),
  }),
} as const satisfies Endpoint;
