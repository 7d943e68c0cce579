/** Merges the result of a run of some checks into the result of an earlier run, so that reports cover all checks. */

import { countsOf } from '../../results/clause-counts.js';
import type { ConformanceResult, Finding, ReportedClause } from '../../results/conformance-result.js';
import { inOrderToFix } from '../../results/stages.js';
import { countsByVerdict, summaryOf } from './conclude.js';
import { coverageOf } from './coverage.js';
import { notServedIn } from './not-served.js';
import { exitStatusOf } from './verdict.js';

/** The settings of a merge. `requireJudged`: the required percentage of judged must clauses. */
interface Merging {
  readonly strict?: boolean | undefined;
  readonly requireJudged?: number | undefined;
}

/**
 * Replaces the checks that ran again, with their findings and evidence, in an earlier result. Time, requests, fees and seed are from
 * the later run.
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

/** Replaces entries of a list by new ones with the same id, and appends the other new ones. */
function withNew<T extends { readonly id: string }>(before: readonly T[], now: readonly T[]): readonly T[] {
  const newOnes = new Map(now.map((one) => [one.id, one]));
  const known = new Set(before.map(({ id }) => id));
  return [...before.map((one) => newOnes.get(one.id) ?? one), ...now.filter(({ id }) => !known.has(id))];
}

/** The findings that no repeated check had met; the later run reports the others again. */
function findingsLeft(findings: readonly Finding[], stands: (check: string) => boolean): readonly Finding[] {
  return findings.filter(({ checks }) => checks.every(stands));
}

/** The clauses with the new evidence, and with the old evidence of checks that did not run again. */
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
