/** The groups by which results are broken down: identity classes, populations and their options. Which agents are in a group is in the simulator. */

import { type IdentityClass, identityClasses } from '../spec/vocabulary.js';
import { optionGroups, variantsOf } from './adaptation.js';
import type { Scenario } from './scenario.js';

/** The classes that some agent of a scenario can have. */
export function classesOf({ populations }: Pick<Scenario, 'populations'>): readonly IdentityClass[] {
  return identityClasses.filter((name) =>
    variantsOf(populations).some(({ population }) => population.classes[name] > 0),
  );
}

/** The groups that tables have rows of: each class that some agent can have, then each population and its options. */
export function groupNames(scenario: Pick<Scenario, 'populations'>): readonly string[] {
  return [...classesOf(scenario), ...populationGroups(scenario)];
}

/** The groups that an expectation may name: every class, then each population and its options. */
export function nameableGroups(scenario: Pick<Scenario, 'populations'>): readonly string[] {
  return [...identityClasses, ...populationGroups(scenario)];
}

function populationGroups({ populations }: Pick<Scenario, 'populations'>): readonly string[] {
  return populations.flatMap((population) => [population.name, ...optionGroups(population)]);
}
