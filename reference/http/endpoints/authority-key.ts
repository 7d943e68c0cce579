/**
 * Handler of GET /.well-known/authority-key (D-13): the public key that verifies passports. It reads keys and makes
 * none.
 */

import { authorityKey } from '../../../spec/endpoints/index.js';
import { reply, route } from '../request/route.js';

/** GET /.well-known/authority-key, D-13. */
export const authorityKeyRoute = route(authorityKey, ({ service, registry }) =>
  reply({
    schema_version: 1,
    algorithm: 'Ed25519',
    key_id: service.authority.keyId,
    authority_public_key_hex: service.authority.publicKeyHex,
    verification: {
      proof_signature_field: registry.dialect.passportSignatureField,
      verify_function: 'verifyPassport',
    },
  }),
);
