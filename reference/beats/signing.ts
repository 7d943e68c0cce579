/**
 * Ed25519 for the server, by node:crypto: keys, signatures and Solana addresses. Its tests verify with another library, so that
 * a mistake here cannot hide.
 */

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { anyCaseHexPattern, BASE58 } from '../../spec/formats.js';

/** DER of an Ed25519 private key (RFC 8410) up to the 32 bytes of the seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** DER of an Ed25519 public key (RFC 8410) up to the 32 bytes of the key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const PUBLIC_KEY_HEX = anyCaseHexPattern(KEY_BYTES);
const SIGNATURE_HEX = anyCaseHexPattern(SIGNATURE_BYTES);
/** The longest base58 text of 32 bytes; longer input is refused before it is decoded, which takes quadratic time. */
const ADDRESS_CHARS_MAX = 44;

/** An Ed25519 key that signs the UTF-8 of texts. */
export interface SigningKey {
  /** 64 lower-case hex characters. */
  readonly publicKeyHex: string;
  /** The same key in base58, as Solana writes it. */
  readonly publicKeyBase58: string;
  /** The signature as 128 lower-case hex characters, the form in passports (2.6). */
  readonly signHex: (text: string) => string;
  /** The signature as base64, the form in anchors and receipts (D-05, D-09). */
  readonly signBase64: (text: string) => string;
}

/** The Ed25519 key of a 32-byte seed (RFC 8032). Make it once and keep it: making it costs more than signing. */
export function signingKey(seed: Uint8Array): SigningKey {
  if (seed.length !== KEY_BYTES) throw new RangeError(`an Ed25519 seed has 32 bytes, not ${seed.length}`);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = spki.subarray(SPKI_PREFIX.length);
  const signed = (text: string): Buffer => sign(null, Buffer.from(text, 'utf8'), privateKey);
  return {
    publicKeyHex: publicKey.toString('hex'),
    publicKeyBase58: base58.encode(publicKey),
    signHex: (text) => signed(text).toString('hex'),
    signBase64: (text) => signed(text).toString('base64'),
  };
}

/**
 * Whether `signature` (128 hex characters, or its 64 bytes) is the key's, over the UTF-8 of `message`. Returns false,
 * and never throws, for a key or signature of another form: both come from the wire.
 */
export function verifyEd25519(publicKeyHex: string, message: string, signature: string | Uint8Array): boolean {
  if (!PUBLIC_KEY_HEX.test(publicKeyHex)) return false;
  const bytes = signatureBytes(signature);
  return (
    bytes !== undefined && verifyEd25519Bytes(Buffer.from(publicKeyHex, 'hex'), Buffer.from(message, 'utf8'), bytes)
  );
}

/**
 * Whether 64 bytes are the signature of a key of 32 bytes over a message. Keys and points of small order, and those not written canonically, are
 * refused as Solana's nodes refuse them: under such a key anyone can make signatures.
 */
export function verifyEd25519Bytes(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (!isSafePoint(key) || !isSafePoint(signature.subarray(0, KEY_BYTES))) return false;
  return verify(null, message, publicKey(key), signature);
}

/** The bytes of 2^255 - 19, the prime of the field. */
const FIELD = { first: 0xed, middle: 0xff, last: 0x7f } as const;

/** The y of a point, without the sign of its x. */
function unsigned(point: Uint8Array): Uint8Array {
  return point.map((byte, index) => (index === KEY_BYTES - 1 ? byte & 0x7f : byte));
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const SMALL_ORDER_YS: ReadonlySet<string> = new Set(
  ED25519_TORSION_SUBGROUP.map((hex) => hexOf(unsigned(Buffer.from(hex, 'hex')))),
);

/** Whether a key, or the point of a signature, is canonical and not of small order; node:crypto accepts both kinds. */
function isSafePoint(point: Uint8Array): boolean {
  const y = unsigned(point);
  const canonical =
    (y[0] as number) < FIELD.first ||
    y[KEY_BYTES - 1] !== FIELD.last ||
    y.subarray(1, -1).some((byte) => byte !== FIELD.middle);
  return canonical && !SMALL_ORDER_YS.has(hexOf(y));
}

function signatureBytes(signature: string | Uint8Array): Uint8Array | undefined {
  if (typeof signature === 'string') return SIGNATURE_HEX.test(signature) ? Buffer.from(signature, 'hex') : undefined;
  return signature.length === SIGNATURE_BYTES ? signature : undefined;
}

function publicKey(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' });
}

/**
 * The address of an Ed25519 key as Solana writes it: base58 of its 32 bytes. Throws a RangeError for anything but 64
 * hex characters.
 */
export function addressOfPublicKey(publicKeyHex: string): string {
  if (!PUBLIC_KEY_HEX.test(publicKeyHex)) throw new RangeError('an Ed25519 public key is 64 hex characters');
  return base58.encode(Buffer.from(publicKeyHex, 'hex'));
}

/** The key behind an address, 64 lower-case hex characters; undefined for a text that is not base58 of 32 bytes. */
export function publicKeyOfAddress(address: string): string | undefined {
  if (address.length > ADDRESS_CHARS_MAX || !BASE58.test(address)) return undefined;
  const bytes = base58.decode(address);
  return bytes.length === KEY_BYTES ? Buffer.from(bytes).toString('hex') : undefined;
}
