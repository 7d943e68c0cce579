/**
 * `aips conform --record` and `aips conform replay`: judges and records a run, and judges a recording again. The form of a recording is in
 * conformance/tape.
 */

import { allChecks } from '../../conformance/checks/index.js';
import { conclude } from '../../conformance/judge/conclude.js';
import type { RunRecord } from '../../conformance/judge/record.js';
import { checksIn } from '../../conformance/run/in-dialect.js';
import { profileNamed } from '../../conformance/run/profile.js';
import type { ConformOptions } from '../../conformance/run/runner.js';
import { selectChecks } from '../../conformance/run/select.js';
import { parseRecording, type Recording } from '../../conformance/tape/read-recording.js';
import { Recorder } from '../../conformance/tape/recording.js';
import { Replay } from '../../conformance/tape/replay.js';
import type { Target } from '../../conformance/target/target.js';
import { httpTransport } from '../../conformance/wire/transport.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import type { Unshown } from '../../results/replay-result.js';
import { parsedOrFail } from '../host/files.js';
import { judge } from './judge.js';
import { suiteDigests } from './suite-digests.js';
import { ensureTape, keepTape, readTape } from './tape-files.js';

/** The file of a recording, or the folder that gets one, and the command that judges its target. */
interface Tape {
  readonly path: string;
  readonly command: string;
}

/** Judges a target and records its requests and replies, for `aips conform replay`. */
export async function judgeAndRecord(
  { path, command }: Tape,
  target: Target,
  options: ConformOptions,
): Promise<RunRecord> {
  ensureTape(path);
  const http = httpTransport({ end: options.signal, target });
  const recorder = new Recorder(target, http.send);
  const startedMs = options.nowWallMs();
  try {
    const record = await judge(target, {
      ...options,
      transport: recorder.send,
      receive: recorder.receive,
      chains: recorder.chains,
    });
    if (options.signal?.aborted === true) {
      console.error(`${path} holds no recording: the run was interrupted`);
      return record;
    }
    const file = keepTape(
      path,
      recordingOf(recorder, record, options, { startedMs, command }),
      target.baseUrl,
      startedMs,
    );
    if (file !== path) console.error(`recorded in ${file}`);
    return record;
  } finally {
    await http.close();
  }
}

/** The recording of a run that has ended, as text. */
export function recordingOf(
  recorder: Recorder,
  record: RunRecord,
  options: ConformOptions,
  { startedMs, command }: { readonly startedMs: number; readonly command: string },
): string {
  const { runs, spared } = record;
  const { clauses, exit_status } = conclude([record], { checks: allChecks, strict: options.strict });
  const result = { exit_status, ...clausesByState({ clauses }) };
  return recorder.written(options, {
    ...{ startedMs, command, spared, result },
    checks: runs.map(({ id }) => id),
    digests: suiteDigests(),
  });
}

/** The clauses that pass, and those that fail. */
export function clausesByState({ clauses }: Pick<ConformanceResult, 'clauses'>) {
  const idsOf = (state: 'holds' | 'fails'): string[] =>
    clauses.filter((one) => one.state === state).map(({ id }) => id);
  return { holds: idsOf('holds'), fails: idsOf('fails') };
}

/**
 * The recording in a file. Throws a Failure that says what is wrong with it. A recording is data, and may be a stranger's: it is a plain file of
 * bounded length, its digest is compared, and each of its fields is checked.
 */
export function readRecording(file: string): Recording {
  return parsedOrFail(parseRecording(readTape(file), file));
}

/** Whether a recording contains payments of a kind. */
export function isKept(kind: Target['payments']['kind']): boolean {
  return kind === 'control' || kind === 'none';
}

/** A recording that was judged again, and what this version asks that it does not show. */
interface JudgedRecording {
  readonly record: RunRecord;
  readonly unshown: Unshown;
}

/** Judges a recording as its target was judged: the same checks with the same seed, by the rules of this version. `run`: runs the suite. */
export async function judgeRecording(
  recording: Recording,
  options: ConformOptions,
  run: (target: Target, options: ConformOptions) => Promise<RunRecord> = judge,
): Promise<JudgedRecording> {
  const { manifest, target } = recording;
  const { spared } = manifest;
  const replay = new Replay(recording);
  const beganMs = options.nowWallMs();
  const record = await run(target, {
    ...options,
    // A quick run adds no looks, and has chosen its checks.
    looks: spared === undefined,
    seed: manifest.seed,
    concurrency: manifest.concurrency,
    allowWrites: manifest.allow_writes,
    profile: profileNamed(manifest.profile),
    only: manifest.checks,
    transport: replay.send,
    receive: replay.receive,
    chains: replay.chains,
    onBusy: replay.busy,
    onResult: (result) => {
      replay.ended(result.id);
      options.onResult?.(result);
    },
    // Time goes on from the start of the recording, so that budgets and ages are judged as they were.
    nowWallMs: () => manifest.started_ms + options.nowWallMs() - beganMs,
  });
  return {
    record: untimed(spared === undefined ? record : { ...record, spared }, manifest.started_ms),
    unshown: unshownOf(recording, replay),
  };
}

/** A record without the times of its run, which are those of the replay and not of the server: it began when the recording did. */
function untimed({ replyMs: _, ...record }: RunRecord, startedMs: number): RunRecord {
  return { ...record, replayed: true, startedMs, wallMs: 0, runs: record.runs.map((run) => ({ ...run, wall_ms: 0 })) };
}

/** The requests of this version to which a recording has no reply, and the checks that it does not have. */
function unshownOf({ manifest, target }: Recording, replay: Replay): Unshown {
  const { checks, spared = [], only, profile } = manifest;
  const suite = checksIn(allChecks, target.dialect);
  const known = new Set([...checks, ...spared]);
  const ids = new Set(suite.map(({ id }) => id));
  return {
    requests: Object.fromEntries(replay.unshown),
    new_checks: selectChecks(suite, { only, profile: profileNamed(profile) })
      .map(({ id }) => id)
      .filter((id) => !known.has(id)),
    gone_checks: checks.filter((id) => !ids.has(id)),
  };
}
