/** The checks that a change of the specification can reach, and a few that see the rest of a server: a quick look at a change. */

import { type Check, stemOf } from '../trial/check.js';

/** A check of more requests is run for the clauses that it is about alone. */
const REQUESTS_MAX = 100;

/** Checks of more clauses lead an agent through the calls of many endpoints. */
const CLAUSES_MAX = 50;

/** Those that are about few clauses, where there are any: they say which endpoints a clause is of, and in which deployment it shows. */
export function narrowChecks(checks: readonly Check[]): readonly Check[] {
  const few = checks.filter(({ clauses }) => clauses.length <= CLAUSES_MAX);
  return few.length === 0 ? checks : few;
}

/**
 * The checks about touched clauses, those of the same endpoints, and of every other endpoint the one that is about most clauses.
 * A change without touched clauses reaches the last alone.
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
