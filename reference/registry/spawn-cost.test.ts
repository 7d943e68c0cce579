import { describe, expect, it } from 'vitest';
import { protocol } from '../../spec/protocol.js';
import { golden } from '../../test/fixtures/golden.js';
import { spawnCostBeats } from './spawn-cost.js';

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

  it('beyond what a double counts exactly reads as 2^53 - 1', () => {
    expect(spawnCostBeats(protocol, 200, 200)).toBe(9_007_199_254_740_991);
  });
});
