import { DURATION_SEC_MAX } from '../../scenarios/behaviours/outage.js';
import { planResync } from '../../scenarios/behaviours/resync-policy.js';
import { DUE_RESYNC } from '../world/due-kinds.js';
import { ACCEPTED } from '../world/operations.js';
import type { World } from '../world/world.js';
import { callResync } from './calls.js';
import { forges, submitWork } from './proof-of-work.js';
import { populationOf, scheduleAt, scheduleHeartbeat } from './schedule.js';

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
  agents.workLeftSec[agent] = Math.min(Math.max(1, workSec), DURATION_SEC_MAX);
  planWork(world, agent);
}

/** Works on until it is done or the next outage begins; what is left waits for the return. */
function planWork(world: World, agent: number): void {
  const { workLeftSec } = world.agents;
  const upSec = world.agents.downFrom(agent) - world.second;
  const left = workLeftSec[agent]!;
  if (left < upSec) {
    workLeftSec[agent] = 0;
    scheduleAt(world, agent, world.second + left, DUE_RESYNC);
  } else {
    workLeftSec[agent] = left - upSec;
    scheduleAt(world, agent, world.agents.downUntil(agent), DUE_RESYNC);
  }
}

export function continueResync(world: World, agent: number): void {
  const { workLeftSec, workBeats } = world.agents;
  if (workLeftSec[agent]! > 0) planWork(world, agent);
  else if (!submitWork(world, agent, workBeats[agent]!)) startResync(world, agent);
  else if (callResync(world, agent, workBeats[agent]!) === ACCEPTED) scheduleHeartbeat(world, agent);
  // An outage has made the gap larger than what was aimed at; the work starts anew.
  else startResync(world, agent);
}
