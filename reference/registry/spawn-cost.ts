import type { Protocol } from '../../spec/protocol.js';

/**
 * 4.8 and D-31: the beats that a parent owes for its next child, in exact integers: the base times 1.5 for each level of
 * depth, floored, then times 1.2 for each child before, floored. Doubles miss 1,728 at depth 0 with 3 siblings. A cost
 * beyond 2^53 - 1 reads as that number: no proof can reach it.
 */
export function spawnCostBeats(protocol: Protocol, depth: number, siblings: number): number {
  const { baseBeats, depthFactorNumerator, depthFactorDenominator } = protocol.spawn;
  const { siblingFactorNumerator, siblingFactorDenominator } = protocol.spawn;
  const raise = (start: bigint, numerator: number, denominator: number, times: number): bigint =>
    (start * BigInt(numerator) ** BigInt(times)) / BigInt(denominator) ** BigInt(times);
  const depthCost = raise(BigInt(baseBeats), depthFactorNumerator, depthFactorDenominator, depth);
  const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);
  return cost > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(cost);
}
