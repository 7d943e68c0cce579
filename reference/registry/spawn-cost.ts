/** The cost of a child in beats, in exact integers (4.8, D-31), and the progress towards it. */

import type { DialectSettings } from '../../spec/dialect-settings.js';
import { formulaOf } from '../../spec/formula/formulas.js';
import type { Protocol } from '../../spec/protocol.js';

/**
 * 4.8 and D-31: the cost of a parent's next child in beats: the base times 1.5 for each level of depth, rounded down,
 * then times 1.2 for each sibling, rounded down. Integers, since doubles miss 1,728 at depth 0 with 3 siblings. Null
 * above 2^53 - 1, which a JSON number cannot carry. D-57: a dialect may compute in doubles all the same. An overlay may replace the whole formula.
 */
export function spawnCostBeats(
  protocol: Protocol,
  depth: number,
  siblings: number,
  { spawnCost }: DialectSettings = {},
): number | null {
  const formula = formulaOf(protocol, 'spawn.costBeats');
  if (formula !== undefined) return formula(depth, siblings);
  if (spawnCost === 'doubles') return costInDoubles(protocol, depth, siblings);
  const { baseBeats, depthFactorNumerator, depthFactorDenominator } = protocol.spawn;
  const { siblingFactorNumerator, siblingFactorDenominator } = protocol.spawn;
  const raise = (start: bigint, numerator: number, denominator: number, times: number): bigint =>
    (start * BigInt(numerator) ** BigInt(times)) / BigInt(denominator) ** BigInt(times);
  const depthCost = raise(BigInt(baseBeats), depthFactorNumerator, depthFactorDenominator, depth);
  const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);
  return cost > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(cost);
}

function costInDoubles({ spawn }: Protocol, depth: number, siblings: number): number | null {
  const depthFactor = spawn.depthFactorNumerator / spawn.depthFactorDenominator;
  const siblingFactor = spawn.siblingFactorNumerator / spawn.siblingFactorDenominator;
  const cost = Math.floor(Math.floor(spawn.baseBeats * depthFactor ** depth) * siblingFactor ** siblings);
  return cost > Number.MAX_SAFE_INTEGER ? null : cost;
}

/** 4.8: how much of a cost these beats cover, in whole percent, rounded down; 100 only when they cover all of it. */
export function progressPct(beats: number, costBeats: number): number {
  if (beats >= costBeats) return 100;
  // Doubles would round 99.99… up to 100 once a hundred times the beats exceeds 2^53.
  return Number((BigInt(beats) * 100n) / BigInt(costBeats));
}
