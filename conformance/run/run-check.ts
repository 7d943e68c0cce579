/**
 * Runs one check to its end, and ends it if it hangs. runner.ts orders the checks.
 */
import type { Evidence } from '../../model/evidence.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import type { End, EndedCheck } from '../judge/record.js';
import { aboutOf, againstOwn, endOf, isByControl, notTested } from '../judge/verdict.js';
import { type Check, levelOf } from '../trial/check.js';
import type { Turn } from '../trial/clock.js';
import { lateReason } from '../trial/observed.js';
import type { Session } from '../trial/session.js';
import { Trial } from '../trial/trial.js';
import type { Redactor } from '../wire/redact.js';

/**
 * A check hangs if it is awake and idle in this many tests in a row. Tests are counted, not seconds, since a machine that is too busy for the check
 * is too busy for the tests as well.
 */
const IDLE_LOOKS_MAX = 30;
const LOOK_MS = 1_000;
/** A delivery that was answered later than this may be sent again (4.17: within 3 s), so it is no evidence. */
const STALLED_MS = 1_000;
const BUSY = 'this machine was too busy to answer deliveries in time';
/** The fields of a finding that quote the target. */
const WORDS: ReadonlySet<string> = new Set(['about', 'expected', 'actual', 'reason', 'ended']);

/** The settings of a run that a check needs. */
interface RunOptions {
  /** The interval of the tests whether the check is idle; for tests. */
  readonly lookMs?: number;
}

/** Runs one check to its end, and never rejects. The verdict includes the evidence of the model. */
export async function runCheck(
  check: Check,
  session: Session,
  turn: Turn,
  options: RunOptions = {},
): Promise<EndedCheck> {
  const startedMs = session.wallMs();
  const trial = new Trial(session, check, turn);
  const stalls = new Stalls(options.lookMs ?? LOOK_MS);
  let thrown: { readonly error: unknown } | undefined;
  try {
    await watched(check, trial, stalls);
  } catch (error) {
    thrown = { error };
  }
  const { endedParts, waitedSec, doubtful } = trial;
  const { resent } = trial.exchanges;
  const evidence = trial.log.entries;
  const { clauses } = check;
  const ending = { endedParts, evidence, clauses, waitedSec, doubtful, resent };
  const end = endOf(thrown === undefined ? ending : { ...ending, thrown });
  const [against] = againstOwn(evidence, clauses).filter((one) => !doubtful.has(one));
  const isFound = against !== undefined && end?.verdict !== 'error' && !(end !== undefined && isByControl(end));
  const isStalled = check.needs.includes('webhooks') && stalls.totalMs() > STALLED_MS;
  const spoiled = isFound ? await spoiledBy(trial, isStalled, against) : undefined;
  const wallMs = session.wallMs() - startedMs;
  return endedCheck(check, trial, { end: spoiled ?? end, isSpoiled: spoiled !== undefined || !isFound }, wallMs);
}

/** The reason why the evidence of a check does not count: it missed a moment, or this machine was too busy for deliveries. */
async function spoiledBy(trial: Trial, isStalled: boolean, against: Evidence): Promise<End | undefined> {
  if (await trial.time.overtaken())
    return notTested(lateReason(`${aboutOf(against)} was seen too late, after the moment that it had to precede`));
  return isStalled ? { verdict: 'inconclusive', reason: BUSY } : undefined;
}

/** The entry of a check that did not run. */
export function unrun(check: Check, end: End | undefined): EndedCheck {
  const { id, title, clauses } = check;
  return {
    ...{ id, title, clauses, level: levelOf(check), wall_ms: 0 },
    transcript: () => [],
    evidence: [],
    withheld: [],
    ...(end && { end }),
  };
}

/** Measures by late timers how long this process could not run. */
class Stalls {
  looks = 0;
  readonly #startedMs = performance.now();

  constructor(readonly lookMs: number) {}

  totalMs(): number {
    return performance.now() - this.#startedMs - (this.looks + 1) * this.lookMs;
  }
}

/** Resolves when the check ends. Rejects when it has been awake and idle for too long. */
async function watched(check: Check, trial: Trial, stalls: Stalls): Promise<void> {
  let watch: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    let looks = 0;
    let done = trial.time.actions;
    const { lookMs } = stalls;
    const look = (): void => {
      stalls.looks += 1;
      const { asleep, busy, actions } = trial.time;
      looks = asleep || busy || actions !== done ? 0 : looks + 1;
      done = actions;
      if (looks < IDLE_LOOKS_MAX) return;
      reject(new Error(`the check never reported: it was idle in ${looks} tests, ${lookMs} ms apart`));
    };
    watch = setInterval(look, lookMs);
  });
  try {
    await Promise.race([trial.time.begin(check).then(() => check.run(trial)), idle]);
  } finally {
    clearInterval(watch);
  }
}

/** The log and the end of a check, without secrets. `isSpoiled`: the run may have caused the evidence against its clauses. */
function endedCheck(
  check: Check,
  trial: Trial,
  { end, isSpoiled }: { readonly end: End | undefined; readonly isSpoiled: boolean },
  wallMs: number,
): EndedCheck {
  const { redactor, log } = trial;
  const { id, title, clauses } = check;
  const { redactor: run } = trial.session;
  const exchanges = trial.exchanges.transcript.kept();
  const redacted = <T extends object>(values: T): T => redactedWords(redactor, values);
  // The evidence is discarded if the check ended with an error, or if the run may have caused it.
  const counts = end?.verdict !== 'error' && !(isSpoiled && againstOwn(log.entries, clauses).length > 0);
  const isSure = (entry: SeenEvidence): boolean =>
    !trial.doubtful.has(entry) && (entry.ok || end === undefined || !isByControl(end));
  const certain = counts ? log.entries.filter(isSure) : [];
  return {
    ...{ id, title, clauses, level: levelOf(check), wall_ms: Math.round(wallMs) },
    transcript: () => run.everywhere(exchanges.map((exchange) => redactor.exchange(exchange, run))),
    evidence: certain.map((entry) => {
      // Evidence for a clause quotes nothing of the target.
      if (entry.ok) return entry;
      const exchange = trial.against.get(entry);
      return { ...redacted(entry), ...(exchange === undefined ? {} : { exchange: redactor.exchange(exchange, run) }) };
    }),
    withheld: log.withheld.map(redacted),
    ...(end && { end: redacted(end) }),
  };
}

/** Redacts the texts of a finding together, since a secret may be split over them. */
function redactedWords<T extends object>(redactor: Redactor, values: T): T {
  const words = Object.entries(values).filter(([key, value]) => WORDS.has(key) && typeof value === 'string');
  const shown = redactor.together(words.map(([, value]) => value));
  return { ...values, ...Object.fromEntries(words.map(([key], index) => [key, shown[index]])) };
}
