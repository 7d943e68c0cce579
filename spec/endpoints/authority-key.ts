/** GET /.well-known/authority-key as data: the key that verifies passports. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { hexOf } from './shared.js';

/** 4.1 lists the route; D-13 gives its reply. */
export const authorityKey = {
  id: 'authority-key',
  stem: 'authority-key',
  service: 'registry',
  method: 'GET',
  path: '/api/v1/.well-known/authority-key',
  section: '4.1',
  purpose: 'Publishes the key with which passports are verified.',
  auth: 'none',
  buckets: [{ limit: 'lookup', by: 'ip' }],
  body: null,
  invalid: null,
  replies: ({ dialect }: Facts) => ({
    200: z.strictObject({
      schema_version: z.literal(1),
      algorithm: z.literal('Ed25519'),
      key_id: z.string().regex(/^pvn-ed25519-[0-9a-f]{16}$/),
      authority_public_key_hex: hexOf(32),
      verification: z.strictObject({
        proof_signature_field: z.literal(dialect.passportSignatureField),
        verify_function: z.literal('verifyPassport'),
      }),
    }),
  }),
} as const satisfies Endpoint;
