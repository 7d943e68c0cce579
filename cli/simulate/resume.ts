/** `aips simulate resume FOLDER`: continues a run from its checkpoint, which holds the scenario, the seed and the settings. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { loadCheckpoint } from '../../runs/simulation/checkpoint-file.js';
import type { Command } from '../flags/command.js';
import { behavioursFile, json } from '../flags/common-options.js';
import { playAndDeliver } from './one-run.js';
import { behavioursOf, besideOptions, seconds } from './options.js';

const options = { ...besideOptions, ...json, ...behavioursFile } as const;

/** `aips simulate resume FOLDER`: the results are written into that folder. */
export const resumeCommand: Command<InferredOptionTypes<typeof options> & { readonly folder: string }> = {
  builder: (args: Argv) =>
    args
      .positional('folder', { type: 'string', demandOption: true, describe: 'Folder of the checkpoint' })
      .options(options)
      .example('$0 simulate resume out/big', 'after Ctrl-C'),
  handler: async ({ folder, json, tables, checkpoint, behaviours: module }) => {
    // It is saved when it is interrupted, whatever the interval of its checkpoints.
    const checkpointSec = checkpoint === undefined ? Number.POSITIVE_INFINITY : seconds('--checkpoint', checkpoint);
    const { run, source } = loadCheckpoint(folder, await behavioursOf(module));
    process.exitCode = await playAndDeliver(run, source, { out: folder, json, tables, checkpointSec });
  },
};
