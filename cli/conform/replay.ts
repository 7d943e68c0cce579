/** `aips conform replay FOLDER`: judges a recording as its target was judged. How it is replayed is in conformance/tape. */

import type { Argv } from 'yargs';
import { judgeRecording, readRecording } from '../../runs/suite/record.js';
import type { Command } from '../flags/command.js';
import { judged } from './judged.js';
import { suiteOptions, type VerdictFlags, verdictOptions } from './options.js';

/** `aips conform replay FOLDER`: the recorded checks, with the recorded seed, by the rules of this version. */
export const replayCommand: Command<VerdictFlags & { readonly folder: string }> = {
  builder: (args: Argv) =>
    args
      .positional('folder', { type: 'string', demandOption: true, describe: 'Folder of conform --record' })
      .options(verdictOptions)
      .example('$0 conform --target target.yaml --record tape', 'keeps all requests and replies …')
      .example('$0 conform replay tape', '… and judges them again without the server'),
  handler: async (flags) => {
    const recording = readRecording(flags.folder);
    const options = suiteOptions(flags);
    await judged(flags, {
      command: recording.manifest.command,
      judge: async (signal) => [await judgeRecording(recording, { ...options, signal })],
    });
  },
};
