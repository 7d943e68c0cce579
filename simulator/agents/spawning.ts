import { SPAN_SEC_MAX } from '../../scenarios/behaviours/outage.js';
import { wantsChild } from '../../scenarios/behaviours/spawn-policy.js';
import { PURPOSES } from '../chance/counter-random.js';
import { planAct } from '../world/agenda.js';
import { HATCH, PROBE } from '../world/due-kinds.js';
import type { Features } from '../world/features.js';
import type { World } from '../world/world.js';
import { buySigil } from './agent-events.js';
import { enterLife, planActAfter } from './lifecycle.js';
import { callHatch, callProbe, callSponsor } from './parent-calls.js';
import { showWork, workSec } from './proof-of-work.js';
import { drawOutage, FAR, planFirstBeat, populationOf } from './schedule.js';

/** 3.6, steps 1 to 3: asks what a child costs, and sets out to compute it if it is worth it. */
export function probe(world: World, features: Features, agent: number): void {
  const policy = populationOf(world, agent).spawning;
  if (policy === null || nextChild(world, features, policy.into) === null) return;
  const told = callProbe(world, agent);
  if (told === null) {
    // It is frozen, and asks again when it may be back.
    planActAfter(world, agent, PROBE, policy.every, PURPOSES.spawn);
    return;
  }
  if (!wantsChild(policy, told)) return;
  beginWork(world, features, agent, told.requiredBeats);
}

/** Sets out to compute what a child costs. */
function beginWork(world: World, features: Features, agent: number, beats: number): void {
  features.hatchLeft[agent] = Math.min(workSec(world, agent, beats), SPAN_SEC_MAX);
  workOn(world, features, agent, beats);
}

/** Works on until it is done or the next outage of the agent's own begins; what is left waits for the return. */
function workOn(world: World, { agenda, hatchLeft }: Features, agent: number, beats: number): void {
  const left = hatchLeft[agent]!;
  const upSec = world.agents.downFrom(agent) - world.second;
  hatchLeft[agent] = Math.max(0, left - upSec);
  planAct(agenda, left < upSec ? world.second + left : world.agents.downUntil(agent), HATCH, agent, beats);
}

/** 3.6, steps 4 to 7: shows the work and makes the child, which begins its life. */
export function hatch(world: World, features: Features, agent: number, beats: number): void {
  const policy = populationOf(world, agent).spawning;
  if (policy === null) throw new Error(`agent ${agent} makes no children`);
  if (features.hatchLeft[agent]! > 0) {
    workOn(world, features, agent, beats);
    return;
  }
  if (!showWork(world, agent, beats)) {
    // Found out: it computes the beats after all.
    beginWork(world, features, agent, beats);
    return;
  }
  const child = nextChild(world, features, policy.into);
  if (child === null) return;
  if (callHatch(world, features, agent, child, beats)) begin(world, features, agent, child);
  planActAfter(world, agent, PROBE, policy.every, PURPOSES.spawn);
}

function begin(world: World, features: Features, parent: number, child: number): void {
  const { agents, registry } = world;
  const population = populationOf(world, child);
  features.spawned[populationIndex(world, population.name)]! += 1;
  features.parent[child] = parent;
  if (registry.agents.line.depth(agents.row(child)) >= registry.protocol.agent.rootDepth + 2) {
    features.grandchildren += 1;
  }
  agents.setOutage(child, FAR, FAR);
  if (population.outages !== null) drawOutage(world, child, world.second);
  enterLife(world, child);
  if (population.sponsored) sponsor(world, parent, child);
  if (population.sigil === 'at_birth') buySigil(world, child);
  else planFirstBeat(world, child);
}

/** A parent promises to pay for a child (4.13), for the first time or anew. */
export function sponsor(world: World, parent: number, child: number): void {
  const policy = populationOf(world, parent).spawning?.sponsor ?? null;
  if (policy !== null) callSponsor(world, parent, child, policy);
}

/** The agent of a population that is to be made next; null when all have been. */
function nextChild(world: World, { first, spawned }: Features, name: string): number | null {
  const index = populationIndex(world, name);
  const made = spawned[index]!;
  return made < world.scenario.populations[index]!.count ? first[index]! + made : null;
}

/** The index of a population by its name. */
export function populationIndex({ scenario }: World, name: string): number {
  return scenario.populations.findIndex((population) => population.name === name);
}
