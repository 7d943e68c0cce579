/**
 * Derives the verdict of one check from its evidence and its end. The states of clauses, which combine several checks, are in
 * coverage.ts.
 */

import type { Evidence } from '../../model/evidence.js';
import { type Reason, reasonOf, type Verdict, type Why } from '../../results/conformance-result.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import { lacking, Unjudged } from '../assertions/unjudged.js';
import { TransportFailure } from '../wire/transport.js';
import { Stopped, Unaffordable } from '../wire/wire.js';
import type { CheckRun, End, EndedCheck, Judgement, Unknown } from './record.js';

/** The end of a check, and its evidence. */
export interface Ending {
  /** The error that `run` threw; absent if it returned. */
  readonly thrown?: { readonly error: unknown };
  /** The errors of parts that ended early. */
  readonly endedParts: readonly Unjudged[];
  readonly evidence: readonly Evidence[];
  /** The clauses that the check is about. */
  readonly clauses: readonly string[];
  /** Seconds of unexpected waiting because of a rate limit. */
  readonly waitedSec: number;
  /** Why a request was sent twice; absent if none was. */
  readonly resent?: string | undefined;
  /** Evidence against clauses that such a wait or a repeated request may have caused. */
  readonly doubtful: ReadonlySet<Evidence>;
}

/** The early end of a check, or the doubt about its evidence against clauses; undefined if there is neither. */
export function endOf(ending: Ending): End | undefined {
  const end = endOfCheck(ending);
  const against = againstOwn(ending.evidence, ending.clauses);
  if (against.length === 0 || end?.verdict === 'error' || (end !== undefined && isByControl(end))) return end;
  return against.every((one) => ending.doubtful.has(one)) ? doubtOf(ending, against) : end;
}

/**
 * The verdict of an ended check: `fail` with evidence against the text, `advisory` with evidence against a decision (`fail` in a
 * strict run), otherwise by its end. Only evidence about the check's own clauses counts.
 */
export function judgementOf(
  { end, evidence, withheld, clauses }: Omit<EndedCheck, 'transcript'>,
  strict: boolean,
): Judgement {
  if (end !== undefined && (!('reason' in end) || end.verdict === 'error')) return end;
  const against = againstOwn(evidence, clauses);
  const first = against.find(({ level }) => level === 'must') ?? against[0];
  if (first === undefined) return end ?? passIfJudged({ evidence, withheld, clauses });
  return {
    verdict: first.level === 'must' || strict ? 'fail' : 'advisory',
    about: aboutOf(first),
    expected: first.expected ?? '',
    actual: first.actual ?? '',
    ...(end === undefined ? {} : endedBy(end)),
  };
}

/**
 * Judges an ended check. `seen`: the evidence of the model; if a call of the control API is at fault, only its evidence for clauses counts.
 */
export function judgedRun({ end, ...ended }: EndedCheck, seen: readonly SeenEvidence[], strict: boolean): CheckRun {
  const counted = end !== undefined && isByControl(end) ? seen.filter(({ ok }) => ok) : seen;
  const all = { ...ended, evidence: [...ended.evidence, ...counted] };
  return { ...all, ...judgementOf({ ...all, ...(end && { end }) }, strict) } as CheckRun;
}

/** The evidence against the check's own clauses. */
export function againstOwn<E extends Evidence>(evidence: readonly E[], clauses: readonly string[]): readonly E[] {
  return evidence.filter(({ ok, clauses: named }) => !ok && named.some((id) => clauses.includes(id)));
}

/** True if a call of the control API is at fault: then the check's evidence against clauses does not count. */
export function isByControl(judged: object): boolean {
  return 'why' in judged && (judged.why as Why | undefined)?.kind === 'effect';
}

/** The fields of a reason next to a verdict with another cause. */
export function endedBy({ reason, why }: Reason): { readonly ended: string; readonly why?: Why } {
  return { ended: reason, ...(why === undefined ? {} : { why }) };
}

/** The verdict of a check if a wait or a repeated request may have caused all its evidence against clauses. */
function doubtOf({ waitedSec, resent = '' }: Ending, against: readonly Evidence[]): Unknown {
  const first = against.map(aboutOf)[0];
  if (waitedSec === 0) {
    const reason = `${resent}, and the target may have served the request twice, so its mismatch may be due to that`;
    return { verdict: 'inconclusive', reason: `${reason} (${first})` };
  }
  const reason = `a rate limit made it wait ${waitedSec} s on the way, so its mismatch may be due to that`;
  return notTested(lacking('client-ip', `${reason} (${first}); clients told apart (client_ip) would avoid it`));
}

/** The verdict of a check that could not be judged. */
export function notTested({ reason, why }: Reason): Unknown {
  const lack = why?.kind === 'endpoint' && why.of !== undefined ? { not_served: why.of } : {};
  return { verdict: 'not-tested', ...reasonOf(reason, why), ...lack };
}

/** The verdict of a check that is left out: inconclusive if a call of the control API fails, otherwise not tested. */
export function leftOutBy(because: Reason): Unknown {
  return { ...notTested(because), verdict: because.why?.kind === 'effect' ? 'inconclusive' : 'not-tested' };
}

/** The verdict of a complete check without evidence against clauses: it passes if it has evidence for one of its clauses. */
function passIfJudged({
  evidence,
  withheld,
  clauses,
}: Pick<EndedCheck, 'evidence' | 'withheld' | 'clauses'>): Judgement {
  if (evidence.some(({ clauses: named }) => named.some((id) => clauses.includes(id)))) return { verdict: 'pass' };
  const reasons = new Set(withheld.map(({ reason }) => reason));
  const reason = reasons.size === 0 ? 'it judged none of its clauses' : [...reasons].join('; ');
  return notTested(reasonOf(reason, withheld.find(({ why }) => why !== undefined)?.why));
}

/** The subject of evidence, with its endpoint. */
export function aboutOf({ endpoint, about }: Pick<Evidence, 'endpoint' | 'about'>): string {
  return endpoint === '' ? about : `${endpoint}: ${about}`;
}

/** Why a check or a part of it ended early; undefined if it did not. */
function endOfCheck({ thrown, endedParts }: Ending): Unknown | undefined {
  const error = thrown === undefined ? endedParts[0] : thrown.error;
  if (error === undefined) return undefined;
  if (error instanceof Unjudged) return { ...notTested(error.because), verdict: error.verdict };
  if (error instanceof Unaffordable) return notTested(lacking('budget', error.reason));
  if (error instanceof Stopped) return notTested(stoppedBy(error.stop));
  if (error instanceof TransportFailure) return { verdict: 'inconclusive', reason: error.message };
  return { verdict: 'error', reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

/** The reason for checks that a stopped run did not reach. */
export function stoppedBy({ reason, why }: Reason): Reason {
  return reasonOf(`the run was stopped: ${reason}`, why);
}

/** The facts that determine the exit status. */
interface Outcome {
  readonly counts: Readonly<Record<Verdict, number>>;
  /** The number of findings that fail the run: not excused, and against the text (in a strict run, also against decisions). */
  readonly failures: number;
  /** The run stopped, since the target could no longer be judged. */
  readonly unjudgeable: boolean;
  /** The percentage of judged must clauses; `requiredPercent`: the percentage of `--require-judged`. */
  readonly judgedPercent: number;
  readonly requiredPercent: number;
  /** The percentage of planted mistakes that the run would have noticed, and that of `--require-power`. */
  readonly powerPercent: number;
  readonly requiredPower: number;
  /** The number of other things that fail the run: flaky checks, and entries of a baseline that no longer apply. */
  readonly faults: number;
}

/**
 * 1: there was a failure, so the target is not conformant. 2: there was no failure, but the target was unreachable, a check was
 * inconclusive, no check was judged, too few clauses were judged, or too few planted mistakes would have been noticed. 0: conformant.
 */
export function exitStatusOf(outcome: Outcome): 0 | 1 | 2 {
  const { counts, failures, unjudgeable, judgedPercent, requiredPercent, powerPercent, requiredPower, faults } =
    outcome;
  if (failures + faults > 0) return 1;
  if (unjudgeable || counts.error > 0 || counts.inconclusive > 0) return 2;
  if (counts.pass + counts.advisory + counts.fail === 0 || judgedPercent < requiredPercent) return 2;
  if (powerPercent < requiredPower) return 2;
  return 0;
}
