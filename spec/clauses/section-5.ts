/** The clauses of section 5: authentication. */

import type { Clause } from '../clause.js';
import { musts, says } from './rows.js';

/** Section 5: credentials, then the numbered rules. */
export const section5: readonly Clause[] = [
  ...musts('5', 'table of credentials, row Agent API key', {
    'key.agent.form': 'An agent key reads pvn_<payload>.<signature>.',
    'key.agent.signature': 'An agent key is HMAC-signed, and one whose signature does not match is refused.',
    'key.agent.bound': 'An agent key is bound to one agent hash and authorizes no other agent.',
    'key.agent.header': 'An agent key in the Authorization: Bearer header authorizes all agent routes.',
    'key.agent.revocation': 'An agent key that has been revoked is refused.',
  }),
  ...musts('5', 'table of credentials, row Registration secret', {
    'key.registration-secret': 'A registration secret, sent in x-registration-secret, authorizes root registration.',
    'key.registration-secret.mainnet': 'Mainnet enforces the registration secret.',
    'key.registration-secret.devnet': 'Devnet leaves the registration secret optional.',
  }),
  ...musts('5', 'table of credentials, row Registration token', {
    'key.registration-token':
      'A registration token, sent in x-registration-token, authorizes one root registration within 300 seconds in place of the secret.',
  }),
  ...musts('5', 'table of credentials, row Parent key', {
    'key.parent.register': "The parent key, which is the parent's agent key, authorizes child registration.",
    'key.parent.spawn': 'The parent key authorizes spawn.',
    'key.parent.sponsor': 'The parent key authorizes sponsor.',
  }),
  ...musts('5', 'table of credentials, row Admin key', {
    'key.admin': 'An admin key begins with pva_ and, as a bearer token, authorizes the admin subsidy.',
  }),
  ...musts('5', 'table of credentials, row Partner key', {
    'key.partner': 'A partner key begins with pvp_ or pvt_ and, as a bearer token, authorizes the partner webhook.',
  }),
  ...musts('5', 'table of credentials, row Wallet signature', {
    'key.wallet-signature.ed25519': "A wallet signature of the service's own kind is Ed25519 over a nonce message.",
    'key.wallet-signature.ethereum':
      'A signature of an Ethereum wallet is secp256k1 under EIP-191 over a nonce message.',
    'key.wallet-signature.use': 'A wallet signature is used for registration with a wallet and for wallet linking.',
    'key.wallet-signature.operator': [
      'An operator keeps its wallet keys, and the server verifies only the ownership signature.',
      'no reply shows which keys a server does not hold',
    ],
  }),
  ...musts('5', 'rule 1', {
    'auth.public.status': 'The status lookup needs no credential.',
    'auth.public.verify': 'The verify lookup needs no credential.',
    'auth.public.verify-batch': 'The batch verification needs no credential.',
    'auth.public.beat-status': 'The beat-status lookup needs no credential.',
    'auth.public.beat-anchor': 'The anchor lookup needs no credential.',
    'auth.public.beat-verify': 'The beat-verify call needs no credential.',
    'auth.public.authority-key': 'The authority-key lookup needs no credential.',
    'auth.public.fees-summary': 'The fees summary needs no credential.',
    'auth.public.register-token': 'The token request needs no credential.',
  }),
  ...musts('5', 'rule 2', {
    'auth.agent-key.missing': says('A request without the agent key that its route needs gets 401.', { status: 401 }),
    'auth.agent-key.invalid': says('A request with an invalid agent key gets 401.', { status: 401 }),
    'auth.wallet-required': says(
      'An api-sponsored agent gets 403 WALLET_REQUIRED on paid routes under the BYO policy.',
      { status: 403, code: 'WALLET_REQUIRED' },
    ),
  }),
  ...musts('5', 'rule 3', {
    'auth.rate-bucket.agent': 'A rate bucket of an authenticated route is keyed by endpoint path and agent.',
    'auth.rate-bucket.ip': 'A rate bucket without an authenticated agent is keyed by endpoint path and client IP.',
  }),
  ...musts('5', 'rule 4', {
    'auth.passport.offline':
      'A passport can be verified offline with the Ed25519 public key that the authority-key endpoint publishes.',
  }),
];
