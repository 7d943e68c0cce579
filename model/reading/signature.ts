/** Verifies Ed25519 signatures, builds the signed text of a passport, and converts Solana addresses (public keys in base58). */

import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import * as ed25519 from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { passportFields } from '../../spec/vocabulary.js';
import type { Known } from './known.js';
import { at } from './values.js';

// The synchronous functions of the library need this hash.
ed25519.hashes.sha512 = sha512;

/** The number of cached keys and verifications: the key of the service signs most verified texts. */
const KEYS_MAX = 500;
const keys = new Map<string, KeyObject>();

/** The key object of a public key in hex; cached, since making it takes as long as a verification. */
function keyOf(publicKeyHex: string): KeyObject {
  const known = keys.get(publicKeyHex);
  if (known !== undefined) return known;
  const x = Buffer.from(publicKeyHex, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(publicKeyHex, key);
  return key;
}

/** Verifies with OpenSSL, which is stricter than the library, and thirty times as fast. */
function verifiesFast(signatureHex: string, text: string, publicKeyHex: string): boolean {
  return verify(null, utf8ToBytes(text), keyOf(publicKeyHex), hexToBytes(signatureHex));
}

/** The latest verifications: overlapping exchanges are judged in many orders, each with the same signatures. */
const verified = new Map<string, boolean>();

/** Whether at least one verifier accepts a signature over the UTF-8 bytes of a text. Signature and key are hex; false for another form. */
export function verifies(signatureHex: string, text: string, publicKeyHex: string): boolean {
  if (!/^[0-9a-f]{128}$/i.test(signatureHex) || !/^[0-9a-f]{64}$/i.test(publicKeyHex)) return false;
  const name = `${publicKeyHex} ${signatureHex} ${text}`;
  const known = verified.get(name);
  if (known !== undefined) return known;
  const holds =
    verifiesFast(signatureHex, text, publicKeyHex) ||
    ed25519.verify(hexToBytes(signatureHex), utf8ToBytes(text), hexToBytes(publicKeyHex));
  if (verified.size >= KEYS_MAX) verified.clear();
  verified.set(name, holds);
  return holds;
}

/** Whether all verifiers accept the signature; unknown if they differ, as for a key of small order. */
export function verifiesEverywhere(signatureHex: string, text: string, publicKeyHex: string): Known {
  if (!verifies(signatureHex, text, publicKeyHex)) return false;
  if (ed25519.Point.fromHex(publicKeyHex, true).isSmallOrder()) return undefined;
  return verifiesFast(signatureHex, text, publicKeyHex) || undefined;
}

/** The same as `verifies` for a signature in base64, as receipts and anchors have it (D-05, D-09). */
export function verifiesBase64(signature: string, text: string, publicKeyHex: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  // Node's decoder ignores characters outside base64.
  if (bytes.toString('base64') !== signature) return false;
  return verifies(bytes.toString('hex'), text, publicKeyHex);
}

/** The signed text of a passport, with its fields in the order of D-11 or in another order. */
export function signedText(passport: unknown, fields: readonly string[] = passportFields): string {
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, at(passport, field)])));
}

/** The public key of an address (base58), in hex; undefined if it is not base58 of 32 bytes. */
export function publicKeyHexOf(address: string): string | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return undefined;
  const bytes = base58.decode(address);
  return bytes.length === 32 ? bytesToHex(bytes) : undefined;
}

/** The address of a public key in hex; any other text is returned unchanged. */
export function solanaAddress(publicKeyHex: string): string {
  if (!/^[0-9a-f]{64}$/i.test(publicKeyHex)) return publicKeyHex;
  return base58.encode(Buffer.from(publicKeyHex, 'hex'));
}
