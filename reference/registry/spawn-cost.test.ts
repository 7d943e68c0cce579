import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { protocol } from '../../spec/protocol.js';
import { golden } from '../../test/fixtures/golden.js';
import { progressPct, spawnCostBeats } from './spawn-cost.js';

interface CostCase {
  readonly name: string;
  readonly depth: number;
  readonly siblings: number;
  readonly cost: number;
}

describe('spawn cost (4.8, D-31)', () => {
  it.each([
    [0, 0, 1_000],
    [0, 1, 1_200],
    [1, 0, 1_500],
    [1, 1, 1_800],
    [2, 0, 2_250],
    [2, 3, 3_888],
    // Doubles give 1,727 here.
    [0, 3, 1_728],
  ])('at depth %i with %i siblings is %i beats', (depth, siblings, beats) => {
    expect(spawnCostBeats(protocol, depth, siblings)).toBe(beats);
  });

  it.each(golden<CostCase>('spawn-costs'))('golden: $name', (entry) => {
    expect(spawnCostBeats(protocol, entry.depth, entry.siblings)).toBe(entry.cost);
  });

  /** 4.8 as two fractions of BigInts, floored by subtracting the remainder. */
  const floored = (numerator: bigint, denominator: bigint): bigint =>
    (numerator - (numerator % denominator)) / denominator;
  const exact = (depth: number, siblings: number): bigint => {
    let [numerator, denominator] = [1_000n, 1n];
    for (let level = 0; level < depth; level++) [numerator, denominator] = [numerator * 15n, denominator * 10n];
    [numerator, denominator] = [floored(numerator, denominator), 1n];
    for (let child = 0; child < siblings; child++) [numerator, denominator] = [numerator * 12n, denominator * 10n];
    return floored(numerator, denominator);
  };
  const MOST = 9_007_199_254_740_991n;
  const agrees = (depth: number, siblings: number): void => {
    const wanted = exact(depth, siblings);
    const at = `${depth}/${siblings}`;
    expect([at, spawnCostBeats(protocol, depth, siblings)]).toEqual([at, wanted > MOST ? null : Number(wanted)]);
  };

  it('[spawn.cost.depth] [spawn.cost.siblings] [spawn.cost.exact] is the exact fraction, floored twice, at every depth to 40 and with every number of siblings to 60', () => {
    for (let depth = 0; depth <= 40; depth++) {
      for (let siblings = 0; siblings <= 60; siblings++) {
        agrees(depth, siblings);
      }
    }
    // All of these can be counted; larger costs are compared below.
    expect(exact(40, 60)).toBe(623_053_191_608_934n);
  });

  it('is the exact fraction further out too, or no number at all', () => {
    const rows = fc.integer({ min: 0, max: 400 });
    fc.assert(fc.property(rows, rows, agrees), { seed: 31, numRuns: 400 });
  });

  it('grows with every level and every sibling, until no number can say it', () => {
    const countable = fc.tuple(fc.integer({ min: 0, max: 72 }), fc.integer({ min: 0, max: 160 }));
    fc.assert(
      fc.property(countable, ([depth, siblings]) => {
        const cost = spawnCostBeats(protocol, depth, siblings) ?? Number.POSITIVE_INFINITY;
        for (const more of [
          spawnCostBeats(protocol, depth + 1, siblings),
          spawnCostBeats(protocol, depth, siblings + 1),
        ]) {
          expect(more === null || more > cost).toBe(true);
        }
      }),
      { seed: 48, numRuns: 400 },
    );
  });

  it.each([
    [73, 0, 7_155_861_248_802_100],
    [74, 0, null],
    [0, 163, 8_063_862_349_961_230],
    [0, 164, null],
    [200, 200, null],
  ])('at depth %i with %i siblings is %s: beyond 2^53 - 1 it is no number', (depth, siblings, beats) => {
    expect(spawnCostBeats(protocol, depth, siblings)).toBe(beats);
  });
});

describe('progress towards a cost', () => {
  it.each([
    [0, 1_000, 0],
    [999, 1_000, 99],
    [1_000, 1_000, 100],
    [5_000, 1_000, 100],
    [0, 0, 100],
    [9_007_199_254_740_990, 9_007_199_254_740_991, 99],
  ])('%i of %i beats are %i %%', (beats, cost, percent) => {
    expect(progressPct(beats, cost)).toBe(percent);
  });
});
