/** The ancestors that pay for an agent's heartbeats. The heartbeats themselves are in sponsored-heartbeat.ts. */

import { hasWallet } from '../../scenarios/scenario.js';
import { DEPARTED, type Features, NONE, REVOKED } from '../world/features.js';
import { populationOf, type World } from '../world/world.js';
import { isDown } from './schedule.js';

/**
 * The ancestors of an agent that have a wallet and a policy that covers it, the nearest first; its parent where there are none, so that
 * the agent learns from a refusal.
 */
export function sponsorsOf(world: World, { parent }: Features, agent: number): readonly number[] {
  const sponsors: number[] = [];
  let distance = 1;
  for (let ancestor = parent[agent]!; ancestor !== NONE; ancestor = parent[ancestor]!) {
    const population = populationOf(world, ancestor);
    const policy = population.spawning?.sponsor ?? null;
    // 4.13: a sponsor needs a wallet.
    if (policy !== null && hasWallet(population) && distance <= policy.generations) sponsors.push(ancestor);
    distance += 1;
  }
  return sponsors.length === 0 ? [parent[agent]!] : sponsors;
}

/**
 * The ancestor to ask for a new sponsorship, of those whose earlier one has ended: the nearest that renews and can do so now. If none can,
 * the nearest that can later, when it is back or no longer frozen; else the nearest that renews: the agent does not learn that an ancestor
 * is gone. Undefined if none renews.
 */
export function renewerOf(world: World, features: Features, lapsed: readonly number[]): number | undefined {
  const renewing = lapsed.filter((ancestor) => populationOf(world, ancestor).spawning?.sponsor?.renew === true);
  const remaining = renewing.filter((ancestor) => !isGone(features, ancestor));
  const able = remaining.find((ancestor) => !world.agents.frozen(ancestor) && !isDown(world, ancestor));
  return able ?? remaining[0] ?? renewing[0];
}

/** Whether an agent makes no more calls: it has departed, or its key is revoked. */
export function isGone({ marks }: Features, agent: number): boolean {
  return (marks[agent]! & (DEPARTED | REVOKED)) !== 0;
}
