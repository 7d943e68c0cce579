/**
 * Derives the states of clauses from the evidence of a run. Any evidence against a clause: it does not hold. Only evidence for it: it
 * holds. No evidence: it is not judged, with a reason. The verdicts of checks are in verdict.ts.
 */
import type { ClauseEvidence, ConformanceResult, ReportedClause } from '../../results/conformance-result.js';
import { type Reason, reasonOf } from '../../results/conformance-result.js';
import type { Clause } from '../../spec/clause.js';
import { sections } from '../../spec/clauses/index.js';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import { lacking } from '../assertions/unjudged.js';
import type { Check } from '../trial/check.js';
import { notServed } from '../trial/presence.js';
import type { CheckRun, TrafficSeen } from './record.js';

const titles = new Map(sections.map(({ section, title }) => [section, title]));

/** A report keeps this many pieces of evidence of one check for and against a clause. */
const FOR_MAX = 1;
const AGAINST_MAX = 20;

/** The checks of each clause, by clause id: the matrix of `aips spec clauses`. */
export function checksByClause(checks: readonly Pick<Check, 'id' | 'clauses'>[]): ReadonlyMap<string, string[]> {
  const matrix = new Map<string, string[]>();
  for (const { id, clauses } of checks) {
    for (const clause of clauses) matrix.set(clause, [...(matrix.get(clause) ?? []), id]);
  }
  return matrix;
}

/** Each clause of a list with its state and evidence. */
export function reportClauses(
  checks: readonly Pick<Check, 'id' | 'clauses'>[],
  runs: readonly CheckRun[],
  list: readonly Clause[],
  exchanges: TrafficSeen['clauses'] = {},
): readonly ReportedClause[] {
  const matrix = checksByClause(checks);
  const evidence = evidenceByClause(runs);
  const byId = new Map(runs.map((run) => [run.id, run]));
  return list.map(({ id, section, where, level, text, excluded }) => {
    const judges = matrix.get(id) ?? [];
    const found = evidence.get(id) ?? [];
    const state = excluded === undefined ? stateOf(found) : 'excluded';
    const others = [...new Set(found.filter(({ ok }) => !ok).map(({ check }) => check))];
    const runsOfIt = judges.flatMap((check) => byId.get(check) ?? []);
    const because = judges.length === 0 ? { reason: 'the suite has no check of it' } : becauseOf(id, runsOfIt);
    return {
      id,
      section,
      section_title: titles.get(section) ?? '',
      where,
      level,
      text,
      state,
      ...(state === 'not-judged' ? because : {}),
      checks: [...new Set([...judges, ...others])],
      ...(excluded === undefined ? {} : { excluded }),
      ...(exchanges[id] === undefined ? {} : { exchanges: exchanges[id] }),
      evidence: found,
    };
  });
}

function evidenceByClause(runs: readonly CheckRun[]): ReadonlyMap<string, ClauseEvidence[]> {
  const byClause = new Map<string, ClauseEvidence[]>();
  for (const { id: check, evidence } of runs) {
    const kept = new Map<string, { for: number; against: number }>();
    for (const { clauses, n, endpoint, exchange: _, cause: __, absent: ___, ...seen } of evidence) {
      for (const clause of clauses) {
        const count = kept.get(clause) ?? { for: 0, against: 0 };
        kept.set(clause, count);
        if (seen.ok ? count.for >= FOR_MAX : count.against >= AGAINST_MAX) continue;
        count[seen.ok ? 'for' : 'against'] += 1;
        const list = byClause.get(clause) ?? [];
        byClause.set(clause, list);
        list.push({ check, step: stepText(n, endpoint), ...(n === 0 ? {} : { n }), ...seen });
      }
    }
  }
  return byClause;
}

/** The number of a request in the transcript of a check, and its endpoint: `#3 POST /api/v1/sigil`. */
function stepText(n: number, endpoint: string): string {
  return [n === 0 ? '' : `#${n}`, n === 0 ? '' : endpoint].join(' ').trim();
}

/** The state of a clause: any evidence against it outweighs all evidence for it. */
function stateOf(evidence: readonly ClauseEvidence[]): Exclude<ReportedClause['state'], 'excluded'> {
  if (evidence.some(({ ok }) => !ok)) return 'fails';
  return evidence.length === 0 ? 'not-judged' : 'holds';
}

/** The reason why a clause is not judged: from its checks, about the clause or about the whole check. */
function becauseOf(clause: string, runs: readonly CheckRun[]): Reason {
  if (runs.length === 0) return lacking('unchosen', 'none of its checks was chosen');
  const withheld = runs.flatMap((run) => run.withheld.filter(({ clauses }) => clauses.includes(clause)));
  const gone = runs.flatMap((run) => (run.not_served === undefined ? [] : notServed(run.not_served as EndpointId)));
  const ends = runs.map((run) => ({ reason: 'reason' in run ? run.reason : run.ended, why: run.why }));
  const { reason, why } = [...withheld, ...ends, ...gone].find((one) => one.reason !== undefined) ?? {};
  return reasonOf(reason ?? 'no check reached it', why);
}

/** The counts in the first line of a report: judged clauses and passing clauses. */
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
