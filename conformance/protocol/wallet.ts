/** A Solana wallet of the suite, and verification of Ed25519 signatures. Payments are in solana.ts. */
import * as ed25519 from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';

// The synchronous calls of the library take their hash from here.
ed25519.hashes.sha512 = sha512;

/** The latest signatures that wallets here made, so that nobody verifies them again: with text and key. */
const made = new Set<string>();
const MADE_MAX = 10_000;
const proofOf = (signatureHex: string, text: string, keyHex: string): string => `${keyHex} ${signatureHex} ${text}`;

/** Whether a wallet of this process has made a signature. One that is not among the latest has to be verified. */
export function isMadeHere(signatureHex: string, text: string, publicKeyHex: string): boolean {
  return made.has(proofOf(signatureHex, text, publicKeyHex));
}

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
    const signature = bytesToHex(ed25519.sign(utf8ToBytes(text), this.#secret));
    if (made.size === MADE_MAX) made.clear();
    made.add(proofOf(signature, text, this.publicKeyHex));
    return signature;
  }
}

/** Whether a hex signature over a text's UTF-8 bytes is that of a hex public key; false for what is not hex. */
export function verifies(signatureHex: string, text: string, publicKeyHex: string): boolean {
  if (!/^[0-9a-f]{128}$/i.test(signatureHex) || !/^[0-9a-f]{64}$/i.test(publicKeyHex)) return false;
  return ed25519.verify(hexToBytes(signatureHex), utf8ToBytes(text), hexToBytes(publicKeyHex));
}

/** The same for a signature in base64, as receipts and anchors carry it (D-05, D-09). */
export function verifiesBase64(signature: string, text: string, publicKeyHex: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  // The decoder of Node passes over what is no base64.
  if (bytes.toString('base64') !== signature) return false;
  return verifies(bytes.toString('hex'), text, publicKeyHex);
}

/** The hex of a public key in base58; undefined for what is not base58 of 32 bytes. */
export function publicKeyHexOf(address: string): string | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return undefined;
  const bytes = base58.decode(address);
  return bytes.length === 32 ? bytesToHex(bytes) : undefined;
}
