/**
 * The time from registration to the first freeze, by the Kaplan-Meier estimator: agents that depart or that the run ends
 * before they freeze are censored, not left out. Shares of frozen agents at a moment are measures in samples.ts.
 */

import type { FirstFreeze } from '../../reports/simulation-result.js';
import { NEVER } from '../world/agents.js';
import { NONE } from '../world/features.js';
import { GENESIS_MS, type World } from '../world/world.js';
import { shownGroups } from './samples.js';

const QUANTILES = [10, 25, 50, 75, 90] as const;

/** One agent's time under observation, in seconds, and whether it ended with a freeze. */
interface Observation {
  readonly sec: number;
  readonly froze: boolean;
}

/** The first freezes of all agents, and of each class and population where there are at least two. */
export function firstFreezes(world: World): FirstFreeze[] {
  const { agents, registry, agentOfRow } = world;
  const byCell = new Map<number, Observation[]>();
  for (let row = 0; row < registry.agents.rows; row += 1) {
    const agent = agentOfRow[row]!;
    const cell = agents.cell(agent);
    const list = byCell.get(cell) ?? [];
    list.push(observed(world, agent, row));
    byCell.set(cell, list);
  }
  return shownGroups(world.scenario).map(({ name, cells }) => {
    const list = cells.flatMap((cell) => byCell.get(cell) ?? []);
    const frozen = list.filter(({ froze }) => froze).length;
    return {
      ...(name === null ? {} : { group: name }),
      agents: list.length,
      frozen,
      censored: list.length - frozen,
      quantiles_ms: quantilesMs(list),
    };
  });
}

function observed({ agents, registry, features, second }: World, agent: number, row: number): Observation {
  const fromSec = (registry.agents.columns.registeredAtMs[row]! - GENESIS_MS) / 1_000;
  const departedSec = features === null ? NONE : features.departedSec[agent]!;
  const endSec = departedSec === NONE ? second : departedSec;
  const frozenSec = agents.firstFreezeSec[agent]!;
  const froze = frozenSec !== NEVER && frozenSec <= endSec;
  return { sec: (froze ? frozenSec : endSec) - fromSec, froze };
}

/** The times at which the estimated share of frozen agents first reaches each quantile; null where it does not. */
export function quantilesMs(list: readonly Observation[]): FirstFreeze['quantiles_ms'] {
  const sorted = list.toSorted((a, b) => a.sec - b.sec);
  const found = new Map<number, number>();
  let surviving = 1;
  let at = 0;
  while (at < sorted.length) {
    const { sec } = sorted[at] as Observation;
    const atRisk = sorted.length - at;
    let freezes = 0;
    for (; at < sorted.length && sorted[at]?.sec === sec; at += 1) if (sorted[at]?.froze === true) freezes += 1;
    surviving *= 1 - freezes / atRisk;
    for (const quantile of QUANTILES) {
      // Rounding must not keep the last of a tenth from completing it.
      if (!found.has(quantile) && 1 - surviving >= quantile / 100 - 1e-12) found.set(quantile, sec * 1_000);
    }
  }
  const of = (quantile: (typeof QUANTILES)[number]): number | null => found.get(quantile) ?? null;
  return { p10: of(10), p25: of(25), p50: of(50), p75: of(75), p90: of(90) };
}
