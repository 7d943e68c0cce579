/**
 * Handler of GET /agent/passport (D-12): the passport, and the same as a W3C Verifiable Credential. Free of charge; the
 * paid routes have handlers of their own.
 */

import type { Dialect } from '../../../spec/dialect.js';
import { passport } from '../../../spec/endpoints/index.js';
import { isoOf } from '../../../spec/formats.js';
import { passport as passportRule } from '../../registry/passport.js';
import { reply, route } from '../request/route.js';
import { passportReply } from './reply-parts.js';

export const passportRoute = route(passport, ({ service, registry, agent, nowMs }) => {
  const may = passportRule(registry, { agent });
  if (!may.ok) return may;
  const printed = passportReply(service, agent, nowMs);
  const { dialect } = registry;
  const { issued_at, valid_until, format_version, authority_key_id, ...subject } = printed.passport;
  const { [dialect.passportSignatureField]: signature, ...claims } = subject;
  const { contexts, issuer, method, subjectPrefix, proofType } = namesOf(dialect, authority_key_id);
  return reply({
    ...printed,
    passport_vc: {
      '@context': contexts,
      type: ['VerifiableCredential', dialect.credentialType],
      issuer: { id: issuer, authority_key_id },
      issuanceDate: isoOf(issued_at),
      expirationDate: isoOf(valid_until),
      credentialSubject: { id: `${subjectPrefix}${subject.agent_hash}`, ...claims },
      proof: {
        type: proofType,
        created: isoOf(issued_at),
        verificationMethod: method,
        proofPurpose: 'assertionMethod',
        cryptosuite: dialect.cryptosuite,
        proofValue: signature,
      },
      format_version,
    },
    authority_public_key_hex: service.authority.publicKeyHex,
  });
});

/** D-12: the names in the envelope; D-57: those that the dialect brings. */
function namesOf({ credential, authorityKeyPath = '' }: Dialect, keyId: string) {
  if (credential !== undefined) {
    const { contexts, issuer, subjectPrefix, proofType } = credential;
    return { contexts, issuer, subjectPrefix, proofType, method: `${issuer}${authorityKeyPath}#${keyId}` };
  }
  const issuer = `urn:aips:authority:${keyId}`;
  const contexts = ['https://www.w3.org/2018/credentials/v1'];
  return { contexts, issuer, subjectPrefix: 'urn:aips:agent:', proofType: 'DataIntegrityProof', method: issuer };
}
