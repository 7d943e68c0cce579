/** `aips simulate FILE`: plays one run of a scenario in process. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { Failure } from '../../runs/host/failure.js';
import { ensureFolder } from '../../runs/host/files.js';
import {
  deliver,
  exitStatusOf,
  SIMULATION_FILES,
  warnOfNoEffects,
  writeTables,
} from '../../runs/simulation/outputs.js';
import { playThreads, threadsFor } from '../../runs/simulation/play-threads.js';
import { startRun } from '../../simulator/run/run.js';
import type { Command } from '../flags/command.js';
import { behavioursFile, json, out, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import { playAndDeliver } from './one-run.js';
import { behavioursOf, besideOptions, scenarioOptions, seconds, sourceOf } from './options.js';

const options = {
  ...scenarioOptions,
  ...out,
  ...json,
  ...besideOptions,
  trace: { type: 'boolean', default: false, describe: 'Write every event to events.ndjson.gz' },
  ...threads,
  ...behavioursFile,
} as const;

type Flags = InferredOptionTypes<typeof options> & { readonly file: string };

/** `aips simulate FILE`: runs a scenario in process. */
export const simulateCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The scenario, a YAML file' })
      .options(options)
      .example('$0 simulate scenarios/library/quickstart.yaml --seed 7 --out out/quickstart', 'with all results')
      .example('$0 simulate big.yaml --out out/big --checkpoint 1d', 'Ctrl-C, then aips simulate resume out/big')
      .example('$0 simulate big.yaml --threads 2', 'the same run in two threads: the same result, sooner')
      .example('$0 simulate a.yaml --behaviours my.js', 'with your own heartbeat behaviours'),
  handler: async (flags) => {
    process.exitCode = await statusOf(flags);
  },
};

async function statusOf(flags: Flags): Promise<number> {
  const { out, json, threads: wanted, checkpoint, trace, tables } = flags;
  requireWhole(wanted, '--threads');
  const beside = Object.entries({ checkpoint, trace, tables }).find(
    ([, value]) => value !== undefined && value !== false,
  );
  if (beside !== undefined && out === undefined)
    throw new Failure(`--${beside[0]} needs --out, the folder to write in.`);
  if (wanted > 1 && (trace || checkpoint !== undefined)) {
    throw new Failure('--trace and --checkpoint are of one thread: leave out --threads.');
  }
  const checkpointSec = checkpoint === undefined ? undefined : seconds('--checkpoint', checkpoint);
  if (out !== undefined) ensureFolder(out, SIMULATION_FILES);
  const behaviours = await behavioursOf(flags.behaviours);
  const source = await sourceOf(flags, behaviours);
  const threads = threadsFor(source.scenario, { threads: wanted }, (why) => console.error(why));
  if (threads === 1) {
    const run = startRun(source.scenario, source.seed, behaviours?.byName);
    return playAndDeliver(run, source, { out, json, tables, trace, checkpointSec });
  }
  const { result, agents } = await playThreads(source, { threads, agents: tables });
  if (tables && out !== undefined) writeTables(out, result, agents);
  deliver(result, { out, json });
  warnOfNoEffects([result.manifest]);
  return exitStatusOf([result]);
}
