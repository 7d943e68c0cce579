import type { Attributed, CheckResult, Mismatch, Verdict } from '../../reports/conformance-result.js';
import type { ClauseLevel } from '../../spec/clause.js';
import { clauseById } from '../../spec/clauses/index.js';
import { Mismatched } from '../assertions/mismatch.js';
import { Unjudged } from '../assertions/unjudged.js';
import { isDeclared, NotServed, needOf } from '../trial/presence.js';
import { TransportFailure } from '../wire/transport.js';
import { Stopped, Unaffordable } from '../wire/wire.js';

type Shown = Pick<CheckResult, 'holds'>;

/** What a check found, before it is put beside its id, level and transcript. */
export type Finding =
  | { readonly verdict: 'pass' }
  | ({ readonly verdict: 'fail' | 'advisory' } & Mismatch & Attributed & Shown)
  | ({
      readonly verdict: 'not-applicable' | 'not-tested' | 'inconclusive' | 'error';
      readonly reason: string;
      readonly not_served?: string;
    } & Shown);

/** How an end of a check is judged: what it threw, the decisions that it saw not followed, and its level. */
export interface Ending {
  /** What `run` threw; absent when it ended. */
  readonly thrown?: { readonly error: unknown };
  /** What assertions that rest on a decision have found. */
  readonly advisories: readonly Mismatched[];
  /** What the check had shown when it ended. */
  readonly proven: readonly string[];
  /** The clauses that the check judges. */
  readonly clauses: readonly string[];
  readonly level: ClauseLevel;
  readonly strict: boolean;
  /** Seconds that a rate limit made the check wait without its having asked for them. */
  readonly waitedSec: number;
  /** What the target file says that the target is not to have. */
  readonly unsupported: readonly string[];
}

/**
 * The finding of a check that has ended. A mismatch fails a check of level must; on a check whose clauses are all
 * decisions, and for assertions that rest on one, it is advisory unless the run is strict (design, section 4).
 */
export function findingOf(ending: Ending): Finding {
  const finding = ownFindingOf(ending);
  if (ending.waitedSec === 0 || (finding.verdict !== 'fail' && finding.verdict !== 'advisory')) return finding;
  const reason = `a rate limit made it wait ${ending.waitedSec} s on the way, so its mismatch may be due to that`;
  return { verdict: 'not-tested', reason: `${reason} (${finding.about}); client_ip would avoid it` };
}

function ownFindingOf(ending: Ending): Finding {
  const { thrown, advisories, level, strict } = ending;
  const advised: Verdict & ('fail' | 'advisory') = strict ? 'fail' : 'advisory';
  if (thrown === undefined) {
    const [first] = advisories;
    return first === undefined ? { verdict: 'pass' } : { verdict: advised, ...first.mismatch, ...attribution(ending) };
  }
  const { error } = thrown;
  if (error instanceof Mismatched) {
    return { verdict: level === 'must' ? 'fail' : advised, ...error.mismatch, ...attribution(ending, error) };
  }
  if (error instanceof NotServed) {
    const declared = isDeclared(error.endpoint, ending.unsupported);
    const reason = needOf(error.endpoint, declared);
    const lacking = declared ? {} : { not_served: error.endpoint };
    return { verdict: 'not-tested', reason, ...lacking, ...shown(ending, []) };
  }
  if (error instanceof Unjudged) return { verdict: error.verdict, reason: error.reason };
  if (error instanceof Unaffordable) return { verdict: 'not-tested', reason: error.reason };
  if (error instanceof Stopped) return { verdict: 'not-tested', reason: `the run was stopped: ${error.reason}` };
  if (error instanceof TransportFailure) return { verdict: 'inconclusive', reason: error.message };
  return { verdict: 'error', reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

/**
 * Which clauses a check has found not to hold: those that its mismatches speak about, or, where one does not say, all of
 * the check, and all decisions of it where it rests on a decision. A check that went on to its end has shown the others.
 */
function attribution(ending: Ending, thrown?: Mismatched): Attributed & Shown {
  const { advisories, clauses, proven } = ending;
  if (thrown !== undefined && thrown.clauses === undefined && proven.length === 0) return {};
  const decisions = clauses.filter((id) => clauseById(id).level === 'decision');
  const noted = advisories.flatMap((found) => found.clauses ?? decisions);
  const rest = clauses.filter((id) => !proven.includes(id));
  const fails = [...new Set([...(thrown === undefined ? [] : (thrown.clauses ?? rest)), ...noted])];
  if (thrown === undefined) return { fails, holds: clauses.filter((id) => !fails.includes(id)) };
  return { fails, ...shown(ending, fails) };
}

function shown({ advisories, proven }: Ending, fails: readonly string[]): Shown {
  const noted = advisories.flatMap((found) => found.clauses ?? []);
  const holds = proven.filter((id) => !fails.includes(id) && !noted.includes(id));
  return holds.length === 0 ? {} : { holds };
}

/** The numbers from which the exit status follows. */
export interface Outcome {
  readonly counts: Readonly<Record<Verdict, number>>;
  /** The run stopped because the target could no longer be judged. */
  readonly unjudgeable: boolean;
  /** Share of the clauses that were judged, and how much was asked for, in percent. */
  readonly judgedPercent: number;
  readonly requiredPercent: number;
  /** Failures that a baseline excuses. */
  readonly excused?: number;
  /** What else fails the run: flaky checks, and entries of a baseline that are not true any more. */
  readonly faults?: number;
}

/** 0 conformant, 1 not, 2 could not judge: unreachable, a check without an answer, none judged, or too few. */
export function exitStatusOf(outcome: Outcome): 0 | 1 | 2 {
  const { counts, unjudgeable, judgedPercent, requiredPercent, excused = 0, faults = 0 } = outcome;
  if (unjudgeable) return 2;
  if (counts.fail - excused + faults > 0) return 1;
  if (counts.error > 0 || counts.inconclusive > 0) return 2;
  if (counts.pass + counts.advisory + excused === 0 || judgedPercent < requiredPercent) return 2;
  return 0;
}
