/**
 * The accounts of the fees that were paid, and their split into shares (4.5, D-38). How much a fee is, is decided in
 * fee-resolution.ts.
 */

import type { Protocol } from '../../spec/protocol.js';
import { DAY_MS } from '../../spec/time.js';
import { type FeeShare, type FeeType, feeShares, feeTypes } from '../../spec/vocabulary.js';

const BPS = 10_000;

/** 4.5: the shares of a fee, in basis points. */
type FeeSplit = Readonly<Record<FeeShare, number>>;

/**
 * The split after `years` full years: development falls each year down to its floor, and treasury gets the difference.
 */
export function feeSplit(protocol: Protocol, years: number): FeeSplit {
  const { operationsBps, contributorsBps, referralBps, developmentStartBps, treasuryStartBps } = protocol.feeSplit;
  const { developmentFallBpsPerYear, developmentFloorBps } = protocol.feeSplit;
  const development = Math.max(developmentFloorBps, developmentStartBps - developmentFallBpsPerYear * years);
  return {
    operations: operationsBps,
    contributors: contributorsBps,
    development,
    treasury: treasuryStartBps + developmentStartBps - development,
    referral: referralBps,
  };
}

/** Full years of `yearDays` days since the service's genesis (D-38). */
export function yearsSince(protocol: Protocol, genesisMs: number, nowMs: number): number {
  return Math.floor((nowMs - genesisMs) / (protocol.feeSplit.yearDays * DAY_MS));
}

/** The sums of paid fees: for each fee type a count, a total and the five shares, in lamports. */
export interface FeeBook {
  protocol: Protocol;
  readonly genesisMs: number;
  /** A row for each of `feeTypes`: count, total, then `feeShares`. */
  readonly sums: Float64Array;
  years: number;
  split: FeeSplit;
  /** The first moment at which `split` no longer applies, Unix ms. */
  splitUntilMs: number;
}

const COUNT = 0;
const TOTAL = 1;
const SHARES = 2;
const WIDTH = SHARES + feeShares.length;

/** Makes an empty book. */
export function createFeeBook(protocol: Protocol, genesisMs: number): FeeBook {
  const sums = new Float64Array(feeTypes.length * WIDTH);
  const yearMs = protocol.feeSplit.yearDays * DAY_MS;
  return { protocol, genesisMs, sums, years: 0, split: feeSplit(protocol, 0), splitUntilMs: genesisMs + yearMs };
}

/** The split that applies at a moment. */
export function splitAt(book: FeeBook, nowMs: number): FeeSplit {
  if (nowMs >= book.splitUntilMs) {
    book.years = yearsSince(book.protocol, book.genesisMs, nowMs);
    book.split = feeSplit(book.protocol, book.years);
    book.splitUntilMs = book.genesisMs + (book.years + 1) * book.protocol.feeSplit.yearDays * DAY_MS;
  }
  return book.split;
}

/** `bps` of an amount, rounded down. Exact for every safe integer, since no product exceeds the safe range. */
function share(lamports: number, bps: number): number {
  const rest = lamports % BPS;
  return ((lamports - rest) / BPS) * bps + Math.floor((rest * bps) / BPS);
}

/**
 * Books a fee. Each share is rounded down to the lamport and treasury gets the remainder, so nothing is lost (D-38). A burnt part, which the text
 * does not have, is taken off first and is in no share.
 */
export function bookFee(book: FeeBook, type: FeeType, feeLamports: number, nowMs: number): void {
  const split = splitAt(book, nowMs);
  const { burntBps } = book.protocol.feeSplit;
  const lamports = burntBps === 0 ? feeLamports : feeLamports - share(feeLamports, burntBps);
  const operations = share(lamports, split.operations);
  const contributors = share(lamports, split.contributors);
  const development = share(lamports, split.development);
  const referral = share(lamports, split.referral);
  const treasury = lamports - operations - contributors - development - referral;
  const at = feeTypes.indexOf(type) * WIDTH;
  const sums = book.sums;
  const total = sums[at + TOTAL]! + feeLamports;
  if (total > Number.MAX_SAFE_INTEGER) throw new RangeError('fees booked exceed 2^53 - 1 lamports');
  sums[at + COUNT]! += 1;
  sums[at + TOTAL] = total;
  sums[at + SHARES]! += operations;
  sums[at + SHARES + 1]! += contributors;
  sums[at + SHARES + 2]! += development;
  sums[at + SHARES + 3]! += treasury;
  sums[at + SHARES + 4]! += referral;
}

/** The sums of one fee type. */
interface FeeTotals {
  readonly count: number;
  readonly totalLamports: number;
  readonly shares: Readonly<Record<FeeShare, number>>;
}

/** Where the shares of the fee type `feeTypes[type]` begin in the sums of a book, in the order of `feeShares`. */
export function feeSharesAt(type: number): number {
  return type * WIDTH + SHARES;
}

/** The lamports of all fees that a book has. */
export function feesBooked(book: Pick<FeeBook, 'sums'>): number {
  return feeTypes.reduce((sum, _, at) => sum + book.sums[at * WIDTH + TOTAL]!, 0);
}

/** Reads the sums of one fee type. */
export function feeTotals(book: Pick<FeeBook, 'sums'>, type: FeeType): FeeTotals {
  const at = feeTypes.indexOf(type) * WIDTH;
  const shares = Object.fromEntries(feeShares.map((share, i) => [share, book.sums[at + SHARES + i]!]));
  return {
    count: book.sums[at + COUNT]!,
    totalLamports: book.sums[at + TOTAL]!,
    shares: shares as Record<FeeShare, number>,
  };
}
