/**
 * The agenda entries that an agent gets at registration, and its departure. Its recurring events are in
 * agent-events.ts.
 */

import { type DurationDistribution, drawDurationSec } from '../../scenarios/behaviours/duration.js';
import { PURPOSES, type Purpose } from '../chance/counter-random.js';
import { earnLive } from '../world/adaptation.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_CHILD, DUE_COMPLAINT, DUE_DEPARTURE, DUE_PROBE, DUE_REISSUE } from '../world/due-kinds.js';
import { DEPARTED, type Features, hasDeparted } from '../world/features.js';
import { countLive } from '../world/live-time.js';
import { ACCEPTED, LEAVE } from '../world/operations.js';
import { populationOf, type World } from '../world/world.js';
import { recordEvent } from './calls.js';
import { countOffline, FAR_FUTURE_SEC } from './schedule.js';

/** Adds an agenda event of an agent after a random duration, unless it falls after the end of the run. */
export function addToAgendaAfter(
  world: World,
  agent: number,
  kind: number,
  span: DurationDistribution,
  purpose: Purpose,
): void {
  if (world.features === null) throw new Error('an agenda event needs a world with features');
  const second = world.second + drawDurationSec(span, world.streams.of(agent, purpose));
  if (second >= world.scenario.durationSec) return;
  addToAgenda(world.features.agenda, second, kind, agent);
  markPlanned(world.features, agent, kind);
}

/** Marks a recurring action of an agent as planned, and as played: an agent that takes an option plans what is not yet planned. */
export function markPlanned({ adaptation }: Features, agent: number, kind: number): void {
  if (adaptation !== null) adaptation.planned[agent]! |= 1 << recurring(kind);
}
export function markPlayed({ adaptation }: Features, agent: number, kind: number): void {
  if (adaptation !== null) adaptation.planned[agent]! &= ~(1 << recurring(kind));
}

/** The work for a child belongs to the wish for one. */
function recurring(kind: number): number {
  return kind === DUE_CHILD ? DUE_PROBE : kind;
}

/** Adds the departure, first child, first reissue and first complaint of an agent that has just registered. */
export function planLifecycle(world: World, agent: number): void {
  const { lifetime, spawning, flagging, reissue } = populationOf(world, agent);
  if (lifetime !== null) addToAgendaAfter(world, agent, DUE_DEPARTURE, lifetime, PURPOSES.lifetime);
  if (spawning !== null) addToAgendaAfter(world, agent, DUE_PROBE, spawning.every, PURPOSES.spawn);
  if (reissue !== null) addToAgendaAfter(world, agent, DUE_REISSUE, reissue.every, PURPOSES.reissue);
  if (flagging !== null) addToAgendaAfter(world, agent, DUE_COMPLAINT, flagging.every, PURPOSES.flag);
}

/** An agent leaves without notice: an outage that never ends. */
export function depart(world: World, features: Features, agent: number): void {
  if (hasDeparted(features, agent)) return;
  countOffline(world, agent);
  features.marks[agent]! |= DEPARTED;
  features.departedSec[agent] = world.second;
  const { agents, cells, second } = world;
  const cell = agents.cell(agent);
  cells.left[cell]! += 1;
  cells.presentSec[cell]! += second;
  if (!agents.frozen(agent)) {
    earnLive(world, agent, 1);
    countLive(cells, cell, -1, second);
  }
  recordEvent(world, agent, LEAVE, ACCEPTED, 0);
  world.agents.setOutage(agent, world.second, FAR_FUTURE_SEC);
}
