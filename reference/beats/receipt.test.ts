import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReceiptPayload } from '../../spec/endpoints/proof-schemas.js';
import { golden } from '../../test/fixtures/golden.js';
import { parseReceipt, type ReceiptClaim, receiptInForm, signReceipt, verifyReceiptSignature } from './receipt.js';
import { signingKey } from './signing.js';

interface ReceiptCase {
  readonly name: string;
  readonly seed_hex: string;
  readonly public_key_hex: string;
  readonly payload: ReceiptPayload;
  readonly payload_json: string;
  readonly string_form: string;
}

const vectors = golden<ReceiptCase>('receipts');

const key = signingKey(new Uint8Array(32).fill(5));
const claim: ReceiptClaim = {
  type: 'work_proof',
  beats_verified: 1_200,
  difficulty: 1_000,
  anchor_index: 17,
  anchor_hash: 'a1'.repeat(32),
  from_hash: 'b2'.repeat(32),
  to_hash: 'c3'.repeat(32),
  utc: '2026-01-01T00:17:00.000Z',
};
const receipt = signReceipt(claim, key);
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('golden receipts', () => {
  it.each(vectors)('$name', ({ seed_hex, public_key_hex, payload, payload_json, string_form }) => {
    const { signature, ...rest } = payload;
    const signed = signReceipt(rest, signingKey(Buffer.from(seed_hex, 'hex')));
    expect(signed.signature).toBe(signature);
    expect(JSON.stringify(receiptInForm(signed, 'object'))).toBe(payload_json);
    expect(receiptInForm(signed, 'string')).toBe(string_form);
    expect(parseReceipt(string_form)).toEqual(payload);
    expect(parseReceipt(payload)).toEqual(payload);
    expect(verifyReceiptSignature(payload, public_key_hex)).toBe(true);
  });
});

describe('parseReceipt', () => {
  it('reads both forms, whatever the order of the fields and the padding', () => {
    const backwards = Object.fromEntries(Object.entries(receipt).reverse());
    for (const form of [receipt, backwards, encoded(receipt), encoded(backwards), `${encoded({ ...receipt })}==`]) {
      const parsed = parseReceipt(form);
      expect(parsed).toEqual(receipt);
      expect(parsed !== undefined && verifyReceiptSignature(parsed, key.publicKeyHex)).toBe(true);
    }
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['an array', [receipt]],
    ['the empty text', ''],
    ['text that is not base64url', 'a b+c/'],
    ['JSON that is not encoded', JSON.stringify(receipt)],
    ['bytes that are no JSON', Buffer.from('{"type":').toString('base64url')],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00]).toString('base64url')],
    ['an encoded null', encoded(null)],
    ['a receipt encoded twice', encoded(encoded(receipt))],
    ['deep nesting', Buffer.from('['.repeat(200_000)).toString('base64url')],
    ['deep nesting in a field', { ...receipt, utc: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) }],
    ['a field more', { ...receipt, note: 'x' }],
    ['a field named __proto__', JSON.parse(JSON.stringify(receipt).replace('{', '{"__proto__":{},'))],
    ['another type', { ...receipt, type: 'timestamp' }],
    ['beats below none', { ...receipt, beats_verified: -1 }],
    ['half a beat', { ...receipt, beats_verified: 0.5 }],
    ['beats as text', { ...receipt, beats_verified: '1200' }],
    ['too many beats to count', { ...receipt, beats_verified: 2 ** 53 }],
    ['a negative anchor', { ...receipt, anchor_index: -1 }],
    ['a difficulty below none', { ...receipt, difficulty: -1 }],
    ['a hash in upper case', { ...receipt, to_hash: 'C3'.repeat(32) }],
    ['a hash with 0x', { ...receipt, from_hash: `0x${'b2'.repeat(31)}` }],
    ['an anchor hash that is no hash', { ...receipt, anchor_hash: '' }],
    ['a time with an offset', { ...receipt, utc: '2026-01-01T00:17:00+00:00' }],
    ['a hex signature', { ...receipt, signature: '00'.repeat(64) }],
    ['a base64url signature', { ...receipt, signature: `${'_'.repeat(86)}==` }],
  ])('is undefined for %s', (_name, input) => {
    expect(parseReceipt(input)).toBeUndefined();
    expect(parseReceipt(typeof input === 'string' ? input : encoded(input ?? null))).toBeUndefined();
  });

  it.each(Object.keys(receipt))('is undefined without %s', (field) => {
    const rest = Object.fromEntries(Object.entries(receipt).filter(([name]) => name !== field));
    expect(parseReceipt(rest)).toBeUndefined();
  });

  it('never throws', () => {
    const hostile = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.stringMatching(/^[A-Za-z0-9_-]*$/),
      fc.jsonValue().map(encoded),
    );
    fc.assert(
      fc.property(hostile, (input) => {
        expect(parseReceipt(input)).toBeUndefined();
      }),
    );
  });
});

describe('verifyReceiptSignature', () => {
  const otherHex = (hex: string, at: number): string =>
    hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);
  const hexAt = fc.nat(63);
  const change: fc.Arbitrary<Partial<ReceiptPayload>> = fc.oneof(
    fc.integer({ min: 1 }).map((by) => ({ beats_verified: claim.beats_verified + by })),
    fc.integer({ min: 1 }).map((by) => ({ difficulty: claim.difficulty + by })),
    fc.integer({ min: 1 }).map((by) => ({ anchor_index: claim.anchor_index + by })),
    hexAt.map((at) => ({ anchor_hash: otherHex(String(claim.anchor_hash), at) })),
    hexAt.map((at) => ({ from_hash: otherHex(claim.from_hash, at) })),
    hexAt.map((at) => ({ to_hash: otherHex(claim.to_hash, at) })),
    fc.nat(999).map((ms) => ({ utc: `2026-01-01T00:18:00.${String(ms).padStart(3, '0')}Z` })),
    fc.nat(85).chain((at) =>
      fc
        .constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
        .filter((digit) => digit !== receipt.signature[at])
        .map((digit) => ({ signature: receipt.signature.slice(0, at) + digit + receipt.signature.slice(at + 1) })),
    ),
  );

  it('refuses a receipt with any one field changed', () => {
    expect(verifyReceiptSignature(receipt, key.publicKeyHex)).toBe(true);
    fc.assert(
      fc.property(change, (changed) => {
        const parsed = parseReceipt({ ...receipt, ...changed });
        expect(parsed).toBeDefined();
        expect(parsed !== undefined && verifyReceiptSignature(parsed, key.publicKeyHex)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses another spelling of the same signature bytes', () => {
    const last = receipt.signature[85];
    const bytes = Buffer.from(receipt.signature, 'base64');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const spellings = [...alphabet]
      .filter((digit) => digit !== last)
      .map((digit) => `${receipt.signature.slice(0, 85)}${digit}==`)
      .filter((text) => Buffer.from(text, 'base64').equals(bytes));
    expect(spellings).toHaveLength(15);
    for (const signature of spellings) {
      expect(verifyReceiptSignature({ ...receipt, signature }, key.publicKeyHex)).toBe(false);
    }
  });

  it('refuses another key, and a text that is no key', () => {
    expect(verifyReceiptSignature(receipt, signingKey(new Uint8Array(32)).publicKeyHex)).toBe(false);
    expect(verifyReceiptSignature(receipt, 'no key')).toBe(false);
  });
});
