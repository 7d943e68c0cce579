/** `aips simulate fork FILE`: several futures of one run. How they are played is in runs/simulation/forks.ts. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { ensureFolder } from '../../runs/host/files.js';
import { simulateForks } from '../../runs/simulation/forks.js';
import { parseSettings } from '../../runs/simulation/settings.js';
import type { Command } from '../flags/command.js';
import { json, out } from '../flags/common-options.js';
import { scenarioOptions, seconds, sourceOf } from './options.js';

const options = {
  ...scenarioOptions,
  at: { type: 'string', demandOption: true, describe: 'Protocol time of the fork, such as 7d' },
  ...out,
  ...json,
} as const;

/** `aips simulate fork FILE`: each `--set` is one future. */
export const forkCommand: Command<InferredOptionTypes<typeof options> & { readonly file: string }> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The scenario, a YAML file' })
      .options(options)
      .example('$0 simulate fork a.yaml --at 7d --set protocol.dms.missedAnchorsMax=90', 'a rule that changes then'),
  handler: async ({ set = [], at, out, json, ...flags }) => {
    const [futures, atSec] = [set.map(parseSettings), seconds('--at', at)];
    if (out !== undefined) ensureFolder(out);
    const source = await sourceOf({ ...flags, set: undefined });
    process.exitCode = await simulateForks(source, { atSec, at, futures }, { out, json });
  },
};
