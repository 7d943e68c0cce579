/** A Solana wallet of the suite. Payments are in solana.ts. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import type { Signed } from '../../results/conformance-result.js';

/** PKCS #8 has these bytes before the 32 bytes of an Ed25519 secret (RFC 8410, 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A Solana wallet: an Ed25519 key pair, and its address in base58. */
export class Wallet {
  readonly publicKeyHex: string;
  readonly address: string;
  readonly #secret: Uint8Array;
  readonly #key: KeyObject;

  /** `secret`: 32 bytes. `onSigned`: called with each signed text. */
  constructor(
    secret: Uint8Array,
    readonly onSigned?: (signed: Signed) => void,
  ) {
    this.#secret = secret;
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' });
    const publicKey = Buffer.from(createPublicKey(this.#key).export({ format: 'jwk' }).x ?? '', 'base64url');
    this.publicKeyHex = bytesToHex(publicKey);
    this.address = base58.encode(publicKey);
  }

  /** Signs bytes. Returns the 64-byte signature. */
  signBytes(bytes: Uint8Array): Uint8Array {
    return sign(null, bytes, this.#key);
  }

  /** The key in the form of the Solana command line: 32 bytes of the secret, then 32 of the public key. */
  keyFileNumbers(): readonly number[] {
    return [...this.#secret, ...hexToBytes(this.publicKeyHex)];
  }

  /** Signs the UTF-8 bytes of a text. Returns the signature in hex. */
  sign(text: string): string {
    const signature = bytesToHex(this.signBytes(utf8ToBytes(text)));
    const { address, publicKeyHex: public_key_hex } = this;
    this.onSigned?.({ signature, text, wallet: { chain: 'solana', address, public_key_hex } });
    return signature;
  }
}
