import { describe, expect, it } from 'vitest';
import { thinned } from './thin.js';

function wave(length: number, peaks: Readonly<Record<number, number>> = {}): number[] {
  return Array.from({ length }, (_, row) => peaks[row] ?? (row * 7919) % 97);
}

describe('thinned', () => {
  it('keeps every sample of a short line', () => {
    expect(thinned(4, [[1, 2, 3, 4]], 10)).toEqual([0, 1, 2, 3]);
    expect(thinned(0, [], 10)).toEqual([]);
  });

  it('keeps at most what it may, with the first, the last and every extreme', () => {
    const one = wave(20_000, { 12345: 5000 });
    const two = wave(20_000, { 777: -5000 });
    const rows = thinned(20_000, [one, two], 600);
    expect(rows.length).toBeLessThanOrEqual(600);
    expect(rows.length).toBeGreaterThan(250);
    expect(rows[0]).toBe(0);
    expect(rows.at(-1)).toBe(19_999);
    expect(rows).toContain(12_345);
    expect(rows).toContain(777);
    expect([...rows].sort((a, b) => a - b)).toEqual(rows);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('gives the same samples for the same lines', () => {
    expect(thinned(5000, [wave(5000)], 100)).toEqual(thinned(5000, [wave(5000)], 100));
  });

  it('takes a line with gaps', () => {
    const line = wave(1000, { 10: Number.NaN, 11: 500 });
    expect(thinned(1000, [line], 50)).toContain(11);
  });
});
