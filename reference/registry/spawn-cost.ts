import type { Protocol } from '../../spec/protocol.js';

/**
 * 4.8 and D-31: the beats that a parent owes for its next child, in exact integers: the base times 1.5 for each level of
 * depth, floored, then times 1.2 for each child before, floored. Doubles miss 1,728 at depth 0 with 3 siblings. Null where
 * the cost is beyond 2^53 - 1: a number of JSON could not say it, and beats are not counted that far.
 */
export function spawnCostBeats(protocol: Protocol, depth: number, siblings: number): number | null {
  const { baseBeats, depthFactorNumerator, depthFactorDenominator } = protocol.spawn;
  const { siblingFactorNumerator, siblingFactorDenominator } = protocol.spawn;
  const raise = (start: bigint, numerator: number, denominator: number, times: number): bigint =>
    (start * BigInt(numerator) ** BigInt(times)) / BigInt(denominator) ** BigInt(times);
  const depthCost = raise(BigInt(baseBeats), depthFactorNumerator, depthFactorDenominator, depth);
  const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);
  return cost > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(cost);
}

/** 4.8: how much of a cost the beats at hand cover, in whole percent, rounded down; 100 is all of it. */
export function progressPct(beats: number, costBeats: number): number {
  if (beats >= costBeats) return 100;
  // Doubles would round 99.99… up to 100 where a hundred times the beats is beyond 2^53.
  return Number((BigInt(beats) * 100n) / BigInt(costBeats));
}
