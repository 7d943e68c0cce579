/** State of agents that revise their options: payoffs as of the latest revision, and actions that are planned. A run without such agents has none. */

import type { Scenario } from '../../scenarios/scenario.js';
import { DAY_SEC } from '../../spec/time.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { namedPurpose } from '../chance/counter-random.js';
import type { Agents } from './agents.js';
import type { Cells } from './cells.js';
import { turnClock } from './live-time.js';
import type { World } from './world.js';

/** The purpose of draws of options: number 0 at arrival, then `DRAWS_A_REVISION` for each revision. */
export const OPTION_PURPOSE = namedPurpose('adaptation', 'option');
export const DRAWS_A_REVISION = 4;

/** The state of agents that revise. */
export interface AdaptationState {
  /** By cell: the payoff and the agent-seconds until departure as of the latest revision. */
  readonly payoffLamports: Float64Array;
  readonly presentSec: Float64Array;
  /**
   * By agent: its payoff until now, and as of the latest revision. Time that still runs is counted as in the cells: minus its income until it
   * began. Empty unless agents compare with each other.
   */
  readonly earnedLamports: Float64Array;
  readonly earnedBefore: Float64Array;
  /** By agent: bits of the recurring actions that are on the agenda, by `1 << kind`. */
  readonly planned: Uint16Array;
}

/** The state for a scenario in which agents revise; null for another. `size`: how many agents there are. */
export function createAdaptation({ populations }: Scenario, size: number, cells: number): AdaptationState | null {
  const plans = populations.flatMap(({ adapts }) => adapts?.revision ?? []);
  if (plans.length === 0) return null;
  const single = plans.some(({ sees }) => sees === 'agents') ? size : 0;
  return {
    payoffLamports: new Float64Array(cells),
    presentSec: new Float64Array(cells),
    earnedLamports: new Float64Array(single),
    earnedBefore: new Float64Array(single),
    planned: new Uint16Array(size),
  };
}

/** The option of an agent; null if its population has none. */
export function optionOf(
  { agents, cells }: { readonly agents: Agents; readonly cells: Cells },
  agent: number,
): number | null {
  return cells.options[agents.cell(agent)]!;
}

/** The cell of an agent if it had another option. */
export function cellWith({ agents, cells }: Pick<World, 'agents' | 'cells'>, agent: number, option: number): number {
  const cell = agents.cell(agent);
  const width = identityClasses.length;
  return cells.firstCells[cells.indices[cell]!]! + option * width + (cell % width);
}

/** Adds to the payoff of one agent, where agents compare with each other. A SIGIL is not part of it: its price does not depend on an option. */
export function earn({ features }: Pick<World, 'features'>, agent: number, lamports: number): void {
  const earned = features?.adaptation?.earnedLamports;
  if (earned !== undefined && earned.length > 0) earned[agent]! += lamports;
}

/** Adds the income of an agent that begins (-1) or ends (1) a time neither frozen nor departed. */
export function earnLive(
  world: Pick<World, 'features' | 'agents' | 'cells' | 'second'>,
  agent: number,
  sign: 1 | -1,
): void {
  if (world.features === null) return;
  earn(world, agent, sign * liveIncomeUntil(world.cells, world.agents.cell(agent), world.second));
}

/** The payoff until now of an agent that is present. */
export function earnedUntilNow(world: World, state: AdaptationState, agent: number): number {
  const { agents, cells, second } = world;
  const earned = state.earnedLamports[agent]!;
  if (agents.frozen(agent)) return earned;
  return earned + liveIncomeUntil(cells, agents.cell(agent), second);
}

/** The income of an agent of a cell that would have been live from second 0 on. */
function liveIncomeUntil(cells: Cells, cell: number, second: number): number {
  const { liveDayLamports, sharedDayLamports } = cells.populations[cell]!.economics;
  const own = (liveDayLamports * second) / DAY_SEC;
  if (sharedDayLamports === undefined) return own;
  return own + (sharedDayLamports * turnClock(cells, cells.indices[cell]!, second)) / DAY_SEC;
}
