/** The ancestors that pay for an agent's heartbeats. The heartbeats themselves are in sponsored-heartbeat.ts. */

import { type Features, NONE } from '../world/features.js';
import type { World } from '../world/world.js';
import { populationOf } from './schedule.js';

/**
 * The ancestors of an agent whose policy covers it, the nearest first; its parent where no ancestor's does, so that the agent
 * learns from a refusal.
 */
export function sponsorsOf(world: World, { parent }: Features, agent: number): readonly number[] {
  const sponsors: number[] = [];
  let distance = 1;
  for (let ancestor = parent[agent]!; ancestor !== NONE; ancestor = parent[ancestor]!) {
    const policy = populationOf(world, ancestor).spawning?.sponsor ?? null;
    if (policy !== null && distance <= policy.generations) sponsors.push(ancestor);
    distance += 1;
  }
  return sponsors.length === 0 ? [parent[agent]!] : sponsors;
}
