/** POST /register/token as data: a single-use token in place of the registration secret. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { hexOf } from './shared.js';

/** 4.3. */
export const registerToken = {
  id: 'register-token',
  stem: 'register-token',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/register/token',
  section: '4.3',
  purpose: 'Issues a token that stands in for the registration secret once.',
  auth: 'none',
  buckets: [
    { limit: 'registerToken', by: 'ip' },
    { limit: 'registerTokenGlobal', by: 'service' },
  ],
  body: () => z.object({}),
  invalid: null,
  replies: ({ protocol }: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      token: hexOf(protocol.registration.tokenBytes),
      expires_in_sec: z.literal(protocol.registration.tokenTtlSec),
      _info: z.string(),
    }),
  }),
} as const satisfies Endpoint;
