/** POST /agent/reissue-proof as data: reprints the passport for a fee. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { fee, passport, paymentTx } from './shared.js';

/** 4.7. */
export const reissueProof = {
  id: 'reissue-proof',
  stem: 'reissue-proof',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/agent/reissue-proof',
  section: '4.7',
  purpose: 'Prints the passport again for a fee, without proving liveness.',
  auth: 'agent',
  buckets: [{ limit: 'reissueProof', by: 'subject' }],
  body: () => z.object({ payment_tx: paymentTx }),
  invalid: 'reissue-proof/VALIDATION',
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      reissued: z.literal(true),
      passport: passport(facts),
      lineage_proof: passport(facts).optional(),
      fee,
    }),
  }),
} as const satisfies Endpoint;
