/** Selects checks for a quick test of a change of the specification: those that it can affect, and a few for the rest of a server. */

import { type Check, stemOf } from '../trial/check.js';

/** A check with more requests runs only for a change of its own clauses. */
const REQUESTS_MAX = 100;

/** A check with more clauses calls many endpoints. */
const CLAUSES_MAX = 50;

/** The checks with few clauses, if there are any: they relate a clause to one endpoint, and to the deployment that can judge it. */
export function narrowChecks(checks: readonly Check[]): readonly Check[] {
  const few = checks.filter(({ clauses }) => clauses.length <= CLAUSES_MAX);
  return few.length === 0 ? checks : few;
}

/**
 * The checks of changed clauses and of the same endpoints, and for every other endpoint the check with the most clauses. Without changed clauses,
 * only the last kind.
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
