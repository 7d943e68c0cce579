/** POST /agent/checkin as data: the endpoint that is retired. */

import { z } from 'zod';
import type { Endpoint } from '../endpoint.js';

/** 4.15. The reply is 410 with or without a key; the body is not read (D-52). */
export const checkin = {
  id: 'checkin',
  stem: 'checkin',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/checkin',
  section: '4.15',
  purpose: 'Says that it is retired; heartbeat replaces it.',
  auth: 'none',
  buckets: [],
  body: null,
  invalid: null,
  changesNothing: true,
  replies: () => ({
    410: z.strictObject({ error: z.string(), code: z.literal('GONE').optional(), deprecated: z.literal(true) }),
  }),
} as const satisfies Endpoint;
