/**
 * Two conformance reports compared by what they say: clause by clause, and check by check. Its writer is conformance-diff-text.ts.
 */

import { z } from 'zod';
import { CONFORMANCE_SCHEMA } from '../../results/conformance-result.js';

const state = z.enum(['holds', 'fails', 'not-judged', 'excluded']);
const level = z.enum(['must', 'decision']);

/** A conformance report, as far as it can be compared. */
export const comparedReport = z.object({
  schema: z.literal(CONFORMANCE_SCHEMA),
  tool_version: z.string(),
  target: z.object({ base_url: z.string() }),
  clauses: z
    .array(
      z.object({
        ...{ id: z.string(), section: z.string(), level, text: z.string(), state, reason: z.string().optional() },
        evidence: z
          .array(z.object({ check: z.string(), ok: z.boolean() }))
          .readonly()
          .optional(),
      }),
    )
    .readonly(),
  checks: z
    .array(
      z.object({
        id: z.string(),
        verdict: z.string(),
        about: z.string().optional(),
        expected: z.string().optional(),
        actual: z.string().optional(),
        reason: z.string().optional(),
        clauses: z.array(z.string()).readonly(),
      }),
    )
    .readonly(),
});

/** A conformance report, as far as it can be compared. */
export type ComparedReport = z.output<typeof comparedReport>;
type ClauseState = z.output<typeof state>;

/** The verdicts of checks that came to their end. */
const JUDGING: ReadonlySet<string> = new Set(['pass', 'fail', 'advisory']);

/** A clause whose state is another. */
export interface ChangedClause {
  readonly id: string;
  readonly section: string;
  readonly level: 'must' | 'decision';
  readonly text: string;
  readonly from: ClauseState;
  readonly to: ClauseState;
  /** Why it is no longer judged, or its deviation now, from the first check that reports one. */
  readonly why?: string;
}

/** A check whose verdict is another. */
interface ChangedCheck {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** The version of the shape. It changes when a field changes its meaning or goes. */
const CONFORMANCE_DIFF_SCHEMA = 'aips-lab/conformance-diff/1';

/** Everything that differs between two conformance reports. */
export interface ConformanceDiff {
  readonly schema: typeof CONFORMANCE_DIFF_SCHEMA;
  readonly from: { readonly target: string; readonly tool_version: string };
  readonly to: { readonly target: string; readonly tool_version: string };
  /** Held, and does not any more. */
  readonly regressed: readonly ChangedClause[];
  /** Did not hold, and does now: a check that found it wrong has judged again. */
  readonly fixed: readonly ChangedClause[];
  /** Did not hold, and does by other checks alone: none of those that found it wrong has judged again. */
  readonly unconfirmed: readonly ChangedClause[];
  /** Was not judged, and is now, whether it holds or not. */
  readonly newly_judged: readonly ChangedClause[];
  /** Was judged, and is not any more. */
  readonly no_longer_judged: readonly ChangedClause[];
  /** Failed, and fails. */
  readonly still_failing: readonly string[];
  readonly checks: readonly ChangedCheck[];
  /** The specification itself, by which the two were judged. */
  readonly specification: {
    readonly clauses_added: readonly string[];
    readonly clauses_removed: readonly string[];
    /** Statements with another meaning or level, whose change of state is not comparable. */
    readonly clauses_changed: readonly string[];
    readonly checks_added: readonly string[];
    readonly checks_removed: readonly string[];
  };
}

/** Compares two reports. A clause that states something else in the second is listed under `specification` alone. */
export function compareReports(from: ComparedReport, to: ComparedReport): ConformanceDiff {
  const before = new Map(from.clauses.map((clause) => [clause.id, clause]));
  const after = new Map(to.clauses.map((clause) => [clause.id, clause]));
  const changed = to.clauses.filter(({ id, text, level: now }) => {
    const then = before.get(id);
    return then !== undefined && (then.text !== text || then.level !== now);
  });
  const reworded = new Set(changed.map(({ id }) => id));
  const moved = to.clauses.flatMap((clause): ChangedClause[] => {
    const then = before.get(clause.id);
    if (then === undefined || reworded.has(clause.id) || then.state === clause.state) return [];
    const { id, section, level: of, text } = clause;
    const why = clause.reason ?? faultOf(id, to);
    return [
      { id, section, level: of, text, from: then.state, to: clause.state, ...(why === undefined ? {} : { why }) },
    ];
  });
  const judged = (each: ClauseState): boolean => each === 'holds' || each === 'fails';
  const checksBefore = new Map(from.checks.map(({ id, verdict }) => [id, verdict]));
  const checksAfter = new Set(to.checks.map(({ id }) => id));
  const judgedAgain = new Set(to.checks.flatMap(({ id, verdict }) => (JUDGING.has(verdict) ? [id] : [])));
  const isConfirmed = ({ id }: ChangedClause): boolean => {
    const against = (before.get(id)?.evidence ?? []).filter(({ ok, check }) => !ok && checksBefore.has(check));
    return against.length === 0 || against.some(({ check }) => judgedAgain.has(check));
  };
  const passing = moved.filter((each) => each.from === 'fails' && each.to === 'holds');
  return {
    schema: CONFORMANCE_DIFF_SCHEMA,
    from: { target: from.target.base_url, tool_version: from.tool_version },
    to: { target: to.target.base_url, tool_version: to.tool_version },
    regressed: moved.filter((each) => each.from === 'holds' && each.to === 'fails'),
    fixed: passing.filter(isConfirmed),
    unconfirmed: passing.filter((each) => !isConfirmed(each)),
    newly_judged: moved.filter((each) => !judged(each.from) && judged(each.to)),
    no_longer_judged: moved.filter((each) => judged(each.from) && !judged(each.to)),
    still_failing: to.clauses
      .filter(({ id, state: now }) => now === 'fails' && before.get(id)?.state === 'fails' && !reworded.has(id))
      .map(({ id }) => id),
    checks: to.checks.flatMap(({ id, verdict }) => {
      const then = checksBefore.get(id);
      return then === undefined || then === verdict ? [] : [{ id, from: then, to: verdict }];
    }),
    specification: {
      clauses_added: to.clauses.map(({ id }) => id).filter((id) => !before.has(id)),
      clauses_removed: from.clauses.map(({ id }) => id).filter((id) => !after.has(id)),
      clauses_changed: [...reworded],
      checks_added: to.checks.map(({ id }) => id).filter((id) => !checksBefore.has(id)),
      checks_removed: from.checks.map(({ id }) => id).filter((id) => !checksAfter.has(id)),
    },
  };
}

/** In the words of the first check about a clause that found something wrong. */
function faultOf(clause: string, { checks }: ComparedReport): string | undefined {
  const wrong = checks.find(({ clauses, expected }) => clauses.includes(clause) && expected !== undefined);
  return wrong === undefined
    ? undefined
    : `${wrong.about}: expected ${wrong.expected}, got ${wrong.actual} (${wrong.id})`;
}

/**
 * Whether the second report is worse: a must clause regressed. Strictly, also a decision, a must clause that is not judged any more, and one that
 * is judged for the first time and fails.
 */
export function hasRegressed(diff: ConformanceDiff, strict: boolean): boolean {
  const must = ({ level: of }: ChangedClause): boolean => of === 'must';
  if (!strict) return diff.regressed.some(must);
  const failing = diff.newly_judged.some(({ to }) => to === 'fails');
  return diff.regressed.length > 0 || failing || diff.no_longer_judged.some(must);
}
