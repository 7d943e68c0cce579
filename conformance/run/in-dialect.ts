/** Adapts the checks of the suite to a dialect (D-57): which of them apply, and which of their clauses. */
import type { Dialect } from '../../spec/dialect.js';
import { excludedIn, factsOf, replacedText, standingIn } from '../../spec/dialect-clauses.js';
import type { Check } from '../trial/check.js';

/**
 * The checks for a dialect, each with only the clauses that apply there. Checks about facts of other dialects are left out. A check
 * without an applying clause keeps its clauses, but does not run; `replacementIn` says why.
 */
export function checksIn(checks: readonly Check[], dialect: Dialect): readonly Check[] {
  const standing = standingIn(dialect);
  const standingOf = (ids: readonly string[]): readonly string[] => [
    ...new Set(ids.flatMap((id) => standing(id) ?? [])),
  ];
  const replacementOf = replacementIn(dialect);
  return checks.flatMap((check) => {
    const clauses = standingOf(check.clauses);
    if (replacementOf(check) !== undefined) return [check];
    if (clauses.length === 0) return [];
    return [{ ...check, clauses, ...(check.also && { also: standingOf(check.also) }) }];
  });
}

/** The facts of a dialect that replace all clauses of a check; undefined if one of its clauses applies. */
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
