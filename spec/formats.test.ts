import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoOf, solOf } from './formats.js';

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
