/** Records when each agent registers, freezes and resyncs, by the events of a run. */

import type { AgentLives } from '../../results/agent-lives.js';
import { NONE } from '../world/features.js';
import { ACCEPTED, FREEZE, REGISTER, RESYNC } from '../world/operations.js';
import type { World } from '../world/world.js';

const CHANGES: readonly number[] = [REGISTER, FREEZE, RESYNC];

/** Begins to record the lives of a world that has all agents and has not been played yet; the result has those until it is called. */
export function recordLives(world: World): () => AgentLives {
  const { scenario, features } = world;
  const populations = scenario.populations.map(({ name, count }) => ({ name, count }));
  const size = populations.reduce((sum, { count }) => sum + count, 0);
  const changes = Array.from({ length: size }, (): number[] => []);
  world.observer = (second, agent, what, outcome) => {
    if (outcome === ACCEPTED && CHANGES.includes(what)) changes[agent]?.push(second);
  };
  return () => ({ populations, parents: changes.map((_, agent) => features?.parent[agent] ?? NONE), changes });
}
