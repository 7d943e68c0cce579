/** Counts clauses by what became of them. It reads no file, and runs in a browser too. */
import type { ClauseLevel } from '../spec/clause.js';
import type { ClauseCounts, ReportedClause } from './conformance-result.js';

/** The counts for the clauses of one level, without excluded ones. */
export function countsOf(clauses: readonly ReportedClause[], level: ClauseLevel): ClauseCounts {
  const states = clauses.filter((clause) => clause.level === level).map(({ state }) => state);
  const hold = states.filter((state) => state === 'holds').length;
  const fail = states.filter((state) => state === 'fails').length;
  const total = states.filter((state) => state !== 'excluded').length;
  return { total, judged: hold + fail, hold, fail };
}
