import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoOf, jsonFaultAt, jsonOf, notJson, solOf } from './formats.js';

describe('lamports in SOL (D-44)', () => {
  it.each([
    [0, '0'],
    [1, '1e-9'],
    [200_000, '0.0002'],
    [300_000, '0.0003'],
    [500_000, '0.0005'],
    [123_456_789, '0.123456789'],
    [1_000_000_001, '1.000000001'],
    [8_388_607_999_999_999, '8388607.999999999'],
  ])('%i is written %s', (lamports, sol) => {
    expect(JSON.stringify(solOf(lamports))).toBe(sol);
  });

  it('are the exact decimal for every sum below 2^23 SOL', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 8_388_608_000_000_000 - 1 }), (lamports) => {
        const digits = String(lamports).padStart(10, '0');
        const exact = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
        expect(JSON.stringify(solOf(lamports))).toBe(exact);
      }),
      { seed: 44, numRuns: 2_000 },
    );
  });
});

it('times are ISO 8601 in UTC to the millisecond', () => {
  expect(isoOf(1_767_225_600_000)).toBe('2026-01-01T00:00:00.000Z');
  expect(isoOf(253_402_300_799_999)).toBe('9999-12-31T23:59:59.999Z');
});

describe('a text that is not JSON', () => {
  it.each([
    ['{"a": 1,\n "b": x,\n "c": [', 'is not JSON: line 2, column 7 breaks it'],
    ['{"a": 1\n "b": 2}', 'is not JSON: line 2, column 2 breaks it'],
    ['{"a": "line\nbreak"}', 'is not JSON: line 1, column 7 breaks it'],
    ['[1, 2}', 'is not JSON: column 6 breaks it'],
    ['{} {}', 'is not JSON: column 4 breaks it'],
    ['words', 'is not JSON: column 1 breaks it'],
    ['[01]', 'is not JSON: column 2 breaks it'],
    ['{"a": 1,\n "b', 'is cut off: its JSON has no end'],
    ['{"a": tru', 'is cut off: its JSON has no end'],
    ['[1, -', 'is cut off: its JSON has no end'],
    [' \n', 'is empty, and JSON was expected'],
  ])('%j %s', (text, message) => {
    expect(notJson(text)).toContain(message);
  });

  it('has the line of its file where it is a part of one, and is not cut off where more follows', () => {
    expect(notJson('{\n"a": x}', { line: 7 })).toBe('is not JSON: line 8, column 6 breaks it');
    expect(notJson('{"a":', { isFollowed: true })).toBe('is not JSON: it lacks its end after column 6');
  });

  it('is cut off if it is the beginning of JSON, and broken at the sign that does not fit', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, n) => {
        const text = JSON.stringify({ a: JSON.parse(json), b: [true, -1.5e-7, 'é"\\\n'] }, null, n % 3);
        const at = n % text.length;
        expect(jsonFaultAt(text.slice(0, at))).toBe(at);
        expect(jsonFaultAt(text)).toBe(text.length);
        const broken = `${text.slice(0, at)}\u0001${text.slice(at)}`;
        expect([jsonOf(broken), jsonFaultAt(broken) <= at]).toEqual([undefined, true]);
      }),
    );
  });
});
