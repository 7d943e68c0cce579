import { describe, expect, it } from 'vitest';
import { layoutOf, nearestRow } from './agent-layout.js';

const roots = (count: number): number[] => Array.from({ length: count }, () => -1);

describe('the places of agents', () => {
  it.each([1, 36, 2_000])('of %i roots lie in the picture, and apart', (count) => {
    const { x, y, radius, isDense } = layoutOf(roots(count), 1_000, 320);
    expect(isDense).toBe(false);
    for (let row = 0; row < count; row += 1) {
      expect(x[row]).toBeGreaterThan(radius[row] ?? 0);
      expect(x[row]).toBeLessThan(1_000 - (radius[row] ?? 0));
      expect(y[row]).toBeLessThan(320 - (radius[row] ?? 0));
      expect(nearestRow({ x, y }, (x[row] ?? 0) + 0.4, y[row] ?? 0)).toBe(row);
    }
  });

  it('children are around their root, and move nobody', () => {
    const before = layoutOf(roots(4), 1_000, 300);
    const { x, y } = layoutOf([...roots(4), 2, 4, 2], 1_000, 300);
    expect([...x.slice(0, 4)]).toEqual([...before.x]);
    const far = (a: number, b: number): number => Math.hypot((x[a] ?? 0) - (x[b] ?? 0), (y[a] ?? 0) - (y[b] ?? 0));
    for (const child of [4, 5, 6]) {
      expect(far(child, 2)).toBeGreaterThan(5);
      for (const other of [0, 1, 3]) expect(far(child, 2)).toBeLessThan(far(child, other));
    }
  });

  it('20,000 agents are shown as density', () => {
    expect(layoutOf(roots(20_000), 1_000, 320).isDense).toBe(true);
    expect(layoutOf([-1, ...Array.from({ length: 19_999 }, () => 0)], 1_000, 320).isDense).toBe(true);
  });

  it('no agent has no place', () => {
    expect(nearestRow(layoutOf([], 100, 100), 1, 1)).toBe(-1);
  });
});
