/** The groups of agents that are measured together, by the cells that count them. Their names are in scenarios/groups.ts. */

import { optionGroup, variantsOf } from '../../scenarios/adaptation.js';
import { classesOf } from '../../scenarios/groups.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { identityClasses } from '../../spec/vocabulary.js';

/** Agents that are measured together. The name is null for all agents. */
export interface AgentGroup {
  readonly name: string | null;
  readonly cells: readonly number[];
  /** The cells of the whole that it is a part of: an option's population; else all agents. */
  readonly within: readonly number[];
}

/** The groups of a scenario: all agents, each class, then each population and its options. */
export function groupsOf({ populations }: Scenario): readonly AgentGroup[] {
  const width = identityClasses.length;
  const cells = variantsOf(populations).flatMap(({ population, index, option }, variant) =>
    identityClasses.flatMap((name, c) =>
      population.classes[name] > 0 ? [{ cell: variant * width + c, population: index, option, class: c }] : [],
    ),
  );
  const where = (holds: (cell: (typeof cells)[number]) => boolean): number[] =>
    cells.filter(holds).map(({ cell }) => cell);
  const all = where(() => true);
  return [
    { name: null, cells: all, within: all },
    ...identityClasses.map((name, c) => ({ name, cells: where((cell) => cell.class === c), within: all })),
    ...populations.flatMap(({ name, adapts }, p) => {
      const own = where((cell) => cell.population === p);
      const options = adapts?.options ?? [];
      return [
        { name, cells: own, within: all },
        ...options.map((each, o) => ({
          name: optionGroup(name, each.name),
          cells: where((cell) => cell.population === p && cell.option === o),
          within: own,
        })),
      ];
    }),
  ];
}

/** The groups that a summary shows: all agents, classes and populations where there are at least two, and options. Tables have them all. */
export function shownGroups(scenario: Scenario): readonly AgentGroup[] {
  const classes: readonly string[] = classesOf(scenario);
  const populations = scenario.populations.map(({ name }) => name);
  return groupsOf(scenario).filter(({ name }) => {
    if (name === null || !(populations.includes(name) || isClass(name))) return true;
    return (classes.length > 1 && classes.includes(name)) || (populations.length > 1 && populations.includes(name));
  });
}

function isClass(name: string): boolean {
  return (identityClasses as readonly string[]).includes(name);
}
