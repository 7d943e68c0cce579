/** The groups by which results are broken down: identity classes and populations. Which agents are in a group is in the simulator. */

import { type IdentityClass, identityClasses } from '../spec/vocabulary.js';
import type { Scenario } from './scenario.js';

/** The classes that some agent of a scenario can have. */
export function classesOf({ populations }: Pick<Scenario, 'populations'>): readonly IdentityClass[] {
  return identityClasses.filter((name) => populations.some(({ classes }) => classes[name] > 0));
}

/** The groups that tables have rows of: each class that some agent can have, then each population. */
export function groupNames(scenario: Pick<Scenario, 'populations'>): readonly string[] {
  return [...classesOf(scenario), ...scenario.populations.map(({ name }) => name)];
}
