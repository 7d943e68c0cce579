/** Handler of GET /beat/key (D-08): the public keys of the beats service, by what they sign. */

import { beatKey } from '../../../spec/endpoints/index.js';
import { reply, route } from '../request/route.js';

/** D-08: the texts that are signed, where the dialect has no names for them. */
const CANONICAL = {
  timestamp: 'canonical JSON of the anchor or timestamp',
  workProof: 'canonical JSON of the receipt without its signature',
};

export const beatKeyRoute = route(beatKey, ({ service: { timestampKey, workProofKey }, registry }) => {
  const timestamp = { public_key_base58: timestampKey.publicKeyBase58, public_key_hex: timestampKey.publicKeyHex };
  const workProof = { public_key_base58: workProofKey.publicKeyBase58, public_key_hex: workProofKey.publicKeyHex };
  const { signingContexts = CANONICAL } = registry.dialect;
  return reply({
    ...timestamp,
    algorithm: 'Ed25519',
    keys: {
      timestamp: {
        ...timestamp,
        signing_context: signingContexts.timestamp,
        purpose: 'anchors and timestamps',
      },
      work_proof: {
        ...workProof,
        signing_context: signingContexts.workProof,
        purpose: 'work-proof receipts',
      },
    },
  });
});
