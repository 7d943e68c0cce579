/** GET /agent/passport as data: an agent's passport, plain and as a Verifiable Credential. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { SIGNATURE_HEX } from '../formats.js';
import { hexOf, isoTime, passport as passportObject, signedPassportFields } from './shared.js';

/** D-12: the passport in the envelope of a W3C Verifiable Credential (data model 1.1). */
function passportCredential(facts: Facts) {
  // The envelope says the rest in its own fields: format_version, issuer, issuanceDate and expirationDate.
  const { format_version, authority_key_id, issued_at, valid_until, ...subject } = signedPassportFields(facts);
  return z.strictObject({
    '@context': z.array(z.string().min(1)).min(1),
    type: z.tuple([z.literal('VerifiableCredential'), z.literal(facts.dialect.credentialType)]),
    issuer: z.strictObject({ id: z.string().min(1), authority_key_id }),
    issuanceDate: isoTime,
    expirationDate: isoTime,
    credentialSubject: z.strictObject({
      id: z.string().min(1),
      ...subject,
    }),
    proof: z.strictObject({
      type: z.string().min(1),
      created: isoTime,
      verificationMethod: z.string().min(1),
      proofPurpose: z.literal('assertionMethod'),
      cryptosuite: z.literal(facts.dialect.cryptosuite),
      proofValue: z.string().regex(SIGNATURE_HEX),
    }),
    format_version,
  });
}

/** 4.1 lists the route; D-12 gives its reply. */
export const passport = {
  id: 'passport',
  stem: 'passport',
  service: 'registry',
  method: 'GET',
  path: '/api/v1/agent/passport',
  section: '4.1',
  purpose: 'Answers with a fresh passport, free of charge.',
  auth: 'agent',
  buckets: [{ limit: 'passport', by: 'subject' }],
  body: null,
  invalid: null,
  replies: (facts: Facts) => ({
    200: z.strictObject({
      passport: passportObject(facts),
      passport_vc: passportCredential(facts),
      lineage_proof: passportObject(facts).optional(),
      authority_public_key_hex: hexOf(32),
    }),
  }),
} as const satisfies Endpoint;
