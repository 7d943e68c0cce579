/**
 * Proofs that a caller owns a wallet: the message, and how each kind of wallet signs it (4.2, 4.12, D-01). The signature schemes are in
 * wallet-signature.ts.
 */

import type { WalletChain, WalletModel } from '../../spec/vocabulary.js';
import { addressOfPublicKey, verifyEd25519 } from '../beats/signing.js';
import { intern } from './columns/interner.js';
import type { LinkedWallet } from './register.js';
import type { Registry } from './state.js';
import { verifyEthereumSignature, verifySolanaSignature } from './wallet-signature.js';

/** 4.2 and 4.12: the word after the dialect's prefix in a message that a wallet signs. */
export type OwnershipWord =
  | 'register'
  | 'register-operator'
  | 'register-ethereum'
  | 'link-wallet'
  | 'link-wallet-operator';

/** A proof of ownership; every field exactly as sent (D-46). */
interface OwnershipProof {
  readonly nonce: string;
  /** Hex of an Ed25519 key, or an address, depending on the word. */
  readonly address: string;
  /** The name of an agent to be registered, or the hash of a registered one. */
  readonly subject: string;
  readonly signature: string;
}

interface WalletKind {
  readonly model: WalletModel;
  readonly chain: WalletChain;
  readonly verifies: (address: string, message: string, signature: string) => boolean;
  /** The address as the registry keeps it. */
  readonly normalized: (address: string) => string;
}

const selfCustody: WalletKind = {
  model: 'self-custody',
  chain: 'solana',
  verifies: verifyEd25519,
  normalized: addressOfPublicKey,
};
const operator: WalletKind = {
  model: 'operator',
  chain: 'solana',
  verifies: verifySolanaSignature,
  normalized: (address) => address,
};
// D-18: the same wallet, however its address is written.
const ethereum: WalletKind = {
  model: 'self-custody',
  chain: 'ethereum',
  verifies: verifyEthereumSignature,
  normalized: (address) => address.toLowerCase(),
};

const kinds: Readonly<Record<OwnershipWord, WalletKind>> = {
  register: selfCustody,
  'register-operator': operator,
  'register-ethereum': ethereum,
  'link-wallet': selfCustody,
  'link-wallet-operator': operator,
};

/** The text that is signed, as UTF-8: `<prefix>-<word>:<nonce>:<address>:<subject>` (4.2, 4.12, D-01). */
export function ownershipMessage(
  prefix: string,
  word: OwnershipWord,
  proof: Omit<OwnershipProof, 'signature'>,
): string {
  return `${prefix}-${word}:${proof.nonce}:${proof.address}:${proof.subject}`;
}

/** Whether the wallet has signed the message, in the registry's dialect. */
export function verifyOwnership(registry: Registry, word: OwnershipWord, proof: OwnershipProof): boolean {
  const message = ownershipMessage(registry.dialect.messagePrefix, word, proof);
  return kinds[word].verifies(proof.address, message, proof.signature);
}

/** The wallet of an address whose ownership has been proved. */
export function ownedWallet(registry: Registry, word: OwnershipWord, address: string): LinkedWallet {
  const { model, chain, normalized } = kinds[word];
  return { wallet: intern(registry.wallets, normalized(address)), model, chain };
}
