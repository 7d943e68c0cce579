/**
 * The cryptography of the second server: Ed25519 and hashes by node:crypto, EIP-191 by @noble/curves, base58 by hand. It knows
 * no rule of the service.
 */

import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export const sha256 = (...parts: (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

export const hmac = (key: string, message: string): string => createHmac('sha256', key).update(message).digest('hex');

/** Whether two texts are the same, in a time that does not depend on where they differ. */
export const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** The private key that follows from 32 bytes. */
export const ed25519Key = (seedHex: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seedHex, 'hex')]), format: 'der', type: 'pkcs8' });

/** The raw public key of a private key, in hex. */
export const ed25519Public = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length).toString('hex');

/** An Ed25519 signature in hex. */
export const ed25519Sign = (key: KeyObject, message: string): string =>
  sign(null, Buffer.from(message), key).toString('hex');

/** Whether `signature` (128 hex digits) over `message` is that of the raw public key (64 hex digits). */
export function ed25519Verify(publicKeyHex: string, message: string, signature: unknown): boolean {
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  if (!/^[0-9a-f]{64}$/i.test(publicKeyHex)) return false;
  const der = Buffer.concat([SPKI, Buffer.from(publicKeyHex, 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(message), key, Buffer.from(signature, 'hex'));
}

/** Base58 of bytes that are given in hex. */
export function toBase58(hex: string): string {
  let number = BigInt(`0x0${hex}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = BASE58.charAt(Number(number % 58n)) + text;
  for (let at = 0; hex.startsWith('00', at); at += 2) text = `1${text}`;
  return text;
}

/** The 32 bytes that a base58 text stands for, in hex; null if it does not stand for 32 bytes. */
export function fromBase58(text: string): string | null {
  if (text.length > 64) return null;
  let number = 0n;
  for (const digit of text) {
    const value = BASE58.indexOf(digit);
    if (value < 0) return null;
    number = number * 58n + BigInt(value);
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const digits = number === 0n ? '' : number.toString(16);
  const hex = '00'.repeat(zeros) + (digits.length % 2 === 1 ? `0${digits}` : digits);
  return hex.length === 64 ? hex : null;
}

/** The Ethereum address (lower case) that signed `message` with personal_sign; null if the signature is invalid. */
export function ethereumSigner(message: string, signature: unknown): string | null {
  if (typeof signature !== 'string' || !/^0x[0-9a-f]{130}$/i.test(signature)) return null;
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const recovery = (bytes[64] ?? 0) >= 27 ? (bytes[64] ?? 0) - 27 : (bytes[64] ?? 0);
  if (recovery > 1) return null;
  const text = Buffer.from(message);
  const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]));
  try {
    const point = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
      .addRecoveryBit(recovery)
      .recoverPublicKey(digest);
    return `0x${Buffer.from(keccak_256(point.toBytes(false).subarray(1))).toString('hex', 12)}`;
  } catch (error) {
    // The library throws for an r or s that no signature has.
    if (error instanceof Error) return null;
    throw error;
  }
}
