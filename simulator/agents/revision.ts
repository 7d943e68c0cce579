/**
 * A revision: the agents of a population compare payoffs and choose again. Chances are in chance/revision-chances.ts, and the switch itself in
 * options.ts.
 *
 * The payoff of an option is income less fees and work of its agents since the latest revision, without SIGILs, for each agent-day.
 */

import type { Adaptation, RevisionPlan } from '../../scenarios/adaptation.js';
import type { Population } from '../../scenarios/scenario.js';
import { DAY_SEC } from '../../spec/time.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { imitationChance, switchChances } from '../chance/revision-chances.js';
import { violated } from '../invariants/violation.js';
import {
  type AdaptationState,
  DRAWS_A_REVISION,
  earnedUntilNow,
  OPTION_PURPOSE,
  optionOf,
} from '../world/adaptation.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_REVISION } from '../world/due-kinds.js';
import { DEPARTED, type Features, NONE, REVOKED } from '../world/features.js';
import { COUNTED } from '../world/invariant-list.js';
import { payoffLamports, presentSec, sumOf } from '../world/profit.js';
import { GENESIS_MS, populationOf, type World } from '../world/world.js';
import { takeOption } from './options.js';
import { settleSponsorships } from './sponsorships.js';

/** The draws of one revision, by their place in it. */
const WHETHER = 0;
const OPTION = 1;
const MODEL = 2;

/** The agents of a population before a revision. */
interface Revisers {
  /** Those that are present, and those that have left by their option or never came, whom nobody can ask and anybody can follow. */
  readonly present: readonly number[];
  readonly gone: readonly number[];
  /** By option: how many there are of both. */
  readonly counts: readonly number[];
}

/** Plays the revision of a population that is due now, and plans the next one. */
export function revise(world: World, features: Features, index: number): void {
  const { adaptation } = features;
  const adapts = world.scenario.populations[index]?.adapts;
  const plan = adapts?.revision ?? null;
  if (adaptation === null || adapts === undefined || plan === null)
    throw new Error(`population ${index} revises nothing`);
  const next = world.second + plan.everySec;
  if (next < world.scenario.durationSec) addToAgenda(features.agenda, next, DUE_REVISION, NONE, index);
  const revisers = revisersOf(world, features, adapts, index);
  const payoffs = payoffsSince(world, adaptation, adapts, plan, index);
  const chosen =
    plan.sees === 'agents'
      ? choicesByAgents(world, adaptation, plan, revisers, adapts.options.length)
      : choicesByOptions(world, plan, revisers, payoffs);
  const switched = new Map<number, Population>();
  revisers.present.forEach((agent, i) => {
    const option = chosen[i] as number;
    if (option === optionOf(world, agent)) return;
    switched.set(agent, populationOf(world, agent));
    takeOption(world, features, agent, option);
  });
  settleSponsorships(world, features, switched);
  checkOptions(world, features, adapts, index);
}

function revisersOf(world: World, { firstAgent, marks }: Features, { options }: Adaptation, index: number): Revisers {
  const present: number[] = [];
  const gone: number[] = [];
  const counts = options.map(() => 0);
  for (let agent = firstAgent[index]!; agent < firstAgent[index + 1]!; agent += 1) {
    const option = optionOf(world, agent) as number;
    const leaves = options[option]?.leaves === true;
    if (leaves) gone.push(agent);
    else if (world.agents.row(agent) >= 0 && (marks[agent]! & (DEPARTED | REVOKED)) === 0) present.push(agent);
    else continue;
    counts[option]! += 1;
  }
  return { present, gone, counts };
}

/** The payoffs of the options for an agent and day since the latest revision; NaN for one that nobody had. They are counted from now on. */
function payoffsSince(
  world: World,
  state: AdaptationState,
  { options }: Adaptation,
  { outsideLamports }: RevisionPlan,
  index: number,
): readonly number[] {
  const width = identityClasses.length;
  return options.map(({ leaves }, option) => {
    const first = world.cells.firstCells[index]! + option * width;
    let lamports = 0;
    let seconds = 0;
    for (let cell = first; cell < first + width; cell += 1) {
      const payoff = payoffLamports(world, [cell]);
      const present = presentSec(world, [cell]);
      lamports += payoff - state.payoffLamports[cell]!;
      seconds += present - state.presentSec[cell]!;
      state.payoffLamports[cell] = payoff;
      state.presentSec[cell] = present;
    }
    if (leaves) return outsideLamports;
    return seconds === 0 ? Number.NaN : (lamports * DAY_SEC) / seconds;
  });
}

/** The number of an agent's draw at a place in the revision of this second. */
function draw({ streams, second }: World, agent: number, { everySec }: RevisionPlan, place: number): number {
  return streams.uniformAt(agent, OPTION_PURPOSE, (second / everySec) * DRAWS_A_REVISION + place);
}

/** The option of each agent that is present, from the mean payoffs of options. */
function choicesByOptions(
  world: World,
  plan: RevisionPlan,
  { present, gone, counts }: Revisers,
  payoffs: readonly number[],
): readonly number[] {
  const others = present.length + gone.length - 1;
  const rows = counts.map((_, own) => {
    const models = counts.map((count, option) => (others === 0 ? 0 : (count - (option === own ? 1 : 0)) / others));
    return switchChances(plan.rule, own, payoffs, models);
  });
  return present.map((agent) => {
    const own = optionOf(world, agent) as number;
    if (draw(world, agent, plan, WHETHER) >= plan.rate) return own;
    return pick(rows[own] as readonly number[], draw(world, agent, plan, OPTION));
  });
}

/** The option at `u` of the sum of some chances; rounding errors go to the last one with a chance. */
function pick(chances: readonly number[], u: number): number {
  let below = 0;
  let last = 0;
  for (const [option, chance] of chances.entries()) {
    if (chance === 0) continue;
    last = option;
    below += chance;
    if (u < below) return option;
  }
  return last;
}

/** The option of each agent that is present, from its own payoff and that of one other agent, drawn at random. */
function choicesByAgents(
  world: World,
  state: AdaptationState,
  plan: RevisionPlan,
  { present, gone }: Revisers,
  options: number,
): readonly number[] {
  const payoffs = present.map((agent) => payoffOf(world, state, plan, agent));
  return present.map((agent, i) => {
    const own = optionOf(world, agent) as number;
    if (draw(world, agent, plan, WHETHER) >= plan.rate) return own;
    const u = draw(world, agent, plan, OPTION);
    const { mutation } = plan.rule;
    if (u < mutation) return Math.floor((u / mutation) * options);
    const others = present.length + gone.length - 1;
    if (others === 0) return own;
    const drawn = Math.floor(draw(world, agent, plan, MODEL) * others);
    const model = drawn < i ? drawn : drawn + 1;
    const isGone = model >= present.length;
    const other = isGone ? (gone[model - present.length] as number) : (present[model] as number);
    const payoff = isGone ? plan.outsideLamports : (payoffs[model] as number);
    const chance = imitationChance(plan.rule, payoffs[i] as number, payoff);
    return (u - mutation) / (1 - mutation) < chance ? (optionOf(world, other) as number) : own;
  });
}

/** The payoff of an agent for a day since the latest revision or its registration, counted from now on; NaN without any time. */
function payoffOf(world: World, state: AdaptationState, { everySec }: RevisionPlan, agent: number): number {
  const { registry, agents, second } = world;
  const registeredSec = (registry.agents.columns.registeredAtMs[agents.row(agent)]! - GENESIS_MS) / 1_000;
  const seconds = second - Math.max(second - everySec, registeredSec);
  const earned = earnedUntilNow(world, state, agent);
  const lamports = earned - state.earnedBefore[agent]!;
  state.earnedBefore[agent] = earned;
  return seconds === 0 ? Number.NaN : (lamports * DAY_SEC) / seconds;
}

/** Checks that the agents of all options are those of the population. */
function checkOptions(world: World, { firstAgent }: Features, { options }: Adaptation, index: number): void {
  const { cells, agents, checks } = world;
  let registered = 0;
  for (let agent = firstAgent[index]!; agent < firstAgent[index + 1]!; agent += 1)
    if (agents.row(agent) >= 0) registered += 1;
  const first = cells.firstCells[index]!;
  const own = Array.from({ length: options.length * identityClasses.length }, (_, i) => first + i);
  const counted = sumOf(cells.registered, own);
  checks[COUNTED]! += 1;
  if (counted === registered) return;
  violated(world, COUNTED, NONE, `the options have ${counted} agents, and ${registered} have registered`);
}
