/**
 * Handler of GET /agent/passport (D-12): the passport, and the same as a W3C Verifiable Credential. Free of charge; the
 * paid routes have handlers of their own.
 */

import { passport } from '../../../spec/endpoints/index.js';
import { isoOf } from '../../../spec/formats.js';
import { passport as allowed } from '../../registry/passport.js';
import { reply, route } from '../request/route.js';
import { passportReply } from './reply-parts.js';

/** GET /agent/passport, D-12. */
export const passportRoute = route(passport, ({ service, registry, agent, nowMs }) => {
  const may = allowed(registry, { agent });
  if (!may.ok) return may;
  const printed = passportReply(service, agent, nowMs);
  const { dialect } = registry;
  const { issued_at, valid_until, format_version, authority_key_id, ...subject } = printed.passport;
  const { [dialect.passportSignatureField]: signature, ...claims } = subject;
  const issuer = `urn:aips:authority:${authority_key_id}`;
  return reply({
    ...printed,
    passport_vc: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', dialect.credentialType],
      issuer: { id: issuer, authority_key_id },
      issuanceDate: isoOf(issued_at),
      expirationDate: isoOf(valid_until),
      credentialSubject: { id: `urn:aips:agent:${subject.agent_hash}`, ...claims },
      proof: {
        type: 'DataIntegrityProof',
        created: isoOf(issued_at),
        verificationMethod: issuer,
        proofPurpose: 'assertionMethod',
        cryptosuite: dialect.cryptosuite,
        proofValue: signature,
      },
      format_version,
    },
    authority_public_key_hex: service.authority.publicKeyHex,
  });
});
