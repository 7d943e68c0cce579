/**
 * The time from registration to the first freeze, by the Kaplan-Meier estimator: agents that depart or that the run ends
 * before they freeze are censored, not left out. Shares of frozen agents at a moment are measures in samples.ts.
 */

import type { FirstFreeze } from '../../results/simulation-result.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { NEVER } from '../world/agents.js';
import { NONE } from '../world/features.js';
import { GENESIS_MS, type World } from '../world/world.js';
import { groupsOf, shownGroups } from './agent-groups.js';

const QUANTILES = [10, 25, 50, 75, 90] as const;

/**
 * By cell: each agent's seconds under observation, times two, and one more if they ended with a freeze. In order of size it is by
 * time.
 */
export type FreezeTimes = readonly Int32Array[];

/** The times of all agents of a world. */
export function freezeTimes(world: World): FreezeTimes {
  const { agents, registry, agentOfRow, cells } = world;
  const { rows } = registry.agents;
  const sizes = new Int32Array(cells.registered.length);
  for (let row = 0; row < rows; row += 1) sizes[agents.cell(agentOfRow[row]!)]! += 1;
  const times = Array.from(sizes, (size) => new Int32Array(size));
  for (let row = 0; row < rows; row += 1) {
    const agent = agentOfRow[row]!;
    const cell = agents.cell(agent);
    sizes[cell]! -= 1;
    times[cell]![sizes[cell]!] = observed(world, agent, row);
  }
  return times;
}

/** The first freezes of all agents, and of each class and population where there are at least two. */
export function firstFreezes(scenario: Scenario, times: FreezeTimes): FirstFreeze[] {
  return shownGroups(scenario).map(({ name, cells }) => {
    const list = joined(cells.map((cell) => times[cell]!));
    let frozen = 0;
    for (const time of list) frozen += time & 1;
    return {
      ...(name === null ? {} : { group: name }),
      agents: list.length,
      frozen,
      censored: list.length - frozen,
      quantiles_ms: quantilesMs(list),
    };
  });
}

/** The times of all agents of some groups (null: of all agents), each list in order of size. Of a world whose run is over. */
export function livesOf(world: World, names: readonly (string | null)[]): readonly (readonly number[])[] {
  const times = freezeTimes(world);
  const groups = groupsOf(world.scenario);
  return names.map((name) => {
    const cells = groups.find((group) => group.name === name)?.cells ?? [];
    return [...joined(cells.map((cell) => times[cell]!)).toSorted()];
  });
}

/** Lists of times one after the other. */
export function joined(lists: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

function observed({ agents, registry, features, second }: World, agent: number, row: number): number {
  const fromSec = (registry.agents.columns.registeredAtMs[row]! - GENESIS_MS) / 1_000;
  const departedSec = features === null ? NONE : features.departedSec[agent]!;
  const endSec = departedSec === NONE ? second : departedSec;
  const frozenSec = agents.firstFreezeSec[agent]!;
  const froze = frozenSec !== NEVER && frozenSec <= endSec;
  return froze ? (frozenSec - fromSec) * 2 + 1 : (endSec - fromSec) * 2;
}

/** The times at which the estimated share of frozen agents first reaches each quantile; null where it does not. */
export function quantilesMs(list: Int32Array): FirstFreeze['quantiles_ms'] {
  const sorted = list.toSorted();
  const found = new Map<number, number>();
  let surviving = 1;
  let at = 0;
  while (at < sorted.length) {
    const sec = sorted[at]! >> 1;
    const atRisk = sorted.length - at;
    let freezes = 0;
    for (; at < sorted.length && sorted[at]! >> 1 === sec; at += 1) freezes += sorted[at]! & 1;
    surviving *= 1 - freezes / atRisk;
    for (const quantile of QUANTILES) {
      // Rounding must not keep the last of a tenth from completing it.
      if (!found.has(quantile) && 1 - surviving >= quantile / 100 - 1e-12) found.set(quantile, sec * 1_000);
    }
  }
  const of = (quantile: (typeof QUANTILES)[number]): number | null => found.get(quantile) ?? null;
  return { p10: of(10), p25: of(25), p50: of(50), p75: of(75), p90: of(90) };
}
