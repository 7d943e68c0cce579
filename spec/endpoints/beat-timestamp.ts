/** POST /beat/timestamp of the beats service as data: a hash is written to the ledger. */

import { z } from 'zod';
import type { Dialect } from '../dialect.js';
import type { Endpoint, Facts } from '../endpoint.js';
import { anyCaseHexPattern } from '../formats.js';
import { signedBy } from './proof-schemas.js';
import { chainHash, count } from './shared.js';

const hash = z.string().regex(anyCaseHexPattern(32));

/** D-08. */
export const beatTimestamp = {
  id: 'beat-timestamp',
  stem: 'beat-timestamp',
  service: 'beats',
  method: 'POST',
  path: '/api/v1/beat/timestamp',
  section: '4.8',
  purpose: 'Writes a hash to the ledger and signs when.',
  auth: 'none',
  buckets: [{ limit: 'beatTimestamp', by: 'ip' }],
  body: () => z.object({ hash }),
  invalid: 'beat-timestamp/VALIDATION',
  bodyBytesMax: ({ protocol, dialect }: Facts) => dialect.timestamps?.bodyBytesMax ?? protocol.body.bytesMax,
  perDayMax: ({ timestamps }: Dialect) => timestamps?.perDay,
  replies: ({ dialect: { timestamps } }: Facts) => ({
    200: z.strictObject({
      timestamp: z.strictObject({
        type: z.literal('timestamp'),
        hash: timestamps === undefined ? hash : chainHash,
        anchor_index: count,
        anchor_hash: chainHash,
        utc: count,
        tx_signature: z.string().min(1),
      }),
      on_chain: z.strictObject({ tx_signature: z.string().min(1), explorer_url: z.string().min(1) }),
      receipt: signedBy,
      // Where the memo is on no ledger.
      _note: z.string().optional(),
      ...(timestamps === undefined ? {} : { tier: z.literal(timestamps.tier) }),
    }),
  }),
} as const satisfies Endpoint;
