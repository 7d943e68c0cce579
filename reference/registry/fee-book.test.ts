import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withOverlay } from '../../spec/overlay.js';
import { protocol } from '../../spec/protocol.js';
import type { FeeShare } from '../../spec/vocabulary.js';
import { golden } from '../../test/fixtures/golden.js';
import { GENESIS_MS } from '../../test/fixtures/registry.js';
import { bookFee, createFeeBook, feeSplit, feeTotals, splitAt, yearsSince } from './fee-book.js';

const YEAR_MS = 31_536_000_000;
const MAX = 9_007_199_254_740_991;

interface SplitCase {
  readonly name: string;
  readonly fee_lamports: number;
  readonly elapsed_ms: number;
  readonly years: number;
  readonly bps: Record<FeeShare, number>;
  readonly lamports: Record<FeeShare, number>;
}

describe('the split (4.5, D-38)', () => {
  it.each([
    [0, 1_500, 1_500],
    [1, 1_400, 1_600],
    [9, 600, 2_400],
    [10, 500, 2_500],
    [11, 500, 2_500],
    [100, 500, 2_500],
  ])('after %i years development has %i bps and treasury %i', (years, development, treasury) => {
    expect(feeSplit(protocol, years)).toEqual({
      operations: 3_000,
      contributors: 3_000,
      development,
      treasury,
      referral: 1_000,
    });
  });

  it.each([
    [0, 0],
    [YEAR_MS - 1, 0],
    [YEAR_MS, 1],
    [10 * YEAR_MS - 1, 9],
    [10 * YEAR_MS, 10],
  ])('%i ms after genesis is %i full years', (elapsedMs, years) => {
    expect(yearsSince(protocol, GENESIS_MS, GENESIS_MS + elapsedMs)).toBe(years);
  });

  it('of a book changes at the millisecond a year is full, and jumps over years without a fee', () => {
    const book = createFeeBook(protocol, GENESIS_MS);
    const developmentAt = (elapsedMs: number): number => splitAt(book, GENESIS_MS + elapsedMs).development;
    expect(developmentAt(0)).toBe(1_500);
    expect(developmentAt(YEAR_MS - 1)).toBe(1_500);
    expect(developmentAt(YEAR_MS)).toBe(1_400);
    expect(developmentAt(9 * YEAR_MS)).toBe(600);
    expect(developmentAt(10 * YEAR_MS - 1)).toBe(600);
    expect(developmentAt(11 * YEAR_MS)).toBe(500);
  });
});

describe('booking', () => {
  it.each(golden<SplitCase>('fee-splits'))('golden: $name', (entry) => {
    const book = createFeeBook(protocol, GENESIS_MS);
    const nowMs = GENESIS_MS + entry.elapsed_ms;
    bookFee(book, 'heartbeat', entry.fee_lamports, nowMs);
    expect(yearsSince(protocol, GENESIS_MS, nowMs)).toBe(entry.years);
    expect(splitAt(book, nowMs)).toEqual(entry.bps);
    expect(feeTotals(book, 'heartbeat')).toEqual({
      count: 1,
      totalLamports: entry.fee_lamports,
      shares: entry.lamports,
    });
  });

  it('keeps the fee types apart and adds up', () => {
    const book = createFeeBook(protocol, GENESIS_MS);
    bookFee(book, 'sigil', 50_000_000, GENESIS_MS);
    bookFee(book, 'heartbeat', 500_000, GENESIS_MS);
    bookFee(book, 'heartbeat', 300_000, GENESIS_MS);
    expect(feeTotals(book, 'sigil')).toMatchObject({ count: 1, totalLamports: 50_000_000 });
    expect(feeTotals(book, 'reissuance')).toMatchObject({ count: 0, totalLamports: 0 });
    expect(feeTotals(book, 'heartbeat')).toEqual({
      count: 2,
      totalLamports: 800_000,
      shares: { operations: 240_000, contributors: 240_000, development: 120_000, treasury: 120_000, referral: 80_000 },
    });
  });

  it('floors every share to the lamport, gives treasury the rest and loses nothing, for any fee at any age', () => {
    const lamports = fc.oneof(fc.integer({ min: 0, max: MAX }), fc.integer({ min: 0, max: 20_000 }), fc.constant(MAX));
    fc.assert(
      fc.property(lamports, fc.integer({ min: 0, max: 30 }), (fee, years) => {
        const book = createFeeBook(protocol, GENESIS_MS);
        bookFee(book, 'sigil', fee, GENESIS_MS + years * YEAR_MS);
        const { shares } = feeTotals(book, 'sigil');
        const floored = (bps: number): number => Number((BigInt(fee) * BigInt(bps)) / 10_000n);
        const development = years >= 10 ? 500 : 1_500 - 100 * years;
        expect(shares.operations).toBe(floored(3_000));
        expect(shares.contributors).toBe(floored(3_000));
        expect(shares.development).toBe(floored(development));
        expect(shares.referral).toBe(floored(1_000));
        const sum = Object.values(shares).reduce((total, share) => total + BigInt(share), 0n);
        expect(sum).toBe(BigInt(fee));
      }),
      { seed: 2, numRuns: 2_000 },
    );
  });

  it('throws before it changes anything when the total would leave the safe integers', () => {
    const book = createFeeBook(protocol, GENESIS_MS);
    bookFee(book, 'sigil', MAX, GENESIS_MS);
    const before = feeTotals(book, 'sigil');
    expect(() => bookFee(book, 'sigil', 1, GENESIS_MS)).toThrow(RangeError);
    expect(feeTotals(book, 'sigil')).toEqual(before);
  });
});

describe('a burnt part, which the text does not have', () => {
  it('is taken off a fee before it is shared out', () => {
    const burning = withOverlay({ feeSplit: { burntBps: 1_000 } });
    const book = createFeeBook(burning, GENESIS_MS);
    bookFee(book, 'heartbeat', 500_000, GENESIS_MS);
    bookFee(book, 'heartbeat', 7, GENESIS_MS);
    expect(feeTotals(book, 'heartbeat')).toEqual({
      count: 2,
      totalLamports: 500_007,
      // Of 450,000, and of 7, of which nothing is burnt.
      shares: { operations: 135_002, contributors: 135_002, referral: 45_000, development: 67_501, treasury: 67_502 },
    });
  });
});
