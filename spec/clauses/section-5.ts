import type { Clause } from '../clause.js';
import { musts } from './rows.js';

/** Section 5: credentials, then the numbered rules. */
export const section5: readonly Clause[] = musts('5', {
  'key.agent.form': 'An agent key reads pvn_<payload>.<signature>.',
  'key.agent.signature': 'An agent key is HMAC-signed, and one whose signature does not fit is refused.',
  'key.agent.bound': 'An agent key is bound to one agent hash and acts for no other agent.',
  'key.agent.header': 'An agent key opens all agent routes in the Authorization: Bearer header.',
  'key.agent.revocation': 'An agent key that has been revoked is refused.',
  'key.registration-secret': 'A registration secret is sent in x-registration-secret and opens root registration.',
  'key.registration-secret.mainnet': 'Mainnet enforces the registration secret.',
  'key.registration-secret.devnet': 'Devnet leaves the registration secret optional.',
  'key.registration-token':
    'A registration token, sent in x-registration-token, opens one root registration within 300 seconds in place of the secret.',
  'key.parent.register': "The parent key, which is the parent's agent key, opens child registration.",
  'key.parent.spawn': 'The parent key opens spawn.',
  'key.parent.sponsor': 'The parent key opens sponsor.',
  'key.admin': 'An admin key begins with pva_ and opens the admin subsidy as a bearer token.',
  'key.partner': 'A partner key begins with pvp_ or pvt_ and opens the partner webhook as a bearer token.',
  'key.wallet-signature.ed25519': "A signature of the service's own wallet kind is Ed25519 over a nonce message.",
  'key.wallet-signature.ethereum': 'A signature of an Ethereum wallet is secp256k1 under EIP-191 over a nonce message.',
  'key.wallet-signature.use': 'A wallet signature serves registration with a wallet and wallet linking.',
  'key.wallet-signature.operator': [
    "An operator's wallet keys stay with the operator, and the server verifies the ownership signature alone.",
    'what a server does not hold shows in no reply',
  ],
  'auth.public.status': 'The status lookup needs no credential.',
  'auth.public.verify': 'The verify lookup needs no credential.',
  'auth.public.verify-batch': 'The batch verification needs no credential.',
  'auth.public.beat-status': 'The beat-status lookup needs no credential.',
  'auth.public.beat-anchor': 'The anchor lookup needs no credential.',
  'auth.public.beat-verify': 'The beat-verify call needs no credential.',
  'auth.public.authority-key': 'The authority-key lookup needs no credential.',
  'auth.public.fees-summary': 'The fees summary needs no credential.',
  'auth.public.register-token': 'The token request needs no credential.',
  'auth.agent-key.missing': 'A request without the agent key that its route needs gets 401.',
  'auth.agent-key.invalid': 'A request with an invalid agent key gets 401.',
  'auth.wallet-required': 'An api-sponsored agent gets 403 WALLET_REQUIRED on paid routes under the BYO policy.',
  'auth.rate-bucket.agent': 'A rate bucket of an authenticated route is keyed by endpoint path and agent.',
  'auth.rate-bucket.ip': 'A rate bucket without an authenticated agent is keyed by endpoint path and client IP.',
  'auth.passport.offline':
    'A passport verifies offline under the Ed25519 public key that the authority-key endpoint publishes.',
});
