/** Groups what could not be judged by reason: the clauses first, and the checks that waited for it. Missing endpoints are in not-served.ts. */

import {
  type ConformanceResult,
  type Reason,
  type ReportedClause,
  reasonOf,
  type Verdict,
} from '../../results/conformance-result.js';
import { isUnjudged, type Unjudged, VERDICTS } from './conformance-view.js';
import { adviceOn } from './need-hints.js';

interface Group extends Reason {
  /** The verdict of its checks; undefined where clauses alone have the reason, of checks that else came to their end. */
  readonly verdict: Verdict | undefined;
  readonly checks: Unjudged[];
  /** Clauses that nothing else has judged. */
  readonly clauses: ReportedClause[];
}

/** Checks and clauses that could not be judged for one reason. */
export interface UnjudgedGroup extends Group {
  readonly label: string;
  /** How a user can provide what was missing. */
  readonly provide?: string;
}

/** The number of clauses that a group leaves not judged, by level. */
export function clausesLeft({ clauses }: Pick<UnjudgedGroup, 'clauses'>): { must: number; decision: number } {
  const must = clauses.filter(({ level }) => level === 'must').length;
  return { must, decision: clauses.length - must };
}

/**
 * Checks and clauses without a judgement, by verdict and reason, except those that wait for a missing endpoint: the reason that leaves most must
 * clauses open first, and what was not chosen last.
 */
export function unjudgedGroups({
  checks,
  clauses,
}: Pick<ConformanceResult, 'checks' | 'clauses'>): readonly UnjudgedGroup[] {
  const groups: (Group & { readonly spans: Set<string> })[] = [];
  const groupOf = ({ reason = '', why }: Partial<Reason>, verdict?: Verdict): Group => {
    const [words, span = ''] = splitSpan(reason);
    const isSame = (one: Group): boolean =>
      (one.reason === words || isSameCall(one.why, why)) && (verdict === undefined || one.verdict === verdict);
    const group = groups.find(isSame) ?? {
      ...reasonOf(words, why),
      verdict,
      checks: [],
      clauses: [],
      spans: new Set(),
    };
    if (!groups.includes(group)) groups.push(group);
    group.spans.add(span);
    return group;
  };
  for (const check of checks.filter(isUnjudged))
    if (check.not_served === undefined) groupOf(check, check.verdict).checks.push(check);
  for (const clause of clauses)
    if (clause.state === 'not-judged' && clause.why?.kind !== 'endpoint') groupOf(clause).clauses.push(clause);
  const isUnchosen = ({ why }: Group): boolean => why?.kind === 'unchosen';
  return groups
    .toSorted(
      (a, b) =>
        Number(isUnchosen(a)) - Number(isUnchosen(b)) ||
        clausesLeft(b).must - clausesLeft(a).must ||
        b.checks.length - a.checks.length ||
        b.clauses.length - a.clauses.length ||
        (a.reason < b.reason ? -1 : 1),
    )
    .map(({ spans, ...group }) => ({
      ...group,
      reason: group.reason.replace(SPAN_HERE, spanText(spans)),
      ...shownOf(group),
    }));
}

/** Whether one broken call of the control API is the cause of both: each check that needs it describes it in other words. */
function isSameCall(one: Reason['why'], other: Reason['why']): boolean {
  return one?.kind === 'effect' && one.of !== undefined && other?.kind === 'effect' && one.of === other.of;
}

/** A time such as `52 s` or `1h30m`, of which a reason has one at most. */
const SPAN = /\b\d+ s\b|\b(?:\d+[hms])+\b/;
const SPAN_HERE = '\u{0}';

/** A reason without its time, and that time: reasons that differ in it alone are one. */
function splitSpan(reason: string): readonly [words: string, span?: string] {
  const [span] = SPAN.exec(reason) ?? [];
  return span === undefined ? [reason] : [reason.replace(span, SPAN_HERE), span];
}

/** `1m to 3h23m`: the shortest and the longest of some times. */
function spanText(spans: ReadonlySet<string>): string {
  const secOf = (span: string): number =>
    [...span.matchAll(/(\d+) ?([hms])/g)].reduce(
      (sum, [, n, unit]) => sum + Number(n) * (unit === 'h' ? 3_600 : unit === 'm' ? 60 : 1),
      0,
    );
  const sorted = [...spans].toSorted((a, b) => secOf(a) - secOf(b));
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

/** How a group is called, and how to provide what it lacks. */
function shownOf({ verdict, why }: Group): Pick<UnjudgedGroup, 'label' | 'provide'> {
  const provide = verdict === undefined || verdict === 'not-tested' ? why && adviceOn(why)?.text : undefined;
  const label = VERDICTS.find((one) => one.verdict === verdict)?.label ?? 'not judged';
  return { label, ...(provide === undefined ? {} : { provide }) };
}
