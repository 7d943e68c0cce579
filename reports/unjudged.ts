/** Groups what could not be judged by reason: the clauses first, and the checks that waited for it. Endpoints that are not there are in not-served.ts. */

import type { ConformanceResult, NotServedEndpoint, ReportedClause, Verdict } from './conformance-result.js';
import { isUnjudged, type Unjudged, VERDICTS } from './conformance-view.js';
import { needHint } from './need-hints.js';

/** Checks and clauses that could not be judged for one reason. */
export interface UnjudgedGroup {
  /** The verdict of its checks; undefined where clauses alone have the reason, of checks that else came to their end. */
  readonly verdict: Unjudged['verdict'] | undefined;
  readonly label: string;
  readonly reason: string;
  readonly checks: readonly Unjudged[];
  /** Clauses that nothing else has judged. */
  readonly clauses: readonly ReportedClause[];
  /** How a user can provide what was missing. */
  readonly provide?: string;
}

/** The number of clauses that a group leaves not judged, by level. */
export function clausesLeft({ clauses }: Pick<UnjudgedGroup, 'clauses'>): { must: number; decision: number } {
  const must = clauses.filter(({ level }) => level === 'must').length;
  return { must, decision: clauses.length - must };
}

/**
 * Checks and clauses without a judgement, by verdict and reason, except those that wait for an endpoint that is not there: the reason that leaves
 * most must clauses open first, and what was not chosen last.
 */
export function unjudgedGroups(
  result: Pick<ConformanceResult, 'checks' | 'clauses' | 'not_served'>,
): readonly UnjudgedGroup[] {
  const unjudged = result.checks.filter(isUnjudged).filter(({ not_served }) => not_served === undefined);
  const groups = new Map<string, { verdict: Unjudged['verdict'] | undefined; reason: string; checks: Unjudged[] }>();
  for (const check of unjudged) {
    const key = `${check.verdict} ${check.reason}`;
    const group = groups.get(key) ?? { verdict: check.verdict, reason: check.reason, checks: [] };
    groups.set(key, group);
    group.checks.push(check);
  }
  const clausesOf = new Map<object, ReportedClause[]>();
  for (const clause of result.clauses) {
    const { state, reason = '' } = clause;
    if (state !== 'not-judged' || endpointAwaited(reason, result) !== undefined) continue;
    const group = [...groups.values()].find((one) => one.reason === reason) ?? {
      verdict: undefined,
      reason,
      checks: [],
    };
    if (group.verdict === undefined) groups.set(reason, group);
    clausesOf.set(group, [...(clausesOf.get(group) ?? []), clause]);
  }
  return [...groups.values()]
    .map((group) => unjudgedGroup(group, clausesOf.get(group) ?? []))
    .toSorted(
      (a, b) =>
        Number(isUnchosen(a)) - Number(isUnchosen(b)) ||
        clausesLeft(b).must - clausesLeft(a).must ||
        b.checks.length - a.checks.length ||
        b.clauses.length - a.clauses.length ||
        (a.reason < b.reason ? -1 : 1),
    );
}

/** The endpoint that is not there, and for which a reason says that something waits; undefined where it says another thing. */
export function endpointAwaited(
  reason: string,
  { not_served = [] }: Pick<ConformanceResult, 'not_served'>,
): NotServedEndpoint | undefined {
  return not_served.find(({ method, path }) => reason.includes(`needs ${method} ${path}, which `));
}

/** Whether a group is of clauses whose checks the run was not asked for. */
export function isUnchosen({ reason }: Pick<UnjudgedGroup, 'reason'>): boolean {
  return reason === 'none of its checks was chosen';
}

function unjudgedGroup(
  { verdict, reason, checks }: Pick<UnjudgedGroup, 'verdict' | 'reason' | 'checks'>,
  clauses: readonly ReportedClause[],
): UnjudgedGroup {
  const label = verdict === undefined ? 'not judged' : labelOf(verdict);
  const provide = verdict === undefined || verdict === 'not-tested' ? needHint(reason) : undefined;
  return { verdict, label, reason, checks, clauses, ...(provide === undefined ? {} : { provide }) };
}

function labelOf(verdict: Verdict): string {
  return VERDICTS.find((one) => one.verdict === verdict)?.label ?? verdict;
}
