import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createHashIndex, findRow, indexRow } from './hash-index.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

describe('a hash index', () => {
  it('finds each of 20,000 rows and nothing else', () => {
    const rows = 20_000;
    const index = createHashIndex(32);
    const hashes = new Uint8Array(rows * 32);
    for (let row = 0; row < rows; row++) {
      hashes.set(digest(`agent ${row}`), row * 32);
      indexRow(index, hashes, row);
    }
    let misses = 0;
    for (let row = 0; row < rows; row++)
      if (findRow(index, hashes, hashes.subarray(row * 32, row * 32 + 32)) !== row) misses++;
    expect(misses).toBe(0);
    let ghosts = 0;
    for (let row = 0; row < rows; row++) if (findRow(index, hashes, digest(`nobody ${row}`)) !== -1) ghosts++;
    expect(ghosts).toBe(0);
    expect(index.used).toBe(rows);
    expect(index.slots.length).toBeGreaterThanOrEqual(2 * rows);
  });

  it('distinguishes hashes that differ in their last byte alone, around the end of its slots', () => {
    const index = createHashIndex(32);
    const rows = 300;
    const hashes = new Uint8Array(rows * 32).fill(0xff);
    for (let row = 0; row < rows; row++) {
      hashes[row * 32 + 30] = row >> 8;
      hashes[row * 32 + 31] = row & 0xff;
      indexRow(index, hashes, row);
    }
    for (let row = 0; row < rows; row++) {
      expect(findRow(index, hashes, hashes.subarray(row * 32, row * 32 + 32))).toBe(row);
    }
    expect(findRow(index, hashes, Buffer.alloc(32, 0xff))).toBe(-1);
  });

  it('that is empty finds nothing', () => {
    expect(findRow(createHashIndex(4), new Uint8Array(0), Buffer.alloc(4))).toBe(-1);
  });

  it('works on the shortest hashes that it takes, and takes none shorter', () => {
    const index = createHashIndex(4);
    const hashes = Uint8Array.of(1, 2, 3, 4, 1, 2, 3, 5);
    indexRow(index, hashes, 0);
    indexRow(index, hashes, 1);
    expect(findRow(index, hashes, Uint8Array.of(1, 2, 3, 5))).toBe(1);
    expect(() => createHashIndex(3)).toThrow(RangeError);
  });
});
