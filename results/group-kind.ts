/** Whether a group of a result is a class or a population. Which groups a result has is the scenario's: scenarios/groups.ts. */

import { identityClasses } from '../spec/vocabulary.js';

/** The kinds of groups. A class and a population of it share agents, so sums over groups are over those of one kind. */
type GroupKind = 'class' | 'population';

/** The kind of a group by its name: no population has the name of a class. */
export function kindOfGroup(name: string): GroupKind {
  return (identityClasses as readonly string[]).includes(name) ? 'class' : 'population';
}
