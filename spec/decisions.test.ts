import { describe, expect, it } from 'vitest';
import { decisions } from './decisions.js';

describe('decisions', () => {
  it('run from D-01 to D-59 in order', () => {
    expect(decisions.map(({ id }) => id)).toEqual(
      Array.from({ length: 59 }, (_, index) => `D-${String(index + 1).padStart(2, '0')}`),
    );
  });

  it('say what is open, what is done and why', () => {
    for (const { title, open, does, why } of decisions) {
      expect(title).not.toBe('');
      for (const text of [open, does, why]) expect(text).toMatch(/^\S.{9,}\.$/);
    }
  });

  it('have titles that no two share', () => {
    expect(new Set(decisions.map(({ title }) => title)).size).toBe(59);
  });

  it('are frozen', () => {
    expect(Object.isFrozen(decisions)).toBe(true);
    expect(decisions.filter((decision) => !Object.isFrozen(decision))).toEqual([]);
  });

  it('of D-31 name the costs at which floating point differs from exact integers', () => {
    const differing: string[] = [];
    for (let depth = 0; depth < 8; depth++) {
      for (let siblings = 0; siblings < 6; siblings++) {
        const exact =
          (((1_000n * 3n ** BigInt(depth)) / 2n ** BigInt(depth)) * 12n ** BigInt(siblings)) / 10n ** BigInt(siblings);
        const inexact = Math.floor(Math.floor(1_000 * 1.5 ** depth) * 1.2 ** siblings);
        if (BigInt(inexact) !== exact) differing.push(`${depth}/${siblings}: ${inexact}`);
      }
    }
    expect(differing).toEqual(['0/3: 1727', '1/3: 2591', '2/3: 3887', '3/3: 5831']);
  });
});
