/**
 * Derives the verdict of one check from its evidence and from how it ended. The state of a clause, for which several checks may
 * have evidence, is in coverage.ts.
 */

import type { Evidence, Withheld } from '../../model/evidence.js';
import { type Mismatch, type Reason, reasonOf, type Verdict, type Why } from '../../results/conformance-result.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import { lacking, Unjudged } from '../assertions/unjudged.js';
import { TransportFailure } from '../wire/transport.js';
import { Stopped, Unaffordable } from '../wire/wire.js';
import type { CheckRun } from './record.js';

/** The verdict of a check, without its id, level and transcript. */
export type Judgement =
  | { readonly verdict: 'pass' }
  | ({ readonly verdict: 'fail' | 'advisory'; readonly ended?: string; readonly why?: Why } & Mismatch)
  | Unknown;

/** A check without a judgement of its clauses, and the reason. */
interface Unknown extends Reason {
  readonly verdict: 'not-applicable' | 'not-tested' | 'inconclusive' | 'error';
  readonly not_served?: string;
  /** It came to its end without evidence of its own: that of the model decides. */
  readonly sawNothing?: true;
}

/** How a check ended. */
export interface Ending {
  /** The error that `run` threw; absent when it ended. */
  readonly thrown?: { readonly error: unknown };
  /** Parts of it that did not come to their end. */
  readonly endedParts: readonly Unjudged[];
  readonly evidence: readonly Evidence[];
  readonly withheld: readonly (Withheld & Reason)[];
  /** The clauses that the check is about: evidence on others, which it met in passing, does not count for its verdict. */
  readonly clauses: readonly string[];
  readonly strict: boolean;
  /** Seconds that a rate limit made the check wait unexpectedly. */
  readonly waitedSec: number;
  /** Why a request was sent twice; absent: none was. */
  readonly resent?: string | undefined;
  /** Evidence against clauses that came after one of these, and may be a consequence of it. */
  readonly doubtful: ReadonlySet<Evidence>;
}

/**
 * The verdict of a check that has ended: `fail` if there is evidence against the text, `advisory` if there is evidence against a
 * decision (in a strict run `fail`), otherwise by how it ended.
 */
export function judgementOf(ending: Ending): Judgement {
  const { evidence, clauses, strict, doubtful } = ending;
  const end = endOfCheck(ending);
  if (end?.verdict === 'error' || (end !== undefined && isByControl(end))) return end;
  const against = evidence.filter(({ ok, clauses: named }) => !ok && named.some((id) => clauses.includes(id)));
  if (against.length === 0) return end ?? unlessNothing(ending);
  const sure = against.filter((one) => !doubtful.has(one));
  const first = sure.find(({ level }) => level === 'must') ?? sure[0];
  if (first === undefined) return doubtOf(ending, against);
  return {
    verdict: first.level === 'must' || strict ? 'fail' : 'advisory',
    about: aboutOf(first),
    expected: first.expected ?? '',
    actual: first.actual ?? '',
    ...(end !== undefined && 'reason' in end ? endedBy(end) : {}),
  };
}

/** Whether a call of the control API is at fault: what a check saw against clauses may be due to that, and counts for nothing. */
export function isByControl(judged: object): boolean {
  return 'why' in judged && (judged.why as Why | undefined)?.kind === 'effect';
}

/** How a reason is shown with a verdict of another origin. */
export function endedBy({ reason, why }: Reason): { readonly ended: string; readonly why?: Why } {
  return { ended: reason, ...(why === undefined ? {} : { why }) };
}

/** The verdict where all evidence against clauses may be due to a wait, or to a request that was sent twice. */
function doubtOf({ waitedSec, resent = '' }: Ending, against: readonly Evidence[]): Judgement {
  const first = against.map(aboutOf)[0];
  if (waitedSec === 0) {
    const reason = `${resent}, and the target may have served the request twice, so its mismatch may be due to that`;
    return { verdict: 'inconclusive', reason: `${reason} (${first})` };
  }
  const reason = `a rate limit made it wait ${waitedSec} s on the way, so its mismatch may be due to that`;
  return notTested(lacking('client-ip', `${reason} (${first}); clients told apart (client_ip) would avoid it`));
}

/** The verdict of a check that something kept from being judged. */
export function notTested({ reason, why }: Reason): Unknown {
  const lack = why?.kind === 'endpoint' && why.of !== undefined ? { not_served: why.of } : {};
  return { verdict: 'not-tested', ...reasonOf(reason, why), ...lack };
}

/** The verdict of a check that is left out: what needs a call of the control API that fails is inconclusive. */
export function leftOutBy(because: Reason): Unknown {
  return { ...notTested(because), verdict: because.why?.kind === 'effect' ? 'inconclusive' : 'not-tested' };
}

/** A check that came to its end passes, unless it saw nothing of what it is about. */
function unlessNothing({ evidence, withheld, clauses }: Ending): Judgement {
  if (evidence.some(({ clauses: named }) => named.some((id) => clauses.includes(id)))) return { verdict: 'pass' };
  const reasons = new Set(withheld.map(({ reason }) => reason));
  const reason = reasons.size === 0 ? 'it saw nothing of its clauses' : [...reasons].join('; ');
  return { ...notTested(reasonOf(reason, withheld.find(({ why }) => why !== undefined)?.why)), sawNothing: true };
}

/** A run with further evidence, which counts for its verdict as that of its own assertions does. */
export function judgedWith(run: CheckRun, seen: readonly SeenEvidence[], strict: boolean): CheckRun {
  const counted = isByControl(run) ? seen.filter(({ ok }) => ok) : seen;
  const { sawNothing, ...judged } = { ...run, evidence: [...run.evidence, ...counted] };
  const about = counted.filter(({ clauses }) => clauses.some((id) => run.clauses.includes(id)));
  const against = about.filter(({ ok }) => !ok);
  const first = against.find(({ level }) => level === 'must') ?? against[0];
  if (run.verdict === 'error' || run.verdict === 'fail') return judged;
  if (first === undefined)
    return sawNothing === true && about.length > 0 ? { ...baseOf(judged), verdict: 'pass' } : judged;
  const verdict = first.level === 'must' || strict ? 'fail' : 'advisory';
  if (run.verdict === verdict) return judged;
  const mismatch = { about: aboutOf(first), expected: first.expected ?? '', actual: first.actual ?? '' };
  return { ...baseOf(judged), verdict, ...mismatch, ...('reason' in run ? endedBy(run) : {}) };
}

/** A run without its judgement. */
export function baseOf({ id, title, clauses, level, wall_ms, transcript, evidence, withheld }: CheckRun) {
  return { id, title, clauses, level, wall_ms, transcript, evidence, withheld };
}

/** The subject of evidence, with its endpoint. */
export function aboutOf({ endpoint, about }: Pick<Evidence, 'endpoint' | 'about'>): string {
  return endpoint === '' ? about : `${endpoint}: ${about}`;
}

/** Why a check, or a part of it, did not come to its end; undefined if it did. */
function endOfCheck({ thrown, endedParts }: Ending): Exclude<Judgement, { verdict: 'pass' }> | undefined {
  const error = thrown === undefined ? endedParts[0] : thrown.error;
  if (error === undefined) return undefined;
  if (error instanceof Unjudged) return { ...notTested(error.because), verdict: error.verdict };
  if (error instanceof Unaffordable) return notTested(lacking('budget', error.reason));
  if (error instanceof Stopped) return notTested(stoppedBy(error.stop));
  if (error instanceof TransportFailure) return { verdict: 'inconclusive', reason: error.message };
  return { verdict: 'error', reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

/** The reason of what a run that was stopped did not come to. */
export function stoppedBy({ reason, why }: Reason): Reason {
  return reasonOf(`the run was stopped: ${reason}`, why);
}

/** The facts from which the exit status follows. */
interface Outcome {
  readonly counts: Readonly<Record<Verdict, number>>;
  /** Findings that fail the run: against the text, or any where the run is strict, and not excused. */
  readonly failures: number;
  /** The run stopped because the target could no longer be judged. */
  readonly unjudgeable: boolean;
  /** Percentages of the must clauses: judged, and required by `--require-judged`. */
  readonly judgedPercent: number;
  readonly requiredPercent: number;
  /** The number of other things that fail the run: flaky checks, and entries of a baseline that no longer apply. */
  readonly faults: number;
}

/**
 * 1: not conformant, since there was a failure. 2: without a failure, the target could not be judged: it was unreachable, a check
 * was inconclusive, no check was judged, or too few clauses were. 0: conformant.
 */
export function exitStatusOf(outcome: Outcome): 0 | 1 | 2 {
  const { counts, failures, unjudgeable, judgedPercent, requiredPercent, faults } = outcome;
  if (failures + faults > 0) return 1;
  if (unjudgeable || counts.error > 0 || counts.inconclusive > 0) return 2;
  if (counts.pass + counts.advisory + counts.fail === 0 || judgedPercent < requiredPercent) return 2;
  return 0;
}
