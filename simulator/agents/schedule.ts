/** When an agent acts next, and whether it is in an outage. Its actions are in agent-events.ts. */

import { drawDurationSec } from '../../scenarios/behaviours/duration.js';
import { firstHeartbeatSec, nextHeartbeatSec } from '../../scenarios/behaviours/heartbeat-policy.js';
import { PURPOSES } from '../chance/counter-random.js';
import { secondOfBeat } from '../world/agent-view.js';
import { DUE_HEARTBEAT, DUE_SPONSORED_HEARTBEAT } from '../world/due-kinds.js';
import { scheduleEvent } from '../world/event-wheel.js';
import { countOfflineUntil } from '../world/offline-time.js';
import { heartbeatPolicyOf } from '../world/traits.js';
import { populationOf, type World } from '../world/world.js';

/** Later than the end of any run, and within an Int32 column. */
export const FAR_FUTURE_SEC = 2_000_000_000;

/** Schedules an agent's next event, unless it falls after the end of the run. */
export function scheduleAt(world: World, agent: number, second: number, kind: number): void {
  if (second <= world.second) throw new Error(`agent ${agent} schedules an event for ${second} s at ${world.second} s`);
  if (second < world.scenario.durationSec) scheduleEvent(world.wheel, agent, second, kind);
}

/** Draws the outage after the up time that begins at `upFrom`, if the population has outages. The one before it has been counted. */
export function drawOutage(world: World, agent: number, upFrom: number): void {
  const { outages } = populationOf(world, agent);
  if (outages === null) return;
  const random = world.streams.of(agent, PURPOSES.outage);
  const from = upFrom + drawDurationSec(outages.up, random);
  world.agents.setOutage(agent, from, from + drawDurationSec(outages.down, random));
}

/**
 * Whether an agent is in an outage of its own or cut off by a fault. Its own outages are drawn when they are asked
 * for.
 */
export function isDown(world: World, agent: number): boolean {
  const { agents, second, features } = world;
  if (features !== null && second < features.cutOffUntilSec[agent]!) return true;
  if (second < agents.downFrom(agent)) return false;
  drawOutages(world, agent);
  return second >= agents.downFrom(agent);
}

/** Draws the outages that have ended by now, and the next one. */
function drawOutages(world: World, agent: number): void {
  const { agents, second } = world;
  for (let until = agents.downUntil(agent); second >= until; until = agents.downUntil(agent)) {
    countOfflineUntil(world, agent, until);
    drawOutage(world, agent, until);
  }
}

/** Counts an agent's time offline up to now. */
export function countOffline(world: World, agent: number): void {
  const { features, second } = world;
  // While it is cut off, an outage of its own makes no difference.
  if (features === null || second > features.cutOffUntilSec[agent]!) drawOutages(world, agent);
  countOfflineUntil(world, agent, second);
}

/** When an agent that is down returns, if nothing else cuts it off; one that is cut off may then be in an outage of its own. */
export function returnSec({ agents, features, second }: World, agent: number): number {
  const cutUntil = features === null ? 0 : features.cutOffUntilSec[agent]!;
  return second < cutUntil ? cutUntil : agents.downUntil(agent);
}

/** The second of the anchor that freezes an agent without another sign of life (3.1), if no stall is to come. */
function freezesAtSec({ agents, registry, anchorShiftSec }: World, agent: number): number {
  const { dms, anchor } = registry.protocol;
  return (agents.syncAnchor(agent) + dms.missedAnchorsMax + 1) * anchor.intervalSec + anchorShiftSec;
}

/** Schedules the next heartbeat after a sign of life. */
export function scheduleHeartbeat(world: World, agent: number): void {
  const random = world.streams.of(agent, PURPOSES.heartbeat);
  const { sponsored } = populationOf(world, agent);
  const view = world.view.of(world, agent);
  const second = nextHeartbeatSec(
    heartbeatPolicyOf(world, agent),
    world.second,
    freezesAtSec(world, agent),
    random,
    view,
  );
  scheduleAt(world, agent, second, sponsored ? DUE_SPONSORED_HEARTBEAT : DUE_HEARTBEAT);
}

/** Schedules the first heartbeat of an agent. */
export function scheduleFirstHeartbeat(world: World, agent: number): void {
  const random = world.streams.of(agent, PURPOSES.heartbeat);
  const { sponsored } = populationOf(world, agent);
  const view = world.view.of(world, agent);
  const second = firstHeartbeatSec(
    heartbeatPolicyOf(world, agent),
    world.second,
    freezesAtSec(world, agent),
    random,
    view,
  );
  scheduleAt(world, agent, second, sponsored ? DUE_SPONSORED_HEARTBEAT : DUE_HEARTBEAT);
}

/**
 * Schedules a heartbeat for the anchor that reaches a global beat. During a stall that anchor is unknown: for the
 * next on the grid.
 */
export function scheduleHeartbeatAtBeat(world: World, agent: number, beat: number): void {
  const { intervalSec } = world.registry.protocol.anchor;
  const soonest = world.second - (world.second % intervalSec) + intervalSec;
  const second = Math.max(secondOfBeat(world, beat), soonest);
  scheduleAt(world, agent, second, populationOf(world, agent).sponsored ? DUE_SPONSORED_HEARTBEAT : DUE_HEARTBEAT);
}
