/** GET /verify/:hash as data: the full verification of an agent. The schema of its reply is in identity-schemas.ts. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { notVerified, verification } from './identity-schemas.js';
import { count } from './shared.js';

/** 4.1 lists the route; D-20 gives its reply. */
export const verify = {
  id: 'verify',
  stem: 'verify',
  service: 'registry',
  method: 'GET',
  path: '/api/v1/verify/:hash',
  section: '4.1',
  purpose: 'Verifies an agent, with its lineage up to the root.',
  auth: 'none',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: (facts: Facts) => ({
    200: verification(facts).extend({ lineage_depth: count }),
    404: notVerified.extend({ code: z.literal('AGENT_NOT_FOUND').optional() }),
  }),
} as const satisfies Endpoint;
