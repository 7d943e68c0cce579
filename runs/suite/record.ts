/**
 * `aips conform --record` and `aips conform replay`: judges and records a run, and judges a recording again. The format of a recording is in
 * conformance/tape.
 */

import type { RunRecord } from '../../conformance/judge/record.js';
import { profileNamed } from '../../conformance/run/profile.js';
import type { ConformOptions } from '../../conformance/run/runner.js';
import { parseRecording, type Recording } from '../../conformance/tape/read-recording.js';
import { Recorder } from '../../conformance/tape/recording.js';
import { Replay } from '../../conformance/tape/replay.js';
import type { Target } from '../../conformance/target/target.js';
import { httpTransport, type Transport } from '../../conformance/wire/transport.js';
import { ensureFolder, parsedOrFail } from '../host/files.js';
import { judge } from './judge.js';
import { keepTape, readEntries, readManifest } from './tape-files.js';

/** The folder of a recording, and the command that judges its target. */
interface Tape {
  readonly folder: string;
  readonly command: string;
}

/** Judges a target and records its requests and replies in a folder, for `aips conform replay`. */
export async function judgeAndRecord(
  { folder, command }: Tape,
  target: Target,
  options: ConformOptions,
): Promise<RunRecord> {
  ensureFolder(folder);
  const http = httpTransport({ end: options.signal, target });
  const recorder = new Recorder(target, http.send);
  const startedMs = options.nowWallMs();
  try {
    const record = await judge(target, { ...options, transport: recorder.send, receive: recorder.receive });
    if (options.signal?.aborted === true) {
      console.error(`${folder} holds no recording: the run was interrupted`);
      return record;
    }
    const checks = record.runs.map(({ id }) => id);
    const { spared } = record;
    keepTape(folder, recorder.files(options, { startedMs, checks, spared, command }));
    return record;
  } finally {
    await http.close();
  }
}

/**
 * The recording in a folder. Throws a Failure that says what is wrong with it. A recording is data, and may be a stranger's: its
 * files are plain files of bounded length, and each of their fields is checked.
 */
export function readRecording(folder: string): Recording {
  const manifest = readManifest(folder);
  const entries = readEntries(folder);
  return parsedOrFail(parseRecording(manifest, entries, folder));
}

/** Whether a recording contains payments of a kind. */
export function isKept(kind: Target['payments']['kind']): boolean {
  return kind === 'control' || kind === 'none';
}

/** Judges a recording as its target was judged: the same checks with the same seed, by the rules of this version. */
export async function judgeRecording(
  recording: Recording,
  options: ConformOptions,
  /** Observes the exchanges of the replay. */
  observedBy: (send: Transport) => Transport = (send) => send,
): Promise<RunRecord> {
  const { manifest, target } = recording;
  const { spared } = manifest;
  const replay = new Replay(recording);
  const beganMs = options.nowWallMs();
  const record = await judge(target, {
    ...options,
    // A quick run adds no looks, and has chosen its checks.
    looks: spared === undefined,
    seed: manifest.seed,
    concurrency: manifest.concurrency,
    allowWrites: manifest.allow_writes,
    profile: profileNamed(manifest.profile),
    only: manifest.checks,
    transport: observedBy(replay.send),
    receive: replay.receive,
    onBusy: replay.busy,
    onResult: ({ id }) => replay.ended(id),
    // Time goes on from the start of the recording, so that budgets and ages are judged as they were.
    nowWallMs: () => manifest.started_ms + options.nowWallMs() - beganMs,
  });
  return spared === undefined ? record : { ...record, spared };
}
