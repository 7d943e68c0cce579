/** Which checks there are for a dialect, and about which clauses (D-57). How evidence is taken is in assertions/evidence.ts. */
import type { Dialect } from '../../spec/dialect.js';
import { excludedIn, factsOf, replacedText, standingIn } from '../../spec/dialect-clauses.js';
import type { Check } from '../trial/check.js';

/**
 * The checks of a suite as a dialect has them: without those about facts of other dialects, and each about the clauses that
 * stand in the dialect. One of which nothing stands is left as it is, and not run: `replacementIn` says why.
 */
export function checksIn(checks: readonly Check[], dialect: Dialect): readonly Check[] {
  const standing = standingIn(dialect);
  const replacementOf = replacementIn(dialect);
  return checks.flatMap((check) => {
    const clauses = [...new Set(check.clauses.flatMap((id) => standing(id) ?? []))];
    if (replacementOf(check) !== undefined) return [check];
    return clauses.length === 0 ? [] : [{ ...check, clauses }];
  });
}

/** The replacement in a dialect of all that a check is about; undefined where something of it stands. */
export function replacementIn(dialect: Dialect): (check: Check) => string | undefined {
  const standing = standingIn(dialect);
  const reasons = excludedIn(dialect);
  const replaced = new Set(factsOf(dialect).flatMap(({ replaces }) => replaces));
  return ({ clauses, replacedBy }) => {
    const fact = factsOf(dialect).find(({ setting }) => setting === replacedBy);
    if (fact !== undefined) return replacedText(fact);
    if (clauses.some((id) => standing(id) !== undefined)) return undefined;
    return clauses.filter((id) => replaced.has(id)).map((id) => reasons.get(id))[0];
  };
}
