/** Verifies the signature that proves a wallet (4.2, 4.12). */

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Known } from './known.js';
import { publicKeyHexOf, verifiesEverywhere } from './signature.js';

export type WalletKind = 'self-custody' | 'operator' | 'ethereum';

/** A wallet in a request, and the signature that proves it. */
interface WalletProof {
  readonly kind: WalletKind;
  /** Its key or address, as sent. */
  readonly shown: string;
  readonly signature: unknown;
  /** The text to sign. */
  readonly text: string;
}

/** Whether a wallet signed the text; unknown if verifiers differ about the signature, or if the specification does not show signatures of this form. */
export function provesWallet({ kind, shown, signature, text }: WalletProof): Known {
  if (typeof signature !== 'string') return false;
  if (kind === 'ethereum') return signedByEthereum(shown, signature, text);
  const keyHex = kind === 'self-custody' ? shown : publicKeyHexOf(shown);
  if (keyHex === undefined || !/^[0-9a-f]{64}$/i.test(keyHex)) return false;
  if (!/^[0-9a-f]{128}$/i.test(signature)) return /^(0x)?[0-9a-f]+$/i.test(signature) ? undefined : false;
  return verifiesEverywhere(signature, text, keyHex);
}

const ADDRESS_BYTES = 20;
/** Wallets write the recovery bit 0 or 1 as 27 or 28. */
export const V_OFFSET = 27;

/** EIP-191: the signed digest of the UTF-8 bytes of a text. */
export function personalDigest(text: string): Uint8Array {
  const bytes = utf8ToBytes(text);
  return keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes));
}

/** The address of a public key (an uncompressed point), in lower-case hex. */
export function ethereumAddress(point: Uint8Array): string {
  return `0x${bytesToHex(keccak_256(point.subarray(1)).slice(-ADDRESS_BYTES))}`;
}

/** EIP-191: whether the address recovered from a signature is this one. */
function signedByEthereum(address: string, signature: string, text: string): Known {
  const hex = signature.replace(/^0x/i, '');
  if (!/^[0-9a-f]{130}$/i.test(hex)) return /^[0-9a-f]+$/i.test(hex) ? undefined : false;
  const bytes = hexToBytes(hex);
  const recovery = (bytes[64] ?? 0) % V_OFFSET;
  if (recovery > 1) return undefined;
  try {
    const signed = concatBytes(Uint8Array.of(recovery), bytes.subarray(0, 64));
    const point = secp256k1.recoverPublicKey(signed, personalDigest(text), { prehash: false });
    return ethereumAddress(secp256k1.Point.fromBytes(point).toBytes(false)) === address.toLowerCase();
  } catch (error) {
    // The library throws if no public key matches the signature.
    if (error instanceof Error) return false;
    throw error;
  }
}
