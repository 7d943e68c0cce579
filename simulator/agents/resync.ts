/** How a frozen agent computes its penalty and resyncs (4.10). The plan of the work is a behaviour in scenarios/. */

import { resyncLamports } from '../../reference/registry/resync-payment.js';
import { DURATION_SEC_MAX } from '../../scenarios/behaviours/duration.js';
import { planResync } from '../../scenarios/behaviours/resync-policy.js';
import { DUE_HEARTBEAT, DUE_RESYNC } from '../world/due-kinds.js';
import { ACCEPTED } from '../world/operations.js';
import { hashesPerSecOf } from '../world/traits.js';
import { populationOf, type World } from '../world/world.js';
import { callResync } from './calls.js';
import { canPay, waitForMoney } from './funds.js';
import { difficultyOf, forges, submitWork } from './proof-of-work.js';
import { scheduleAt, scheduleHeartbeat } from './schedule.js';

/** Starts the work of a resync; an agent whose population does not resync stops for good. */
export function startResync(world: World, agent: number): void {
  const population = populationOf(world, agent);
  if (!population.resync) return;
  if (isShort(world, agent)) return;
  const { agents, registry, second } = world;
  const { intervalSec } = registry.protocol.anchor;
  const { beats, workSec } = planResync(registry.protocol, {
    gapAnchors: registry.anchorIndex - agents.syncAnchor(agent),
    secToNextAnchor: intervalSec - (second % intervalSec),
    hashesPerSec: hashesPerSecOf(world, agent),
    difficulty: difficultyOf(world, agent),
    forges: forges(world, agent),
  });
  agents.workBeats[agent] = beats;
  agents.workLeftSec[agent] = Math.min(Math.max(1, workSec), DURATION_SEC_MAX);
  scheduleWork(world, agent);
}

/** Whether an agent cannot pay for a resync, which only a change asks for. It waits for money then, and begins by its next heartbeat. */
function isShort(world: World, agent: number): boolean {
  const lamports = resyncLamports(world.registry, world.agents.row(agent));
  if (lamports === 0 || canPay(world, agent, lamports)) return false;
  waitForMoney(world, agent, DUE_HEARTBEAT, agent);
  return true;
}

/** Works until done or until the next outage; the rest follows the return. */
function scheduleWork(world: World, agent: number): void {
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

/** Goes on with the work, or submits it when it is done. */
export function continueResync(world: World, agent: number): void {
  const { workLeftSec, workBeats } = world.agents;
  if (workLeftSec[agent]! > 0) scheduleWork(world, agent);
  else if (isShort(world, agent)) return;
  else if (!submitWork(world, agent, workBeats[agent]!)) startResync(world, agent);
  else if (callResync(world, agent, workBeats[agent]!) === ACCEPTED) scheduleHeartbeat(world, agent);
  // An outage has made the gap larger than planned, so the work starts again.
  else startResync(world, agent);
}
