/** `aips experiment sweep FILE`: plays a sweep, or a part of one. The runs are played by runs/experiment. */

import type { Argv, InferredOptionTypes } from 'yargs';
import type { SweepInputs } from '../../results/sweep-result.js';
import { loadBehaviours } from '../../runs/behaviours/behaviours-file.js';
import { beginSweepFolder } from '../../runs/experiment/sweep-folder.js';
import { planOfFile } from '../../runs/experiment/sweep-plan.js';
import { Failure } from '../../runs/host/failure.js';
import { ensureFolder } from '../../runs/host/files.js';
import type { Command } from '../flags/command.js';
import { behavioursFile, json, out, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import { placeOptions, play, refuseQueuedAgents, shardOf } from './play.js';

const options = {
  ...out,
  ...threads,
  ...placeOptions,
  replicates: { type: 'number', describe: "Runs of each arm; absent: the file's own" },
  'until-half-width': {
    type: 'string',
    array: true,
    describe:
      'MEASURE=WIDTH: play more replicates until the 95 % interval of its mean reaches no further, in every arm',
  },
  'replicates-max': {
    type: 'number',
    describe: 'Number of runs at which --until-half-width gives up; absent: 1000',
  },
  ...behavioursFile,
  ...json,
} as const;

type Flags = InferredOptionTypes<typeof options> & { readonly file: string };

/** `aips experiment sweep FILE`: plays every arm of an experiment several times. */
export const sweepCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The sweep, a YAML file' })
      .options(options)
      .example('$0 experiment sweep flat-fees.yaml --threads 2 --out out/fees', 'all arms, in two threads')
      .example('$0 experiment sweep big.yaml --shard 1/3 --out out/1', 'one of three parts; then merge')
      .example('$0 experiment sweep big.yaml --redis redis://queue:6379 --out out/big', 'by aips experiment worker')
      .example('$0 experiment sweep own.yaml --behaviours my.js --out out/own', 'with your own heartbeat behaviours')
      .example('$0 experiment sweep a.yaml --until-half-width frozen_share=0.005', 'as many replicates as that needs'),
  handler: async (flags) => {
    process.exitCode = await statusOf(flags);
  },
};

async function statusOf(flags: Flags): Promise<number> {
  const { file, out, threads, replicates, redis, json } = flags;
  requireWhole(threads, '--threads');
  if (replicates !== undefined) requireWhole(replicates, '--replicates');
  const behaviours = flags.behaviours === undefined ? undefined : await loadBehaviours(flags.behaviours);
  const until = (flags['until-half-width'] ?? []).map(parseHalfWidth);
  const plan = await planOfFile(file, { replicates, until, replicatesMax: flags['replicates-max'] }, behaviours);
  refuseQueuedAgents(plan, redis);
  const shard = shardOf(flags.shard);
  if (shard !== null && out === undefined) throw new Failure('--shard needs --out, the folder that is merged later.');
  if (shard !== null && until.length > 0) {
    throw new Failure('--until-half-width needs the runs of all arms: leave out --shard.');
  }
  if (out !== undefined) {
    ensureFolder(out);
    beginSweepFolder(out, plan.inputs);
  }
  return play(plan, { known: [], folder: out, workers: threads, redis, behaviours, shard, json });
}

function parseHalfWidth(text: string): SweepInputs['until'][number] {
  const [, measure, width, percent] = /^([^=]+)=(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const halfWidth = Number(width) / (percent === '%' ? 100 : 1);
  if (measure === undefined || !(halfWidth > 0)) {
    throw new Failure(`--until-half-width ${text}: must have the form frozen_share=0.005, with a width above zero.`);
  }
  return { measure, half_width: halfWidth };
}
