/** Solana addresses: the base58 of an Ed25519 public key. */

import { base58 } from '@scure/base';

/** The address of a public key in hex; the text itself where it is no key. */
export function solanaAddress(publicKeyHex: string): string {
  if (!/^[0-9a-f]{64}$/i.test(publicKeyHex)) return publicKeyHex;
  return base58.encode(Buffer.from(publicKeyHex, 'hex'));
}
