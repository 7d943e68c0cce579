/** The signature with which a wallet is proved (4.2, 4.12): over which text, by which key. */

import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as ed25519 from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { isMadeHere, publicKeyHexOf } from '../../conformance/protocol/wallet.js';
import type { Known } from '../evidence.js';
import type { Wallet } from '../state.js';

ed25519.hashes.sha512 = sha512;

/** A wallet as a request shows it, and its proof. */
export interface WalletProof {
  readonly kind: Wallet['kind'];
  /** Its key or address, as it was sent. */
  readonly shown: string;
  readonly signature: unknown;
  /** The text that is to be signed. */
  readonly text: string;
}

/** Whether a wallet signed the text; unknown for a signature on which verifiers differ, and for forms that the text does not name. */
export function provesWallet({ kind, shown, signature, text }: WalletProof): Known {
  if (typeof signature !== 'string') return false;
  if (kind === 'ethereum') return signedByEthereum(shown, signature, text);
  const keyHex = kind === 'self-custody' ? shown : publicKeyHexOf(shown);
  if (keyHex === undefined || !/^[0-9a-f]{64}$/i.test(keyHex)) return false;
  if (!/^[0-9a-f]{128}$/i.test(signature)) return /^(0x)?[0-9a-f]+$/i.test(signature) ? undefined : false;
  if (isMadeHere(signature, text, keyHex)) return true;
  const [bytes, message, key] = [hexToBytes(signature), utf8ToBytes(text), hexToBytes(keyHex)];
  // The strict rule takes what every verifier takes, the lenient one all that any does: what is between them is open.
  if (ed25519.verify(bytes, message, key, { zip215: false })) return true;
  return ed25519.verify(bytes, message, key) ? undefined : false;
}

const ADDRESS_BYTES = 20;
const V_OFFSET = 27;

/** EIP-191: the signer of a text is recovered from its signature. */
function signedByEthereum(address: string, signature: string, text: string): Known {
  const hex = signature.replace(/^0x/i, '');
  if (!/^[0-9a-f]{130}$/i.test(hex)) return /^[0-9a-f]+$/i.test(hex) ? undefined : false;
  const bytes = hexToBytes(hex);
  const recovery = (bytes[64] ?? 0) % V_OFFSET;
  if (recovery > 1) return undefined;
  const message = utf8ToBytes(text);
  const digest = keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message));
  try {
    const point = secp256k1.recoverPublicKey(concatBytes(Uint8Array.of(recovery), bytes.subarray(0, 64)), digest, {
      prehash: false,
    });
    const key = secp256k1.Point.fromBytes(point).toBytes(false);
    return `0x${bytesToHex(keccak_256(key.subarray(1)).slice(-ADDRESS_BYTES))}` === address.toLowerCase();
  } catch (error) {
    // The library throws where no point belongs to a signature.
    if (error instanceof Error) return false;
    throw error;
  }
}
