/** An agent takes another option: its counts move, and it plans what the option adds. Which option it takes is in revision.ts. */

import { PURPOSES } from '../chance/counter-random.js';
import { cellWith, earnLive } from '../world/adaptation.js';
import { NEVER } from '../world/agents.js';
import { DUE_COMPLAINT, DUE_PROBE, DUE_REISSUE } from '../world/due-kinds.js';
import { hashEvent } from '../world/event-chain.js';
import type { Features } from '../world/features.js';
import { countLive } from '../world/live-time.js';
import { ACCEPTED, SWITCH } from '../world/operations.js';
import { scenarioNumberOf } from '../world/share.js';
import { addToTrail } from '../world/trail.js';
import { populationOf, type World } from '../world/world.js';
import { addToAgendaAfter, depart } from './lifecycle.js';
import { countOffline, scheduleFirstHeartbeat } from './schedule.js';

const OUTCOMES_MAX = 256;

/**
 * Gives an agent that is present another option. It takes effect with the agent's next event: what it has planned by then stays. An agent that has
 * planned nothing, and waits for no money, sends its next heartbeat as the option has it.
 */
export function takeOption(world: World, features: Features, agent: number, option: number): void {
  const { agents, cells } = world;
  countOffline(world, agent);
  const to = cellWith(world, agent, option);
  const live = !agents.frozen(agent);
  if (live) earnLive(world, agent, 1);
  moveCounts(world, agent, agents.cell(agent), to);
  agents.setCell(agent, to);
  if (live) earnLive(world, agent, -1);
  cells.switches[to]! += 1;
  recordSwitch(world, agent, option);
  const { adapts } = world.scenario.populations[cells.indices[to]!]!;
  if (adapts?.options[option]?.leaves === true) depart(world, features, agent);
  else plan(world, features, agent);
}

/** Moves an agent that is present from one cell to another: what it is, and its time from now on. What it has done stays where it was counted. */
function moveCounts({ agents, cells, second }: World, agent: number, from: number, to: number): void {
  const move = (count: Float64Array, sec: Float64Array | null): void => {
    count[from]! -= 1;
    count[to]! += 1;
    if (sec === null) return;
    sec[from]! += second;
    sec[to]! -= second;
  };
  move(cells.registered, cells.registeredSec);
  cells.presentSec[from]! += second;
  cells.presentSec[to]! -= second;
  if (agents.everFrozen(agent)) move(cells.everFrozen, null);
  if (agents.dry(agent)) move(cells.dry, null);
  if (agents.frozen(agent)) return;
  move(cells.live, cells.liveSec);
  countLive(cells, from, -1, second);
  countLive(cells, to, 1, second);
}

/** The event hash takes the option in place of lamports. */
function recordSwitch(world: World, agent: number, option: number): void {
  const number = scenarioNumberOf(world.share, agent);
  hashEvent(world.eventChains, world.second, number, SWITCH * OUTCOMES_MAX, option);
  addToTrail(world.trail, world.second, number, SWITCH, ACCEPTED, 0);
  world.subject = option;
  if (world.observer !== null) world.observer(world.second, number, SWITCH, ACCEPTED, 0);
}

/** Plans the recurring actions that an agent has by its option and not on the agenda, and a heartbeat if nothing is planned. */
function plan(world: World, features: Features, agent: number): void {
  const { spawning, flagging, reissue } = populationOf(world, agent);
  const planned = features.adaptation?.planned[agent] ?? 0;
  const isPlanned = (kind: number): boolean => (planned & (1 << kind)) !== 0;
  if (spawning !== null && !isPlanned(DUE_PROBE))
    addToAgendaAfter(world, agent, DUE_PROBE, spawning.every, PURPOSES.spawn);
  if (reissue !== null && !isPlanned(DUE_REISSUE))
    addToAgendaAfter(world, agent, DUE_REISSUE, reissue.every, PURPOSES.reissue);
  if (flagging !== null && !isPlanned(DUE_COMPLAINT))
    addToAgendaAfter(world, agent, DUE_COMPLAINT, flagging.every, PURPOSES.flag);
  if (world.agents.due(agent) === NEVER && world.agents.waitingKind[agent] === 0) scheduleFirstHeartbeat(world, agent);
}
