import type { CheckResult, ConformanceResult, ReportedClause } from '../reports/conformance-result.js';
import type { Clause } from '../spec/clause.js';
import { clauses as allClauses, sections } from '../spec/clauses/index.js';
import type { Check } from './check.js';

const titles = new Map(sections.map(({ section, title }) => [section, title]));

/** The checks of each clause, by clause id: the matrix of `aips spec clauses`. */
export function checksByClause(checks: readonly Pick<Check, 'id' | 'clauses'>[]): ReadonlyMap<string, string[]> {
  const matrix = new Map<string, string[]>();
  for (const { id, clauses } of checks) {
    for (const clause of clauses) matrix.set(clause, [...(matrix.get(clause) ?? []), id]);
  }
  return matrix;
}

/** What a run found about each clause of the specification. */
export function reportClauses(
  checks: readonly Pick<Check, 'id' | 'clauses'>[],
  results: readonly CheckResult[],
  list: readonly Clause[] = allClauses,
): readonly ReportedClause[] {
  const matrix = checksByClause(checks);
  const byId = new Map(results.map((result) => [result.id, result]));
  return list.map(({ id, section, level, text, excluded }) => {
    const judges = matrix.get(id) ?? [];
    const found = judges.flatMap((judge) => byId.get(judge) ?? []);
    return {
      id,
      section,
      section_title: titles.get(section) ?? '',
      level,
      text,
      state: excluded === undefined ? stateOf(level, found) : 'excluded',
      checks: judges,
      ...(excluded === undefined ? {} : { excluded }),
    };
  });
}

/**
 * A clause fails with any failed check of it. A check that is merely advisory saw a decision not followed: that says
 * nothing against the clauses of the specification that it judges too.
 */
function stateOf(level: Clause['level'], found: readonly CheckResult[]): ReportedClause['state'] {
  const judged = found.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail' || verdict === 'advisory');
  if (judged.length === 0) return 'not-judged';
  const fails = judged.some(({ verdict }) => verdict === 'fail' || (verdict === 'advisory' && level === 'decision'));
  return fails ? 'fails' : 'holds';
}

/** The head count of a report: how much was judged, and how much of that holds. */
export function coverageOf(clauses: readonly ReportedClause[]): ConformanceResult['coverage'] {
  const count = (...states: readonly ReportedClause['state'][]): number =>
    clauses.filter(({ state }) => states.includes(state)).length;
  return {
    clauses: clauses.length,
    judged: count('holds', 'fails'),
    held: count('holds'),
    excluded: count('excluded'),
  };
}
