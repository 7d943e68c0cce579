import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { golden } from '../../test/fixtures/golden.js';
import { canonicalJson } from './canonical-json.js';

interface Case {
  readonly name: string;
  readonly canonical: string;
  readonly [field: string]: unknown;
}

describe('canonicalJson', () => {
  it.each([
    ['null', null, 'null'],
    ['booleans', [true, false], '[true,false]'],
    ['numbers as JavaScript writes them', [0, -0, 1.5, 1e21, 1e-7], '[0,0,1.5,1e+21,1e-7]'],
    ['strings with their escapes', 'a"\\\n\u0001é€', '"a\\"\\\\\\n\\u0001é€"'],
    ['a lone surrogate', '\ud800', '"\\ud800"'],
    ['sorted keys', { b: 1, a: 2, A: 3, '': 4 }, '{"":4,"A":3,"a":2,"b":1}'],
    ['keys that are numbers, as text', { 10: 1, 9: 2, 1: 3 }, '{"1":3,"10":1,"9":2}'],
    // U+1F600 is above U+FF5E, but its first code unit D83D is below.
    ['keys by code unit, not code point', { '\uff5e': 1, '\u{1f600}': 2 }, '{"\u{1f600}":2,"\uff5e":1}'],
    ['nesting', { z: [{ b: [], a: {} }], y: null }, '{"y":null,"z":[{"a":{},"b":[]}]}'],
    ['an object without a prototype', Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
    ['a key named __proto__', JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
  ])('writes %s', (_name, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([
    ['undefined', undefined],
    ['a field that is undefined', { a: undefined }],
    ['a hole in an array', new Array(1)],
    ['NaN', NaN],
    ['infinity', [Infinity]],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', new Uint8Array(1)],
  ])('refuses %s', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it.each(golden<Case>('anchors'))('golden anchor: $name', ({ anchor, canonical }) => {
    expect(canonicalJson(anchor)).toBe(canonical);
  });

  it.each(golden<Case>('receipts'))('golden receipt: $name', ({ payload, canonical }) => {
    const { signature, ...claim } = payload as Record<string, unknown>;
    expect(signature).toBeTypeOf('string');
    expect(canonicalJson(claim)).toBe(canonical);
  });

  it.each(golden<Case>('lineage'))('golden lineage: $name', ({ event, canonical }) => {
    expect(canonicalJson(event)).toBe(canonical);
  });

  it('keeps the value and does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (value, fields) => {
        const text = canonicalJson(value);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(canonicalJson(JSON.parse(text)))));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        const backwards = Object.fromEntries(Object.entries(fields).reverse());
        expect(canonicalJson(backwards)).toBe(canonicalJson(fields));
      }),
    );
  });
});
