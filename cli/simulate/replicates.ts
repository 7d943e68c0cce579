/** `aips simulate replicates FILE`: plays several seeds of a scenario. How is in runs/simulation/replicates.ts. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { Failure } from '../../runs/host/failure.js';
import { ensureFolder } from '../../runs/host/files.js';
import { threadsFor } from '../../runs/simulation/play-threads.js';
import { simulateReplicates } from '../../runs/simulation/replicates.js';
import type { Command } from '../flags/command.js';
import { behavioursFile, json, out, runs, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import { behavioursOf, scenarioOptions, sourceOf } from './options.js';

const RUNS_MAX = 1_000_000_000;

const options = { ...scenarioOptions, ...runs, ...threads, ...out, ...json, ...behavioursFile } as const;

/** `aips simulate replicates FILE`: seeds from `--seed` on. */
export const replicatesCommand: Command<InferredOptionTypes<typeof options> & { readonly file: string }> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The scenario, a YAML file' })
      .options(options)
      .example('$0 simulate replicates a.yaml --runs 8 --threads 2 --out out/a', 'eight seeds in two threads'),
  handler: async (flags) => {
    const { runs, threads: wanted, out, json } = flags;
    requireWhole(runs, '--runs');
    requireWhole(wanted, '--threads');
    if (runs > RUNS_MAX) throw new Failure(`--runs must be at most ${RUNS_MAX}.`);
    if (out !== undefined) ensureFolder(out);
    const source = await sourceOf(flags, await behavioursOf(flags.behaviours));
    // Runs side by side need no more than their scenario; threads that are left share the agents of each.
    const workers = Math.min(wanted, runs);
    const each = { threads: Math.floor(wanted / workers), workers };
    const threads = threadsFor(source.scenario, each, (why) => console.error(why));
    process.exitCode = await simulateReplicates(source, { replicates: runs, workers, threads }, { out, json });
  },
};
