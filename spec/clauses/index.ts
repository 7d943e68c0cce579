/** Every clause in the order of the specification, and the way to find one by its id. */

import type { Clause } from '../clause.js';
import { decisionClauses } from './decisions.js';
import { section1 } from './section-1.js';
import { section2 } from './section-2.js';
import { section3 } from './section-3.js';
import { section4Routes } from './section-4-1.js';
import { section4Registration } from './section-4-2.js';
import { section4Paid } from './section-4-5.js';
import { section4Work } from './section-4-8.js';
import { section4Others } from './section-4-11.js';
import { section5 } from './section-5.js';
import { section6 } from './section-6.js';
import { section7 } from './section-7.js';
import { section8 } from './section-8.js';
import { section9 } from './section-9.js';

export { type Section, sections } from './sections.js';

/** Every clause: the statements of the specification in its order, then those of the decisions. Deeply frozen. */
export const clauses: readonly Clause[] = Object.freeze(
  [
    ...section1,
    ...section2,
    ...section3,
    ...section4Routes,
    ...section4Registration,
    ...section4Paid,
    ...section4Work,
    ...section4Others,
    ...section5,
    ...section6,
    ...section7,
    ...section8,
    ...section9,
    ...decisionClauses,
  ].map((clause) => Object.freeze(clause)),
);

const byId: ReadonlyMap<string, Clause> = new Map(clauses.map((clause) => [clause.id, clause]));

/** The clause of an id. Throws `RangeError` for an id that no clause has. */
export function clauseById(id: string): Clause {
  const clause = byId.get(id);
  if (clause === undefined) throw new RangeError(`no clause has the id ${id}`);
  return clause;
}
