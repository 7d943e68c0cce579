/** Puts a run of some checks into the result of the run before it, so that a report covers all checks. It compares nothing. */

import { countsOf } from '../../results/clause-counts.js';
import type { ConformanceResult, Finding, ReportedClause } from '../../results/conformance-result.js';
import { inOrderToFix } from '../../results/stages.js';
import { countsByVerdict, summaryOf } from './conclude.js';
import { coverageOf } from './coverage.js';
import { notServedIn } from './not-served.js';
import { exitStatusOf } from './verdict.js';

/** `requireJudged`: percent of the must clauses that have to be judged. */
interface Merging {
  readonly strict?: boolean | undefined;
  readonly requireJudged?: number | undefined;
}

/**
 * Replaces in a result all that concerns the checks that ran again. The findings of every other check stay; time, requests, fees and
 * seed are of the later run.
 */
export function mergedResult(
  before: ConformanceResult,
  now: ConformanceResult,
  { strict = false, requireJudged = 0 }: Merging = {},
): ConformanceResult {
  const again = new Set(now.checks.map(({ id }) => id));
  const checks = withNew(before.checks, now.checks);
  const stands = (id: string): boolean => !again.has(id);
  const findings = withNew(findingsLeft(before.findings, stands), now.findings).toSorted(inOrderToFix);
  const clauses = clausesOf(before.clauses, now.clauses, stands);
  const lacking = notServedIn(checks);
  const counts = countsByVerdict(checks);
  const must = countsOf(clauses, 'must');
  const { not_served: _, mode: __, spared: ___, ...rest } = now;
  const { mode, spared } = before;
  return {
    ...rest,
    ...(mode === undefined ? {} : { mode, spared }),
    summary: summaryOf(counts, clauses),
    ...(lacking.length === 0 ? {} : { not_served: lacking }),
    exit_status: exitStatusOf({
      counts,
      failures: findings.filter((one) => one.known === undefined && (strict || one.level === 'must')).length,
      unjudgeable: now.stopped !== undefined,
      judgedPercent: must.total === 0 ? 0 : (100 * must.judged) / must.total,
      requiredPercent: requireJudged,
      faults: checks.filter(({ flaky }) => flaky !== undefined).length + (now.baseline?.faults.length ?? 0),
    }),
    findings,
    checks,
    coverage: coverageOf(clauses),
    clauses,
  };
}

/** A list in its order, with entries replaced by new ones of the same id, and the other new ones at the end. */
function withNew<T extends { readonly id: string }>(before: readonly T[], now: readonly T[]): readonly T[] {
  const newOnes = new Map(now.map((one) => [one.id, one]));
  const known = new Set(before.map(({ id }) => id));
  return [...before.map((one) => newOnes.get(one.id) ?? one), ...now.filter(({ id }) => !known.has(id))];
}

/** The findings that no repeated check had met; a repeated check meets them again itself. */
function findingsLeft(findings: readonly Finding[], stands: (check: string) => boolean): readonly Finding[] {
  return findings.filter(({ checks }) => checks.every(stands));
}

/** The clauses with the evidence of the checks that did not run again, and of those that did. */
function clausesOf(
  before: readonly ReportedClause[],
  now: readonly ReportedClause[],
  stands: (check: string) => boolean,
): readonly ReportedClause[] {
  const old = new Map(before.map((clause) => [clause.id, clause]));
  return now.map((clause) => {
    const then = old.get(clause.id);
    if (then === undefined || clause.state === 'excluded') return clause;
    const isMet = then.evidence.filter(({ ok }) => !ok).every(({ check }) => stands(check));
    const kept = then.evidence.filter(({ ok, check }) => (ok ? stands(check) || clause.evidence.length === 0 : isMet));
    const evidence = [...kept, ...clause.evidence];
    if (evidence.length === 0)
      return clause.why?.kind === 'unchosen' ? { ...then, state: 'not-judged', evidence } : clause;
    const { reason: _, why: __, ...rest } = clause;
    return { ...rest, state: evidence.every(({ ok }) => ok) ? 'holds' : 'fails', evidence };
  });
}
