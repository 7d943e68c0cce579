/** Whether a group of a result is a class, a population or an option of one. Which groups a result has is the scenario's: scenarios/groups.ts. */

import { identityClasses } from '../spec/vocabulary.js';

/** The kinds of groups. Groups of two kinds share agents, so sums over groups are over those of one kind. */
type GroupKind = 'class' | 'population' | 'option';

/** The kind of a group by its name: no population has the name of a class, and an option has that of its population before a slash. */
export function kindOfGroup(name: string): GroupKind {
  if (name.includes('/')) return 'option';
  return (identityClasses as readonly string[]).includes(name) ? 'class' : 'population';
}
