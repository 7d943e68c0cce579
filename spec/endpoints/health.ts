/** GET /api/health of the beats service as data. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';

/** D-08: the one call outside /api/v1. */
export const health = {
  id: 'health',
  stem: 'health',
  service: 'beats',
  method: 'GET',
  path: '/api/health',
  section: '4.8',
  purpose: 'Says that the beats service is up.',
  auth: 'none',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: ({ dialect }: Facts) =>
    dialect.health === 'graded'
      ? {
          200: z.looseObject({ status: z.enum(['ok', 'degraded']) }),
          503: z.looseObject({ status: z.literal('error') }),
        }
      : { 200: z.looseObject({ status: z.literal('ok') }) },
} as const satisfies Endpoint;
