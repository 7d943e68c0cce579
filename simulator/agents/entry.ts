/**
 * Entry by expected profit: an agent that would arrive enters if agents of its population earned enough in the latest period. Leaving is an
 * option of agents that choose.
 */

import { DAY_SEC } from '../../spec/time.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_ENTRY_PERIOD } from '../world/due-kinds.js';
import { type Features, NONE } from '../world/features.js';
import { ACCEPTED, STAY_OUT } from '../world/operations.js';
import { payoffLamports, presentSec } from '../world/profit.js';
import type { World } from '../world/world.js';
import { recordEvent } from './calls.js';

/**
 * Ends a period of a population: entrants of the next one expect the profit of an agent and day in it, without SIGILs, which are bought once; of
 * options, that of the best one. It is unknown where no agent was present.
 */
export function endEntryPeriod(world: World, features: Features, index: number): void {
  const { cells, scenario } = world;
  const arrivals = scenario.populations[index]?.arrivals;
  if (arrivals?.pattern !== 'entry') throw new Error(`population ${index} has no entrants`);
  const next = world.second + arrivals.everySec;
  if (next < scenario.durationSec) addToAgenda(features.agenda, next, DUE_ENTRY_PERIOD, NONE, index);
  const sums = new Map<number | null, { lamports: number; seconds: number }>();
  cells.indices.forEach((population, cell) => {
    if (population !== index) return;
    const option = cells.options[cell] ?? null;
    const sum = sums.get(option) ?? { lamports: 0, seconds: 0 };
    sums.set(option, sum);
    const lamports = payoffLamports(world, [cell]);
    const seconds = presentSec(world, [cell]);
    sum.lamports += lamports - features.entryLamports[cell]!;
    sum.seconds += seconds - features.entrySec[cell]!;
    features.entryLamports[cell] = lamports;
    features.entrySec[cell] = seconds;
  });
  const known = [...sums.values()].filter(({ seconds }) => seconds > 0);
  features.expectedLamports[index] =
    known.length === 0 ? Number.NaN : Math.max(...known.map(({ lamports, seconds }) => (lamports * DAY_SEC) / seconds));
}

/** Whether an agent that would arrive now enters. One that knows of no profit tries. */
export function enters(world: World, agent: number): boolean {
  const { agents, cells, features, scenario } = world;
  const cell = agents.cell(agent);
  const index = cells.indices[cell]!;
  const arrivals = scenario.populations[index]?.arrivals;
  if (features === null || arrivals?.pattern !== 'entry') return true;
  const expected = features.expectedLamports[index]!;
  if (Number.isNaN(expected) || expected > arrivals.aboveLamports) return true;
  cells.stayedOut[cell]! += 1;
  recordEvent(world, agent, STAY_OUT, ACCEPTED, 0);
  return false;
}
