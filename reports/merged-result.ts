/** Puts a run of some checks into the result of the run before it, so that a report speaks of all of them. It compares nothing. */

import {
  type CheckResult,
  type ConformanceResult,
  countsOf,
  type Finding,
  type ReportedClause,
  type Verdict,
} from './conformance-result.js';
import { type ConformanceWriting, isUndecided, VERDICTS } from './conformance-view.js';
import { failsRunBy } from './findings-view.js';
import { numberText } from './numbers.js';

/** `requireJudged`: percent of the must clauses that have to be judged. */
export interface Merging extends ConformanceWriting {
  readonly requireJudged?: number | undefined;
}

/**
 * Replaces in a result all that concerns the checks that ran again. The findings of every other check stay; time, requests, fees and
 * seed are of the later run.
 */
export function mergedResult(
  before: ConformanceResult,
  now: ConformanceResult,
  merging: Merging = {},
): ConformanceResult {
  const again = new Set(now.checks.map(({ id }) => id));
  const checks = withNew(before.checks, now.checks);
  const stands = (id: string): boolean => !again.has(id);
  const findings = withNew(findingsLeft(before.findings, stands), now.findings).toSorted(
    (a, b) => Number(a.level === 'decision') - Number(b.level === 'decision'),
  );
  const clauses = clausesOf(before.clauses, now.clauses, stands);
  const stems = new Set([...again].map((id) => id.split('/')[0] ?? ''));
  const left = (before.not_served ?? []).filter(({ stem }) => !stems.has(stem));
  const lacking = [...(now.not_served ?? []), ...left];
  const judged = clauses.filter(({ state }) => state === 'holds' || state === 'fails');
  const { not_served: _, ...rest } = now;
  return {
    ...rest,
    summary: {
      ...countsByVerdict(checks),
      clauses: { must: countsOf(clauses, 'must'), decision: countsOf(clauses, 'decision') },
    },
    ...(lacking.length === 0 ? {} : { not_served: lacking }),
    exit_status: statusOf(now, { checks, findings, clauses }, merging),
    findings,
    checks,
    coverage: {
      clauses: clauses.length,
      judged: judged.length,
      held: judged.filter(({ state }) => state === 'holds').length,
      excluded: clauses.filter(({ state }) => state === 'excluded').length,
    },
    clauses,
  };
}

/** A list in its order, with the new ones in the places of those with their ids, and the others behind. */
function withNew<T extends { readonly id: string }>(before: readonly T[], now: readonly T[]): readonly T[] {
  const newOnes = new Map(now.map((one) => [one.id, one]));
  const known = new Set(before.map(({ id }) => id));
  return [...before.map((one) => newOnes.get(one.id) ?? one), ...now.filter(({ id }) => !known.has(id))];
}

/** The findings of which no check ran again: one that did would have met it again. */
function findingsLeft(findings: readonly Finding[], stands: (check: string) => boolean): readonly Finding[] {
  return findings.filter(({ checks }) => checks.every(stands));
}

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
    const { reason, why, ...rest } = clause;
    const because = why?.kind === 'unchosen' ? then : { reason, why };
    if (evidence.length === 0)
      return {
        ...rest,
        state: 'not-judged',
        ...(because.reason === undefined ? {} : { reason: because.reason }),
        ...(because.why === undefined ? {} : { why: because.why }),
        evidence,
      };
    return { ...rest, state: evidence.every(({ ok }) => ok) ? 'holds' : 'fails', evidence };
  });
}

function countsByVerdict(checks: readonly CheckResult[]): Omit<ConformanceResult['summary'], 'clauses'> {
  const count = (verdict: Verdict): number => checks.filter((check) => check.verdict === verdict).length;
  return Object.fromEntries(
    VERDICTS.map(({ verdict }) => [verdict.replace('-', '_'), count(verdict)]),
  ) as unknown as Omit<ConformanceResult['summary'], 'clauses'>;
}

function statusOf(
  now: ConformanceResult,
  { checks, findings, clauses }: Pick<ConformanceResult, 'checks' | 'findings' | 'clauses'>,
  { requireJudged = 0, ...writing }: Merging,
): 0 | 1 | 2 {
  const { total, judged } = countsOf(clauses, 'must');
  if (findings.some((finding) => failsRunBy(finding, writing))) return 1;
  if (checks.some(({ flaky }) => flaky !== undefined) || (now.baseline?.faults.length ?? 0) > 0) return 1;
  if (now.stopped !== undefined || checks.some(isUndecided) || judged * 100 < requireJudged * total) return 2;
  return 0;
}

/** Clauses that are in another state than in an earlier result, by their ids. */
export interface Change {
  readonly holds: readonly string[];
  /** They held then. */
  readonly broken: readonly string[];
  /** They were not judged then. */
  readonly fails: readonly string[];
  readonly unjudged: readonly string[];
}

/** The difference between two results. A clause of which no check was chosen has not changed. */
export function changeBetween(before: ConformanceResult, now: ConformanceResult): Change {
  const then = new Map(before.clauses.map(({ id, state }) => [id, state]));
  const changed = now.clauses.filter(({ id, state }) => then.get(id) !== state);
  const ids = (
    state: ReportedClause['state'],
    test: (one: ReportedClause) => boolean = () => true,
  ): readonly string[] => changed.filter((one) => one.state === state && test(one)).map(({ id }) => id);
  const held = ({ id }: ReportedClause): boolean => then.get(id) === 'holds';
  return {
    holds: ids('holds'),
    broken: ids('fails', held),
    fails: ids('fails', (one) => !held(one)),
    unjudged: ids('not-judged', ({ why }) => why?.kind !== 'unchosen'),
  };
}

/** `+226 hold, -2 fail that held`: of the clauses; empty where there is no difference. */
export function changeText({ holds, broken, fails, unjudged }: Change): string {
  return [
    ...(holds.length === 0 ? [] : [`+${numberText(holds.length)} hold`]),
    ...(broken.length === 0 ? [] : [`-${numberText(broken.length)} fail that held`]),
    ...(fails.length === 0 ? [] : [`${numberText(fails.length)} fail that were not judged`]),
    ...(unjudged.length === 0 ? [] : [`${numberText(unjudged.length)} not judged any more`]),
  ].join(', ');
}
