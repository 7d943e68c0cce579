/** GET /beat/key of the beats service as data: the keys that verify timestamps and receipts. */

import { z } from 'zod';
import type { Endpoint } from '../endpoint.js';
import { BASE58 } from '../formats.js';
import { hexOf } from './shared.js';

const publicKey = { public_key_base58: z.string().regex(BASE58), public_key_hex: hexOf(32) };
const purposeKey = z.strictObject({ ...publicKey, signing_context: z.string().min(1), purpose: z.string().min(1) });

/** D-08. The public key at the top level is that of timestamps. */
export const beatKey = {
  id: 'beat-key',
  stem: 'beat-key',
  service: 'beats',
  method: 'GET',
  path: '/api/v1/beat/key',
  section: '4.8',
  purpose: 'Publishes the keys with which timestamps and receipts are verified.',
  auth: 'none',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: () => ({
    200: z.strictObject({
      ...publicKey,
      algorithm: z.literal('Ed25519'),
      keys: z.strictObject({ timestamp: purposeKey, work_proof: purposeKey }),
    }),
  }),
} as const satisfies Endpoint;
