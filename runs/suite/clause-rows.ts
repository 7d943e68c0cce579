/** The matrix of clauses and checks: what `docs/clauses.md`, `aips spec clauses` and the lines of SARIF results are made of. */

import { allChecks } from '../../conformance/checks/index.js';
import { checksByClause } from '../../conformance/judge/coverage.js';
import { clauses } from '../../spec/clauses/index.js';
import type { ClauseRow } from '../../spec/print.js';

/** The matrix of clauses and the checks that judge them. */
export function clauseRows(): readonly ClauseRow[] {
  const judges = checksByClause(allChecks);
  return clauses.map(({ id, section, level, text, where, excluded }) => ({
    id,
    section,
    level,
    text,
    where,
    checks: judges.get(id) ?? [],
    ...(excluded === undefined ? {} : { excluded }),
  }));
}
