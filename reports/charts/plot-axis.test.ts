import { describe, expect, it } from 'vitest';
import { plotAxis } from './plot-axis.js';

describe('an axis', () => {
  it('in steps begins at 0, or below it', () => {
    const axis = plotAxis([3, 7], false);
    expect(axis?.marks).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(axis?.place(3.5)).toBe(0.5);
    expect(plotAxis([-4, 4], false)?.marks).toEqual([-4, -3, -2, -1, 0, 1, 2, 3, 4]);
    expect(plotAxis([0], false)?.marks).toEqual([0, 0.2]);
  });

  it('by ratio has powers of ten, and 2 and 5 between few of them', () => {
    const axis = plotAxis([0.02, 3], true);
    expect(axis?.marks).toEqual([0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]);
    expect(axis?.place(0.02)).toBe(0);
    expect(axis?.place(5)).toBe(1);
    expect(plotAxis([1, 100], true)?.place(10)).toBeCloseTo(0.5, 12);
    expect(plotAxis([1, 1e6], true)?.marks).toEqual([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]);
    expect(plotAxis([1e-12, 1e12], true)?.marks.length).toBeLessThanOrEqual(9);
  });

  it('by ratio shows a value at or below 0 at its begin, and is none without one above', () => {
    expect(plotAxis([1, -5, 0], true)?.place(-5)).toBe(0);
    expect(plotAxis([0, -1], true)).toBeUndefined();
    expect(plotAxis([7], true)?.marks).toEqual([5, 10]);
  });
});
