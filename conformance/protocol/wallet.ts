/** A Solana wallet of the suite. Payments are in solana.ts. */
import * as ed25519 from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';

// The synchronous calls of the library take their hash from here.
ed25519.hashes.sha512 = sha512;

/** A Solana wallet of the suite's own: an Ed25519 key pair, and its address in base58. */
export class Wallet {
  readonly publicKeyHex: string;
  readonly address: string;
  readonly #secret: Uint8Array;

  /** `secret`: 32 bytes. */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
    const publicKey = ed25519.getPublicKey(secret);
    this.publicKeyHex = bytesToHex(publicKey);
    this.address = base58.encode(publicKey);
  }

  /** The 64-byte signature of bytes. */
  signBytes(bytes: Uint8Array): Uint8Array {
    return ed25519.sign(bytes, this.#secret);
  }

  /** The key as the Solana command line keeps it: the 32 bytes of the secret, then those of the public key. */
  keyFileNumbers(): readonly number[] {
    return [...this.#secret, ...hexToBytes(this.publicKeyHex)];
  }

  /** The hex signature of a text's UTF-8 bytes. */
  sign(text: string): string {
    return bytesToHex(ed25519.sign(utf8ToBytes(text), this.#secret));
  }
}
