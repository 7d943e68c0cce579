import type { CheckResult } from '../../reports/conformance-result.js';
import { type Finding, findingOf } from '../judge/verdict.js';
import { type Check, levelOf } from '../trial/check.js';
import type { Turn } from '../trial/clock.js';
import { lateReason } from '../trial/observed.js';
import type { Session } from '../trial/session.js';
import { Trial } from '../trial/trial.js';
import { curlScript } from '../wire/curl.js';

/**
 * A check that is awake and has done nothing in so many looks in a row counts as one that never reports. Looks are counted,
 * not seconds: where the machine is too busy to run the check, it does not run the looks either.
 */
const IDLE_LOOKS_MAX = 30;
const LOOK_MS = 1_000;
/** What of a finding quotes the target. */
const WORDS: ReadonlySet<string> = new Set(['about', 'expected', 'actual', 'reason']);

/** What a check needs to know of how it is run. */
export interface RunOptions {
  readonly strict: boolean;
  /** For tests: the time between two looks at whether the check does anything. */
  readonly lookMs?: number;
}

/** Runs one check to its result, whatever it does. */
export async function runCheck(check: Check, session: Session, turn: Turn, options: RunOptions): Promise<CheckResult> {
  const startedMs = session.wallMs();
  const trial = new Trial(session, check, turn);
  const { advisories, proven } = trial;
  const { unsupported } = session.target;
  const level = levelOf(check);
  const ending = { advisories, proven, clauses: check.clauses, level, strict: options.strict, unsupported };
  let finding: Finding;
  try {
    await watched(check, trial, options.lookMs ?? LOOK_MS);
    finding = findingOf({ ...ending, waitedSec: trial.waitedSec });
  } catch (error) {
    finding = findingOf({ ...ending, waitedSec: trial.waitedSec, thrown: { error } });
  }
  if ((finding.verdict === 'fail' || finding.verdict === 'advisory') && (await trial.overtaken())) {
    const reason = lateReason(`${finding.about} was told after what it was to come before`);
    finding = { verdict: 'not-tested', reason };
  }
  const over = overuseOf(check, trial.used);
  if (over !== undefined) finding = { verdict: 'error', reason: over };
  return resultOf(check, finding, trial, session.wallMs() - startedMs);
}

/** The result of a check that was not run. */
export function unrunResult(check: Check, finding: Finding): CheckResult {
  const { id, title, clauses } = check;
  return { id, title, clauses, level: levelOf(check), wall_ms: 0, transcript: [], curl: '', ...finding };
}

/** Ends when the check does, or rejects when it has been awake and idle for too long: it would never report. */
async function watched(check: Check, trial: Trial, lookMs: number): Promise<void> {
  let watch: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    let looks = 0;
    let done = trial.actions;
    const look = (): void => {
      looks = trial.asleep || trial.busy || trial.actions !== done ? 0 : looks + 1;
      done = trial.actions;
      if (looks < IDLE_LOOKS_MAX) return;
      reject(new Error(`the check never reported: it did nothing in ${looks} looks, ${lookMs} ms apart`));
    };
    watch = setInterval(look, lookMs);
  });
  try {
    await Promise.race([trial.begin(check).then(() => check.run(trial)), idle]);
  } finally {
    clearInterval(watch);
  }
}

/** A check that registers more than it declares would spoil the others' allotment: the suite's own fault. */
function overuseOf(check: Check, used: Trial['used']): string | undefined {
  const declared = {
    registers: check.registers,
    walletRegisters: check.walletRegisters ?? 0,
    tokens: check.tokens ?? 0,
  };
  const bucket = (['registers', 'walletRegisters', 'tokens'] as const).find((name) => used[name] > declared[name]);
  return bucket && `the check declares ${declared[bucket]} ${bucket} and used ${used[bucket]}`;
}

function resultOf(check: Check, finding: Finding, trial: Trial, wallMs: number): CheckResult {
  const { id, title, clauses } = check;
  const { redactor } = trial;
  const exchanges = trial.transcript.kept();
  const redacted = Object.fromEntries(
    Object.entries(finding).map(([key, value]) => [key, WORDS.has(key) ? redactor.redact(value) : value]),
  ) as Finding;
  return {
    id,
    title,
    clauses,
    level: levelOf(check),
    wall_ms: Math.round(wallMs),
    transcript: exchanges.map((exchange) => redactor.exchange(exchange)),
    curl: curlScript(exchanges, redactor),
    ...redacted,
  };
}
