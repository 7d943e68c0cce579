/** POST /sigil as data: an agent buys its named identity. The SIGIL itself is in identity-schemas.ts. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { principalPattern, sigilNamePattern } from '../formats.js';
import { classesOf, sigilTiersOf } from '../parts.js';
import { mutableMetadata, sigilObject } from './identity-schemas.js';
import { depositPaid, fee, passport, paymentTx } from './shared.js';

/** 4.6. */
export const sigil = {
  id: 'sigil',
  stem: 'sigil',
  service: 'registry',
  method: 'POST',
  path: '/api/v1/sigil',
  section: '4.6',
  purpose: 'Sells the agent a named identity and its class.',
  auth: 'agent',
  buckets: [{ limit: 'sigil', by: 'subject' }],
  // `auto` is a name that the pattern of D-17 allows.
  body: (facts: Facts) => {
    const { protocol } = facts;
    const [identityClasses, sigilTiers] = [classesOf(protocol), sigilTiersOf(protocol)];
    return z.object({
      identity_class: z.enum(identityClasses),
      principal: z.string().regex(principalPattern(protocol)),
      tier: z.enum(sigilTiers),
      name: z.string().regex(sigilNamePattern(protocol)).optional(),
      payment_tx: paymentTx,
      // D-57: without the setting they are unknown fields, and ignored (D-40).
      ...(facts.dialect.sigilFields === 'mutable-too' ? mutableMetadata(facts) : {}),
    });
  },
  invalid: 'sigil/VALIDATION',
  replies: (facts: Facts) => ({
    200: z.strictObject({
      ok: z.literal(true),
      sigil: sigilObject(facts),
      passport: passport(facts),
      fee,
      ...depositPaid(facts),
    }),
  }),
} as const satisfies Endpoint;
