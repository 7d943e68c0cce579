/** The checks that a change of the specification can affect, and a few for the rest of a server: a quick test of a change. */

import { type Check, stemOf } from '../trial/check.js';

/** A check with more requests runs only for its own clauses. */
const REQUESTS_MAX = 100;

/** Checks of more clauses lead an agent through the calls of many endpoints. */
const CLAUSES_MAX = 50;

/** The checks with few clauses, if there are any: they show which endpoint a clause belongs to, and in which deployment it can be judged. */
export function narrowChecks(checks: readonly Check[]): readonly Check[] {
  const few = checks.filter(({ clauses }) => clauses.length <= CLAUSES_MAX);
  return few.length === 0 ? checks : few;
}

/**
 * The checks about changed clauses, those of the same endpoints, and for every other endpoint the check with most clauses. For a change without
 * changed clauses only the last.
 */
export function checksInReach(checks: readonly Check[], touched: ReadonlySet<string>): readonly Check[] {
  const own = checks.filter(({ clauses }) => clauses.some((id) => touched.has(id)));
  const stems = new Set(narrowChecks(own).map(stemOf));
  const short = checks.filter(({ requests }) => requests <= REQUESTS_MAX);
  const widest = new Map<string, Check>();
  for (const check of short) {
    const so = widest.get(stemOf(check));
    if (so === undefined || check.clauses.length > so.clauses.length) widest.set(stemOf(check), check);
  }
  const near = short.filter((check) => stems.has(stemOf(check)) || widest.get(stemOf(check)) === check);
  const reached = new Set([...own, ...near]);
  return checks.filter((check) => reached.has(check));
}
