/** How a parent makes children: price, work, birth. The calls themselves are in parent-calls.ts. */

import { DURATION_SEC_MAX } from '../../scenarios/behaviours/duration.js';
import { limitsReached } from '../../scenarios/behaviours/spawn-policy.js';
import { childKey, PURPOSES } from '../chance/counter-random.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_CHILD, DUE_PROBE } from '../world/due-kinds.js';
import { countSpawningEffect, type Features, NONE } from '../world/features.js';
import { assignKey, populationOf, type World } from '../world/world.js';
import { buySigil } from './agent-events.js';
import { addToAgendaAfter, markPlanned, planLifecycle } from './lifecycle.js';
import { callSpawn, callSpawnProbe } from './parent-calls.js';
import { submitWork, workSec } from './proof-of-work.js';
import { drawOutage, FAR_FUTURE_SEC, scheduleFirstHeartbeat } from './schedule.js';
import { askSponsors } from './sponsorships.js';

/** Steps 1 to 3 of 3.6: asks for the price of a child, and starts the work if the policy wants the child. */
export function askChildPrice(world: World, features: Features, agent: number): void {
  const policy = populationOf(world, agent).spawning;
  if (policy === null) return;
  const quote = callSpawnProbe(world, agent);
  if (quote === null) {
    // A frozen parent asks again later.
    addToAgendaAfter(world, agent, DUE_PROBE, policy.every, PURPOSES.spawn);
    return;
  }
  const limits = limitsReached(policy, quote);
  for (const limit of limits) countSpawningEffect(world, features, agent, limit);
  if (limits.length > 0) return;
  if (nextChild(world, features, policy.into) === null) {
    recordCensored(world, features, policy.into);
    return;
  }
  startWork(world, features, agent, quote.requiredBeats);
}

/** Starts the work for a child. */
function startWork(world: World, features: Features, agent: number, beats: number): void {
  features.childWorkLeftSec[agent] = Math.min(workSec(world, agent, beats), DURATION_SEC_MAX);
  continueWork(world, features, agent, beats);
}

/** Works until done or until the agent's next outage of its own; the rest follows its return. */
function continueWork(world: World, features: Features, agent: number, beats: number): void {
  const { agenda, childWorkLeftSec } = features;
  const left = childWorkLeftSec[agent]!;
  const upSec = world.agents.downFrom(agent) - world.second;
  childWorkLeftSec[agent] = Math.max(0, left - upSec);
  addToAgenda(agenda, left < upSec ? world.second + left : world.agents.downUntil(agent), DUE_CHILD, agent, beats);
  markPlanned(features, agent, DUE_CHILD);
}

/** Steps 4 to 7 of 3.6: submits the work, makes the child and starts its life. */
export function makeChild(world: World, features: Features, agent: number, beats: number): void {
  const policy = populationOf(world, agent).spawning;
  // The agent has taken an option without children.
  if (policy === null) return;
  if (features.childWorkLeftSec[agent]! > 0) {
    continueWork(world, features, agent, beats);
    return;
  }
  if (!submitWork(world, agent, beats)) {
    // A forged proof was detected: now it computes the beats.
    startWork(world, features, agent, beats);
    return;
  }
  const child = nextChild(world, features, policy.into);
  if (child === null) {
    recordCensored(world, features, policy.into);
    return;
  }
  // Its draws depend on its parent and its rank among siblings, not on how many children others have.
  assignKey(world, child, childKey(world.streams.keyOf(agent), features.childrenAuthorized[agent]!));
  if (callSpawn(world, features, agent, child, beats)) startChild(world, features, child);
  addToAgendaAfter(world, agent, DUE_PROBE, policy.every, PURPOSES.spawn);
}

function startChild(world: World, features: Features, child: number): void {
  const { agents, registry } = world;
  const population = populationOf(world, child);
  features.spawnedCount[populationIndex(world, population.name)]! += 1;
  if (registry.agents.line.depth(agents.row(child)) >= registry.protocol.agent.rootDepth + 2) {
    features.grandchildren += 1;
  }
  agents.setOutage(child, FAR_FUTURE_SEC, FAR_FUTURE_SEC);
  if (population.outages !== null) drawOutage(world, child, world.second);
  planLifecycle(world, child);
  if (population.sponsored) askSponsors(world, features, child);
  if (population.sigil === 'at_birth') buySigil(world, child);
  else scheduleFirstHeartbeat(world, child);
}

/** The agent of a population that is made next; null if all have been made. */
function nextChild(world: World, { firstAgent, spawnedCount }: Features, name: string): number | null {
  const index = populationIndex(world, name);
  const made = spawnedCount[index]!;
  return made < world.scenario.populations[index]!.count ? firstAgent[index]! + made : null;
}

/** Records that a wanted child was not made because all agents of its population exist. Its parent makes no more. */
function recordCensored(world: World, { censoredBirths, censoredSec }: Features, name: string): void {
  const index = populationIndex(world, name);
  censoredBirths[index]! += 1;
  if (censoredSec[index] === NONE) censoredSec[index] = world.second;
}

/** The index of a population by its name. */
export function populationIndex({ scenario }: World, name: string): number {
  return scenario.populations.findIndex((population) => population.name === name);
}
