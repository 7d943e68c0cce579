import type { CheckResult, ConformanceResult, ReportedClause } from '../../reports/conformance-result.js';
import type { Clause } from '../../spec/clause.js';
import { clauses as allClauses, sections } from '../../spec/clauses/index.js';
import type { Check } from '../trial/check.js';

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
  return list.map(({ id, section, level, text, excluded }) => {
    const judges = matrix.get(id) ?? [];
    const others = results.filter(
      (result) => !judges.includes(result.id) && 'fails' in result && result.fails?.includes(id),
    );
    return {
      id,
      section,
      section_title: titles.get(section) ?? '',
      level,
      text,
      state: excluded === undefined ? stateOf({ id, level, judges }, results) : 'excluded',
      checks: [...judges, ...others.map((result) => result.id)],
      ...(excluded === undefined ? {} : { excluded }),
    };
  });
}

interface Judged {
  readonly id: string;
  readonly level: Clause['level'];
  /** The checks of it. */
  readonly judges: readonly string[];
}

/** Whether a clause holds by a result; undefined where that does not say. */
function saysOf({ id, level, judges }: Judged, result: CheckResult): 'holds' | 'fails' | undefined {
  const own = judges.includes(result.id);
  if (result.verdict === 'pass') return own ? 'holds' : undefined;
  const shown = own && result.holds?.includes(id) === true ? 'holds' : undefined;
  if (result.verdict !== 'fail' && result.verdict !== 'advisory') return shown;
  const { fails } = result;
  if (!(fails?.includes(id) ?? own)) return shown;
  // A check that is merely advisory saw a decision not followed: that says nothing against the specification itself.
  if (result.verdict === 'advisory' && level === 'must') return fails === undefined ? 'holds' : undefined;
  return 'fails';
}

/** A clause fails with any check that has found it not to hold, be it of another clause, and holds where one has shown it. */
function stateOf(clause: Judged, results: readonly CheckResult[]): ReportedClause['state'] {
  const said = results.map((result) => saysOf(clause, result));
  if (said.includes('fails')) return 'fails';
  return said.includes('holds') ? 'holds' : 'not-judged';
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
