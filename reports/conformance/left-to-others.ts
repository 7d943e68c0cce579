/** Finds, for the families of checks that a run has chosen as a whole, what only checks of other families judge. It chooses nothing. */

import type { ConformanceResult } from '../../results/conformance-result.js';

/** A family of checks, which is the first word of their ids and of the ids of the clauses that they are about. */
interface LeftToOthers {
  readonly family: string;
  /** The ids of clauses that no check of the family is about. */
  readonly clauses: readonly string[];
  /** The ids of checks of other families that are about clauses of this one and were not chosen. */
  readonly checks: readonly string[];
}

const wordOf = (checkId: string): string => checkId.split('/')[0] ?? '';

/** The checks of other families, for each family of which every check was chosen; empty for a run of all checks. */
export function leftToOthers({
  checks,
  clauses,
}: Pick<ConformanceResult, 'checks' | 'clauses'>): readonly LeftToOthers[] {
  const chosen = new Set(checks.map(({ id }) => id));
  const all = new Set(clauses.flatMap((clause) => clause.checks));
  const families = [...new Set([...chosen].map(wordOf))];
  return families
    .filter((family) => [...all].every((id) => wordOf(id) !== family || chosen.has(id)))
    .flatMap((family): readonly LeftToOthers[] => {
      const own = clauses.filter(({ id, state }) => id.split('.')[0] === family && state !== 'excluded');
      const others = new Set(own.flatMap((clause) => clause.checks.filter((id) => !chosen.has(id))));
      const alone = own.filter(
        (clause) => clause.state === 'not-judged' && !clause.checks.some((id) => chosen.has(id)),
      );
      return others.size === 0 ? [] : [{ family, clauses: alone.map(({ id }) => id), checks: [...others] }];
    })
    .toSorted((a, b) => b.checks.length - a.checks.length);
}
