import { SPAN_SEC_MAX } from '../../scenarios/behaviours/outage.js';
import { planResync } from '../../scenarios/behaviours/resync-policy.js';
import { WORK } from '../world/due-kinds.js';
import { ACCEPTED } from '../world/operations.js';
import type { World } from '../world/world.js';
import { callResync } from './calls.js';
import { forges, showWork } from './proof-of-work.js';
import { plan, planBeat, populationOf } from './schedule.js';

/** Sets out to prove the penalty, or gives up: an agent that does not resync is never heard of again. */
export function startResync(world: World, agent: number): void {
  const population = populationOf(world, agent);
  if (!population.resync) return;
  const { agents, registry, second } = world;
  const { intervalSec } = registry.protocol.anchor;
  const { beats, workSec } = planResync(registry.protocol, {
    gapAnchors: registry.anchorIndex - agents.syncAnchor(agent),
    secToNextAnchor: intervalSec - (second % intervalSec),
    hashesPerSec: population.hashesPerSec,
    forges: forges(world, agent),
  });
  agents.workBeats[agent] = beats;
  agents.workLeft[agent] = Math.min(Math.max(1, workSec), SPAN_SEC_MAX);
  planWork(world, agent);
}

/** Works on until it is done or the next outage begins; what is left waits for the return. */
function planWork(world: World, agent: number): void {
  const { workLeft } = world.agents;
  const upSec = world.agents.downFrom(agent) - world.second;
  const left = workLeft[agent]!;
  if (left < upSec) {
    workLeft[agent] = 0;
    plan(world, agent, world.second + left, WORK);
  } else {
    workLeft[agent] = left - upSec;
    plan(world, agent, world.agents.downUntil(agent), WORK);
  }
}

export function work(world: World, agent: number): void {
  const { workLeft, workBeats } = world.agents;
  if (workLeft[agent]! > 0) planWork(world, agent);
  else if (!showWork(world, agent, workBeats[agent]!)) startResync(world, agent);
  else if (callResync(world, agent, workBeats[agent]!) === ACCEPTED) planBeat(world, agent);
  // An outage has made the gap larger than what was aimed at; the work starts anew.
  else startResync(world, agent);
}
