/** `aips conform replay FILE…`: judges recordings as their targets were judged. How one is replayed is in conformance/tape. */

import type { Argv } from 'yargs';
import { replayJson, replayNotes, replayTable } from '../../reports/conformance/replay-text.js';
import { REPLAY_SCHEMA, type ReplayResult, type Unshown } from '../../results/replay-result.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { packageVersion } from '../../runs/host/package.js';
import { progressBar } from '../../runs/host/progress.js';
import { judgeRecording, readRecording } from '../../runs/suite/record.js';
import { replayedOf, replayFiles } from '../../runs/suite/replays.js';
import { tapesIn } from '../../runs/suite/tape-files.js';
import type { Command } from '../flags/command.js';
import { judged } from './judged.js';
import { suiteOptions, type VerdictFlags, verdictOptions } from './options.js';

/** `aips conform replay FILE…`: the recorded checks, with the recorded seed, by the rules of this version. */
export const replayCommand: Command<VerdictFlags & { readonly files: readonly string[] }> = {
  builder: (args: Argv) =>
    args
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Recordings of conform --record, or folders of them',
      })
      .options(verdictOptions)
      .example('$0 conform --target target.yaml --record run.aips.gz', 'keeps all requests and replies …')
      .example('$0 conform replay run.aips.gz', '… and judges them again without the server')
      .example('$0 conform replay recordings', 'judges all recordings in a folder: one line for each'),
  handler: async (flags) => {
    const files = tapesIn(flags.files);
    const [file] = files;
    if (file === undefined || files.length > 1) return replaySeveral(files, flags);
    const recording = readRecording(file);
    const options = suiteOptions(flags);
    let unshown: Unshown | undefined;
    const result = await judged(flags, {
      command: recording.manifest.command,
      judge: async (signal) => {
        const again = await judgeRecording(recording, { ...options, signal });
        unshown = again.unshown;
        return [again.record];
      },
    });
    if (unshown === undefined) return;
    const notes = replayNotes(replayedOf(file, recording, result, unshown)).join('\n');
    // Standard output is one JSON text where that is asked for.
    if (flags.json) console.error(notes);
    else console.log(notes);
  },
};

async function replaySeveral(files: readonly string[], flags: VerdictFlags): Promise<void> {
  const { out, baseline, roadmap, json } = flags;
  if (out !== undefined || baseline !== undefined || roadmap)
    throw new Failure('Give one recording with --out, --baseline or --roadmap. Several are a table, or --json.');
  const bar = progressBar('recordings', files.length);
  const interrupt = interruptOf();
  try {
    const options = { ...suiteOptions(flags), signal: interrupt.signal };
    const recordings = await replayFiles(files, { options, onFile: (file) => bar.step(file) });
    bar.stop();
    const statuses = recordings.map((each) => ('error' in each ? EXIT.unable : each.now.exit_status));
    if (recordings.length < files.length) statuses.push(EXIT.unable);
    const exit_status = statuses.includes(1) ? EXIT.unclean : statuses.includes(2) ? EXIT.unable : EXIT.clean;
    const result: ReplayResult = { schema: REPLAY_SCHEMA, tool_version: packageVersion(), recordings, exit_status };
    console.log(json ? replayJson(result).trimEnd() : replayTable(result));
    if (recordings.length < files.length)
      console.error(`${files.length - recordings.length} were not judged: ${String(interrupt.signal.reason)} came`);
    process.exitCode = exit_status;
  } finally {
    bar.stop();
    interrupt.forget();
  }
}
