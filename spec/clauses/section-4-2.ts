/** The clauses of sections 4.2 to 4.4: registration, tokens, init. */

import type { Clause } from '../clause.js';
import { isA, musts, says } from './rows.js';

const headers = musts('4.2', 'paragraph “Headers”', {
  'register.header.content-type': 'A registration carries Content-Type application/json.',
  'register.header.secret.mainnet': 'On mainnet a root registration needs the header x-registration-secret.',
  'register.header.secret.devnet': 'On devnet a root registration may leave x-registration-secret out.',
  'register.header.token':
    'A root registration may carry x-registration-token, from /register/token, in place of the secret.',
  'register.header.authorization': "Only a child registration carries Authorization, with its parent's key.",
});

const modes = [
  ...musts('4.2', 'mode 1, no-wallet root', {
    'register.no-wallet.body.name': 'A no-wallet root registration needs name, a string.',
    'register.no-wallet.body.metadata': 'A no-wallet root registration may carry metadata, an object.',
    'register.no-wallet.default': 'A root registration that names no wallet form takes a single phase.',
    'register.no-wallet.reply': 'A no-wallet root registration answers with the agent object of 2.1.',
    'register.no-wallet.identity-only': 'A no-wallet root registration gives an identity and links no wallet.',
  }),
  ...musts('4.2', 'mode 2, operator wallet', {
    'register.operator.challenge':
      'Phase 1 of an operator registration sends the no-wallet body plus wallet_model operator and gets a nonce.',
    'register.operator.message':
      'Phase 2 of an operator registration is signed with Ed25519 over service-register-operator:<nonce>:<address>:<name>.',
    'register.operator.finalize':
      'Phase 2 of an operator registration sends operator_wallet_address and wallet_signature and makes the agent.',
  }),
  ...musts('4.2', 'mode 3, Ethereum wallet', {
    'register.ethereum.challenge':
      'Phase 1 of an Ethereum registration sends action challenge with wallet_chain ethereum.',
    'register.ethereum.message':
      'Phase 2 of an Ethereum registration is signed with EIP-191 personal_sign over service-register-ethereum:<nonce>:<address>:<name>.',
    'register.ethereum.finalize':
      'Phase 2 of an Ethereum registration sends wallet_chain, wallet_address, wallet_signature and wallet_nonce.',
    'register.ethereum.mainnet': says('Mainnet refuses an Ethereum wallet with 400.', { status: 400 }),
  }),
  ...musts('4.2', 'mode 4, self-custody wallet', {
    'register.self-custody.challenge': 'Phase 1 of a self-custody registration sends name and action challenge.',
    'register.self-custody.challenge.reply': 'Phase 1 of a self-custody registration answers with nonce, a string.',
    'register.self-custody.finalize':
      'Phase 2 of a self-custody registration sends name, wallet_public_key (hex), wallet_signature (hex) and wallet_nonce.',
    'register.self-custody.message':
      'Phase 2 of a self-custody registration is signed with Ed25519 over service-register:<nonce>:<pubkey_hex>:<name>.',
    'register.self-custody.key-stays': [
      'The client makes the private key of a self-custody wallet and keeps it to itself.',
      'it is a rule for clients, and no reply shows what a client keeps',
    ],
    'register.self-custody.reply': 'A finished self-custody registration answers with signature and explorer_url.',
  }),
  ...musts('4.2', 'mode 5, child', {
    'register.child.auth': "A child registration is made with the parent's key.",
    'register.child.single-phase': 'A child registration takes a single phase.',
    'register.child.body.name': 'A child registration carries name, a string.',
    'register.child.body.parent': 'A child registration carries parent, the hash of the parent.',
    'register.child.body.spawn-authorization':
      'A child registration needs spawn_authorization, the string that the spawn preflight gave.',
    'register.child.lineage': "A registered child takes its place in its parent's lineage.",
    'register.child.no-wallet': 'A registered child has no wallet.',
  }),
  ...musts('4.2', 'paragraph “Supported chains for wallet_chain”', {
    'register.chain.solana': 'wallet_chain solana means Ed25519 signatures under the operator message prefix.',
    'register.chain.ethereum': 'wallet_chain ethereum means secp256k1 signatures under EIP-191.',
  }),
];

const token = musts('4.3', 'paragraph “No auth”', {
  'register-token.body': 'A token request has a JSON object as its body, which may be empty.',
  'register-token.reply': 'A token reply holds ok, token, expires_in_sec and _info.',
  'register-token.reply.ok': isA('ok of a token reply', 'boolean'),
  'register-token.reply.token': 'token of a token reply is 256 bits written as 64 hex characters.',
  'register-token.reply.expires-in-sec': 'expires_in_sec of a token reply is the number 300.',
  'register-token.reply.info': '_info of a token reply is a hint, a string.',
  'register-token.use.header': 'A token is spent by sending it to POST /register as x-registration-token.',
  'register-token.use.window': 'A token is accepted for 5 minutes and refused after that.',
  'register-token.use.replaces-secret': 'A token stands in for the registration secret.',
  'register-token.use.once': 'A token that has made an agent is refused the second time.',
});

const init = musts('4.4', 'paragraph “Body: empty JSON object”', {
  'init.body': 'An init call carries an empty JSON object.',
  'init.idempotent': 'An init call made twice starts no second chain.',
  'init.reply': 'An init call answers with the object of 2.3.',
  'init.independent': 'Init touches the beat chain alone: an agent is registered whether or not it was called.',
});

/** Sections 4.2 to 4.4: registration, its token, and the start of a chain. */
export const section4Registration: readonly Clause[] = [...headers, ...modes, ...token, ...init];
