/** What a child costs in beats (4.8), as model tests reckon it. Who pays it is in spawn.ts. */

/** floor(floor(1000 × 1.5^depth) × 1.2^siblings), in whole numbers. */
export function spawnCost(depth: number, siblings: number): number {
  const depthCost = (1000n * 3n ** BigInt(depth)) / 2n ** BigInt(depth);
  return Number((depthCost * 6n ** BigInt(siblings)) / 5n ** BigInt(siblings));
}
