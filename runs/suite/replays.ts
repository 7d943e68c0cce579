/** Judges recordings again and says what became of each, on threads where there are many. One recording is judged in record.ts. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { allChecks } from '../../conformance/checks/index.js';
import { conclude } from '../../conformance/judge/conclude.js';
import { answerJobs, onThreads } from '../../conformance/mutants/threads.js';
import { type ConformOptions, runSuite } from '../../conformance/run/runner.js';
import type { Recording } from '../../conformance/tape/read-recording.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import type { ReplayedRecording, UnreadRecording, Unshown } from '../../results/replay-result.js';
import { Failure } from '../host/failure.js';
import { packageRoot } from '../host/package.js';
import { clausesByState, judgeRecording, readRecording } from './record.js';
import { suiteDigests } from './suite-digests.js';

/** A recording and its result by this version, against what its own run found. */
export function replayedOf(
  file: string,
  { manifest, target }: Recording,
  result: ConformanceResult,
  unshown: Unshown,
): ReplayedRecording {
  const { suite, text } = suiteDigests();
  const { exit_status, holds, fails } = manifest.result;
  const now = clausesByState(result);
  const judged = new Set([...now.holds, ...now.fails]);
  return {
    ...{ file, server: target.baseUrl, recorded_at: new Date(manifest.started_ms).toISOString() },
    tool_version: manifest.tool_version,
    same_suite: manifest.digests.suite === suite,
    same_text: manifest.digests.text === text,
    was: { exit_status, hold: holds.length, fail: fails.length },
    now: { exit_status: result.exit_status, hold: now.holds.length, fail: now.fails.length },
    fails_now: now.fails.filter((id) => !fails.includes(id)),
    passes_now: now.holds.filter((id) => fails.includes(id)),
    unjudged_now: [...holds, ...fails].filter((id) => !judged.has(id)),
    unshown,
  };
}

/** Judges the recording in a file again; one that cannot be read is a row with its reason. */
async function replayFile(file: string, options: ConformOptions): Promise<ReplayedRecording | UnreadRecording> {
  try {
    const recording = readRecording(file);
    const { record, unshown } = await judgeRecording(recording, options, runSuite);
    const { strict, requireJudged, requirePower } = options;
    const judging = { checks: allChecks, strict, requireJudged, requirePower };
    return replayedOf(file, recording, conclude([record], judging), unshown);
  } catch (error) {
    if (error instanceof Failure) return { file, error: error.message };
    throw error;
  }
}

/** A thread has to load the suite, which takes as long as a recording or two. */
const FILES_A_THREAD = 4;

interface Replaying {
  readonly options: ConformOptions;
  readonly onFile: (file: string) => void;
}

/** Judges recordings again, in their order. A signal ends it, and what was not judged by then is left out. */
export async function replayFiles(
  files: readonly string[],
  { options, onFile }: Replaying,
): Promise<readonly (ReplayedRecording | UnreadRecording)[]> {
  const threads = Math.min(availableParallelism(), Math.floor(files.length / FILES_A_THREAD));
  const { strict, requireJudged, requirePower, toolVersion } = options;
  const rows: (ReplayedRecording | UnreadRecording)[] = [];
  if (threads < 2) {
    for (const [at, file] of files.entries()) {
      if (options.signal?.aborted === true) break;
      rows[at] = await replayFile(file, options);
      onFile(file);
    }
    return rows.flat();
  }
  await onThreads<ReplayedRecording | UnreadRecording>([...files.keys()], {
    // Threads run what was built: they cannot read the sources as a test does.
    program: new URL(`file://${join(packageRoot(), 'dist/runs/suite/replays.js')}`),
    workerData: { replay: { files, strict, requireJudged, requirePower, toolVersion } satisfies Job },
    threads,
    jobsAWorker: files.length,
    signal: options.signal,
    onMessage: ({ job, result, error }) => {
      const file = files[job] as string;
      rows[job] = result ?? { file, error: `${file}: ${error}` };
      onFile(file);
    },
  });
  return rows.flat();
}

/** The data of a thread: all files, of which each job is one. */
interface Job {
  readonly files: readonly string[];
  readonly toolVersion: string;
  readonly strict: boolean | undefined;
  readonly requireJudged: number | undefined;
  readonly requirePower: number | undefined;
}

const given = (workerData as { readonly replay?: Job } | null)?.replay;
if (given !== undefined) {
  const { files, toolVersion, strict = false, requireJudged = 0, requirePower = 0 } = given;
  const options = { seed: 1, toolVersion, strict, requireJudged, requirePower, nowWallMs: Date.now };
  answerJobs((job) => replayFile(files[job] as string, options));
}
