import { describe, expect, it } from 'vitest';
import { bits, streamKey, uniform } from './counter-random.js';

const DRAWS = 65_536;

/**
 * Pearson's statistic of 32-bit numbers over `bins` equal bins; its mean is bins - 1, its deviation √(2 (bins - 1)).
 */
function chiSquare(numbers: readonly number[], bins: number): number {
  const counts = new Float64Array(bins);
  for (const number of numbers) counts[Math.floor((number / 4_294_967_296) * bins)]! += 1;
  const expected = numbers.length / bins;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((x, i) => {
    ab += (x - ma) * (b[i]! - mb);
    aa += (x - ma) ** 2;
    bb += (b[i]! - mb) ** 2;
  });
  return ab / Math.sqrt(aa * bb);
}

const many = (of: (i: number) => number): number[] => Array.from({ length: DRAWS }, (_, i) => of(i));

const { high, low } = streamKey(7, 'workers', 3);
/** The directions in which two draws can be neighbours. */
const directions: readonly (readonly [name: string, of: (i: number) => number])[] = [
  ['n', (i) => bits(high, low, 2, i)],
  ['the top bits of n', (i) => bits(high, low, 2, i << 16)],
  ['purposes', (i) => bits(high, low, i, 5)],
  ['agents', (i) => drawOf(streamKey(7, 'workers', i))],
  ['seeds', (i) => drawOf(streamKey(i, 'workers', 3))],
  ['the high part of seeds', (i) => drawOf(streamKey(i * 4_294_967_296, 'workers', 3))],
  ['populations', (i) => drawOf(streamKey(7, `w${i}`, 3))],
];

function drawOf(key: { high: number; low: number }): number {
  return bits(key.high, key.low, 2, 0);
}

describe('the numbers of a stream', () => {
  it('are what they always were', () => {
    expect([high, low]).toEqual([1_035_553_863, 245_586_487]);
    expect([bits(high, low, 2, 0), bits(high, low, 2, 1), bits(high, low, 3, 0)]).toEqual([
      953_595_984, 2_764_076_190, 3_902_918_619,
    ]);
    expect(uniform(high, low, 2, 0)).toBe(0.22202636685688049);
  });

  // Four deviations: a fair generator fails one of these in about 15,000 cases, and these cases are fixed.
  it.each(directions)('are uniform over %s', (_name, of) => {
    const numbers = many(of);
    expect(Math.abs(chiSquare(numbers, 256) - 255)).toBeLessThan(4 * Math.sqrt(2 * 255));
    const lowBytes = numbers.map((number) => (number & 255) * 16_777_216);
    expect(Math.abs(chiSquare(lowBytes, 256) - 255)).toBeLessThan(4 * Math.sqrt(2 * 255));
  });

  it.each(directions)('do not follow from their neighbours over %s', (_name, of) => {
    const numbers = many(of);
    for (const lag of [1, 2, 16]) {
      expect(Math.abs(correlation(numbers.slice(lag), numbers.slice(0, -lag)))).toBeLessThan(
        4 / Math.sqrt(DRAWS - lag),
      );
    }
  });

  it('of two agents, purposes and seeds have nothing to do with each other', () => {
    const a = many((n) => bits(high, low, 2, n));
    const other = streamKey(7, 'workers', 4);
    const elsewhere = streamKey(8, 'workers', 3);
    for (const b of [
      many((n) => bits(high, low, 3, n)),
      many((n) => bits(other.high, other.low, 2, n)),
      many((n) => bits(elsewhere.high, elsewhere.low, 2, n)),
    ]) {
      expect(Math.abs(correlation(a, b))).toBeLessThan(4 / Math.sqrt(DRAWS));
    }
  });

  it('change by half of their bits with one bit of the input', () => {
    let flipped = 0;
    for (let n = 0; n < 4_096; n += 1) {
      for (let bit = 0; bit < 32; bit += 1) {
        let difference = bits(high, low, 2, n) ^ bits(high, low, 2, n ^ (1 << bit));
        for (; difference !== 0; difference &= difference - 1) flipped += 1;
      }
    }
    expect(flipped / (4_096 * 32 * 32)).toBeCloseTo(0.5, 2);
  });

  it('never come twice for one agent and purpose', () => {
    expect(new Set(many((n) => bits(high, low, 2, n))).size).toBe(DRAWS);
  });

  it('lie between 0 and 1, and are neither', () => {
    const shares = many((n) => uniform(high, low, 2, n));
    expect(Math.min(...shares.slice(0, 10_000))).toBeGreaterThan(0);
    expect(Math.max(...shares.slice(0, 10_000))).toBeLessThan(1);
    expect((0xffffffff + 0.5) / 4_294_967_296).toBeLessThan(1);
  });

  it('no two of a million agents have the same key', () => {
    const keys = new Set<number>();
    for (let member = 0; member < 1_000_000; member += 1) {
      const key = streamKey(7, 'workers', member);
      keys.add((key.high >>> 0) * 1_048_576 + ((key.low >>> 0) & 1_048_575));
    }
    expect(keys.size).toBe(1_000_000);
  });
});
