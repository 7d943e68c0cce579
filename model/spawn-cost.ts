/** The cost of a child in beats (4.8), which model and fuzzer read. */

import type { Protocol } from '../spec/protocol.js';

/** floor(floor(1000 × 1.5^depth) × 1.2^siblings), in whole numbers. */
export function spawnCost({ spawn: by }: Protocol, depth: number, siblings: number): number {
  const grown = (base: bigint, numerator: number, denominator: number, times: number): bigint =>
    (base * BigInt(numerator) ** BigInt(times)) / BigInt(denominator) ** BigInt(times);
  const ofDepth = grown(BigInt(by.baseBeats), by.depthFactorNumerator, by.depthFactorDenominator, depth);
  return Number(grown(ofDepth, by.siblingFactorNumerator, by.siblingFactorDenominator, siblings));
}
