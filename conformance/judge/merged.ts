/** Merges the result of a run of some checks into the result of an earlier run, so that reports cover all checks. */

import { percentOf } from '../../power/power.js';
import { countsOf } from '../../results/clause-counts.js';
import type { ConformanceResult, Finding, Power, ReportedClause } from '../../results/conformance-result.js';
import { inOrderToFix } from '../../results/stages.js';
import { countsByVerdict, summaryOf } from './conclude.js';
import { coverageOf } from './coverage.js';
import { notServedIn } from './not-served.js';
import { exitStatusOf } from './verdict.js';

/** The settings of a merge: the required percentages of judged must clauses, and of planted mistakes that would have been noticed. */
interface Merging {
  readonly strict?: boolean | undefined;
  readonly requireJudged?: number | undefined;
  readonly requirePower?: number | undefined;
}

/**
 * Replaces the checks that ran again, with their findings and evidence, in an earlier result. Time, requests, fees and seed are from
 * the later run.
 */
export function mergedResult(
  before: ConformanceResult,
  now: ConformanceResult,
  { strict = false, requireJudged = 0, requirePower = 0 }: Merging = {},
): ConformanceResult {
  const again = new Set(now.checks.map(({ id }) => id));
  const checks = withNew(before.checks, now.checks);
  const stands = (id: string): boolean => !again.has(id);
  const findings = withNew(findingsLeft(before.findings, stands), now.findings).toSorted(inOrderToFix);
  const clauses = clausesOf(before.clauses, now.clauses, stands);
  const lacking = notServedIn(checks);
  const counts = countsByVerdict(checks);
  const must = countsOf(clauses, 'must');
  const power = summedPower(clauses);
  const { not_served: _, mode: __, spared: ___, ...rest } = now;
  const { mode, spared } = before;
  return {
    ...rest,
    ...(power === undefined ? {} : { power }),
    ...(mode === undefined ? {} : { mode, spared }),
    summary: summaryOf(counts, clauses),
    ...(lacking.length === 0 ? {} : { not_served: lacking }),
    exit_status: exitStatusOf({
      counts,
      failures: findings.filter((one) => one.known === undefined && (strict || one.level === 'must')).length,
      unjudgeable: now.stopped !== undefined,
      judgedPercent: must.total === 0 ? 0 : (100 * must.judged) / must.total,
      requiredPercent: requireJudged,
      powerPercent: percentOf(power),
      requiredPower: requirePower,
      faults: checks.filter(({ flaky }) => flaky !== undefined).length + (now.baseline?.faults.length ?? 0),
    }),
    findings,
    checks,
    coverage: coverageOf(clauses),
    clauses,
  };
}

/** The power of a clause in two runs together is at least that of either. */
function largerPower(
  { power: then }: Pick<ReportedClause, 'power'>,
  { power: now }: Pick<ReportedClause, 'power'>,
): Pick<ReportedClause, 'power'> {
  const larger = (then?.noticed ?? -1) > (now?.noticed ?? -1) ? then : now;
  return larger === undefined ? {} : { power: larger };
}

/** The sum of the powers of clauses; undefined if none has any. */
function summedPower(clauses: readonly ReportedClause[]): Power | undefined {
  const all = clauses.flatMap(({ power }) => power ?? []);
  if (all.length === 0) return undefined;
  return all.reduce((sum, { noticed, of }) => ({ noticed: sum.noticed + noticed, of: sum.of + of }));
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
    const { reason: _, why: __, ...rest } = { ...clause, ...largerPower(then, clause) };
    return { ...rest, state: evidence.every(({ ok }) => ok) ? 'holds' : 'fails', evidence };
  });
}
