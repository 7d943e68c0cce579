import { type DurationDistribution, drawDurationSec } from '../../scenarios/behaviours/outage.js';
import { PURPOSES, type Purpose } from '../chance/counter-random.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_COMPLAINT, DUE_DEPARTURE, DUE_PROBE } from '../world/due-kinds.js';
import { type Features, LEFT } from '../world/features.js';
import { ACCEPTED, LEAVE } from '../world/operations.js';
import type { World } from '../world/world.js';
import { recordEvent } from './calls.js';
import { FAR_FUTURE_SEC, populationOf } from './schedule.js';

/** Plans an act of an agent after a span that it draws; none beyond the end of the run. */
export function addToAgendaAfter(
  world: World,
  agent: number,
  kind: number,
  span: DurationDistribution,
  purpose: Purpose,
): void {
  if (world.features === null) throw new Error('an act is planned in a world without features');
  const second = world.second + drawDurationSec(span, world.streams.of(agent, purpose));
  if (second < world.scenario.durationSec) addToAgenda(world.features.agenda, second, kind, agent);
}

/** Plans what an agent that has just registered is going to do besides living. */
export function planLifecycle(world: World, agent: number): void {
  const { lifetime, spawning, flagging } = populationOf(world, agent);
  if (lifetime !== null) addToAgendaAfter(world, agent, DUE_DEPARTURE, lifetime, PURPOSES.lifetime);
  if (spawning !== null) addToAgendaAfter(world, agent, DUE_PROBE, spawning.every, PURPOSES.spawn);
  if (flagging !== null) addToAgendaAfter(world, agent, DUE_COMPLAINT, flagging.every, PURPOSES.flag);
}

/** An agent leaves without a word: it is in an outage from which it never returns. */
export function depart(world: World, features: Features, agent: number): void {
  if ((features.marks[agent]! & LEFT) !== 0) return;
  features.marks[agent]! |= LEFT;
  world.cells.left[world.agents.cell(agent)]! += 1;
  recordEvent(world, agent, LEAVE, ACCEPTED, 0);
  world.agents.setOutage(agent, world.second, FAR_FUTURE_SEC);
}
