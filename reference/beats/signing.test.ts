import { createPublicKey, verify } from 'node:crypto';
import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import * as noble from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { golden } from '../../test/fixtures/golden.js';
import { addressOfPublicKey, publicKeyOfAddress, signingKey, verifyEd25519 } from './signing.js';

interface AnchorCase {
  readonly name: string;
  readonly seed_hex: string;
  readonly public_key_hex: string;
  readonly canonical: string;
  readonly signature_base64: string;
}

// RFC 8032, 7.1, test 1: the empty message.
const RFC_SEED = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const RFC_PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const RFC_SIGNATURE =
  'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b';

describe('signingKey', () => {
  it('gives the key and signature of RFC 8032', () => {
    const key = signingKey(RFC_SEED);
    expect(key.publicKeyHex).toBe(RFC_PUBLIC);
    expect(key.signHex('')).toBe(RFC_SIGNATURE);
    expect(Buffer.from(key.signBase64(''), 'base64').toString('hex')).toBe(RFC_SIGNATURE);
    expect(publicKeyOfAddress(key.publicKeyBase58)).toBe(RFC_PUBLIC);
  });

  it.each(golden<AnchorCase>('anchors'))('golden anchor: $name', (entry) => {
    const key = signingKey(Buffer.from(entry.seed_hex, 'hex'));
    expect(key.publicKeyHex).toBe(entry.public_key_hex);
    expect(key.signBase64(entry.canonical)).toBe(entry.signature_base64);
  });

  it.each([0, 31, 33, 64])('refuses a seed of %i bytes', (length) => {
    expect(() => signingKey(new Uint8Array(length))).toThrow(RangeError);
  });
});

describe('verifyEd25519', () => {
  it('takes the hex in either case, and the bytes', () => {
    expect(verifyEd25519(RFC_PUBLIC.toUpperCase(), '', RFC_SIGNATURE.toUpperCase())).toBe(true);
    expect(verifyEd25519(RFC_PUBLIC, '', Buffer.from(RFC_SIGNATURE, 'hex'))).toBe(true);
  });

  it.each([
    ['an empty key', '', RFC_SIGNATURE],
    ['a short key', RFC_PUBLIC.slice(2), RFC_SIGNATURE],
    ['a key with a line end', `${RFC_PUBLIC}\n`, RFC_SIGNATURE],
    ['a key that is not hex', 'g'.repeat(64), RFC_SIGNATURE],
    ['a key that is no point', 'ff'.repeat(32), RFC_SIGNATURE],
    ['another key', `00${RFC_PUBLIC.slice(2)}`, RFC_SIGNATURE],
    ['an empty signature', RFC_PUBLIC, ''],
    ['a short signature', RFC_PUBLIC, RFC_SIGNATURE.slice(2)],
    ['a long signature', RFC_PUBLIC, `${RFC_SIGNATURE}00`],
    ['a signature that is not hex', RFC_PUBLIC, 'z'.repeat(128)],
    ['too few bytes', RFC_PUBLIC, new Uint8Array(63)],
    ['zeros', RFC_PUBLIC, new Uint8Array(64)],
  ])('is false for %s', (_name, key, signature) => {
    expect(verifyEd25519(key, '', signature)).toBe(false);
  });

  it.each([
    ['of 32 zero bytes', '00'.repeat(32)],
    ['the identity', `01${'00'.repeat(31)}`],
    ['the identity with a sign', `01${'00'.repeat(30)}80`],
    ['the identity, not canonical', `ee${'ff'.repeat(30)}7f`],
    ['of order 8', ED25519_TORSION_SUBGROUP[1] ?? ''],
  ])('is false for a key %s, under which anybody can sign', (_, key) => {
    const forgery = Buffer.from(`01${'00'.repeat(63)}`, 'hex');
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(key, 'hex')]);
    const loose = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const texts = Array.from({ length: 64 }, (_unused, n) => `message ${n}`);
    expect(texts.some((text) => verify(null, Buffer.from(text), loose, forgery))).toBe(true);
    for (const text of texts) expect(verifyEd25519(key, text, forgery)).toBe(false);
  });

  it('never throws, whatever the texts', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{64}$/), fc.stringMatching(/^[0-9a-f]{128}$/));
    fc.assert(
      fc.property(text, text, (key, signature) => {
        expect(verifyEd25519(key, 'm', signature)).toBe(false);
      }),
    );
  });

  it('agrees with another implementation', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.string({ unit: 'binary' }),
        async (seed, text) => {
          const message = new TextEncoder().encode(text);
          const key = signingKey(seed);
          const theirs = Buffer.from(await noble.signAsync(message, seed)).toString('hex');
          expect(key.signHex(text)).toBe(theirs);
          expect(verifyEd25519(key.publicKeyHex, text, theirs)).toBe(true);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('addresses', () => {
  it.each([
    ['00'.repeat(32), '1'.repeat(32)],
    ['ff'.repeat(32), 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG'],
  ])('%s is %s', (hex, address) => {
    expect(addressOfPublicKey(hex)).toBe(address);
    expect(publicKeyOfAddress(address)).toBe(hex);
  });

  it.each([
    ['the empty text', ''],
    ['a digit outside base58', 'O'.repeat(44)],
    ['31 bytes', '1'.repeat(31)],
    ['33 bytes', '1'.repeat(33)],
    ['a number above 32 bytes', 'z'.repeat(44)],
    ['a flood of digits', '1'.repeat(100_000)],
    ['two words', 'abc def'],
  ])('%s is no address', (_name, text) => {
    expect(publicKeyOfAddress(text)).toBeUndefined();
  });

  it.each(['', 'ab', 'g'.repeat(64), '0x'.padEnd(66, '0')])('refuses the key %s', (key) => {
    expect(() => addressOfPublicKey(key)).toThrow(RangeError);
  });
});
