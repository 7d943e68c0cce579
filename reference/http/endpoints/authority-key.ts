/**
 * Handler of GET /.well-known/authority-key (D-13): the public key that verifies passports. It reads keys and makes
 * none.
 */

import { authorityKeyFile } from '../../../spec/endpoints/client-calls.js';
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

/** D-57: the same key at a path of the dialect's own. */
export const authorityKeyFileRoute = (path: string) =>
  route(authorityKeyFile(path), ({ service }) => reply({ authority_public_key: service.authority.publicKeyHex }));
