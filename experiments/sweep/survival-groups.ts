/** The groups of which a sweep has curves of survival, and whether their times fit into memory. The curves are in survival-curves.ts. */

import { kindOfGroup } from '../../results/group-kind.js';
import { groupNames } from '../../scenarios/groups.js';
import type { Scenario } from '../../scenarios/scenario.js';
import type { Path } from '../../spec/document.js';
import { LIVES_MAX, type SweepFile } from './sweep-file.js';

/** All agents (null), then the groups of the kind that the file names; a single one has all agents again and is left out. */
export function survivalGroups(
  { survival }: Pick<SweepFile, 'survival'>,
  scenario: Pick<Scenario, 'populations'>,
): readonly (string | null)[] {
  if (survival === undefined) return [];
  const groups = groupNames(scenario).filter((name) => kindOfGroup(name) === survival.by);
  return [null, ...(groups.length > 1 ? groups : [])];
}

/** The fault of `survival` in a file; undefined for none. */
export function survivalFault(
  { survival }: Pick<SweepFile, 'survival'>,
  arms: readonly { readonly survival: readonly (string | null)[]; readonly scenario: Pick<Scenario, 'populations'> }[],
  replicates: number,
): { readonly path: Path; readonly message: string } | undefined {
  if (survival === undefined) return undefined;
  if (survival.by === 'option' && arms.every((arm) => arm.survival.length < 2))
    return { path: ['survival', 'by'], message: 'is option, and no population has options (adapts)' };
  const kept = arms.reduce((sum, arm) => {
    const agents = arm.scenario.populations.reduce((count, population) => count + population.count, 0);
    return sum + agents * Math.min(2, arm.survival.length) * replicates;
  }, 0);
  if (kept <= LIVES_MAX) return undefined;
  const message = `keeps ${kept} times of agents, and at most ${LIVES_MAX} are: take fewer replicates or agents`;
  return { path: ['survival'], message };
}
