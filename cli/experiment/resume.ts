/** `aips experiment resume FOLDER`: continues a sweep or a search, after Ctrl-C or a crash. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import { loadBehaviours, requireSameModule } from '../../runs/behaviours/behaviours-file.js';
import { resumeSearchFolder } from '../../runs/experiment/search-folder.js';
import { runsWithAgents } from '../../runs/experiment/sweep-agents.js';
import { keepRuns, readSweepFolder, SWEEP_INPUTS } from '../../runs/experiment/sweep-folder.js';
import type { Command } from '../flags/command.js';
import { behavioursFile, json, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import { deliverDesign } from './design.js';
import { deliverEquilibrium } from './equilibrium.js';
import { type Playing, placeOptions, play, refuseQueuedAgents, shardOf } from './play.js';
import { deliverSearch } from './search.js';

const options = { ...threads, ...placeOptions, ...behavioursFile, ...json } as const;

const DELIVER = { search: deliverSearch, equilibrium: deliverEquilibrium, design: deliverDesign } as const;

/** `aips experiment resume FOLDER`: everything but how it is played comes from the folder. */
export const resumeCommand: Command<InferredOptionTypes<typeof options> & { readonly folder: string }> = {
  builder: (args: Argv) =>
    args
      .positional('folder', { type: 'string', demandOption: true, describe: 'Folder of the sweep or the search' })
      .options(options)
      .example('$0 experiment resume out/fees --threads 2', 'after Ctrl-C, a crash or SIGKILL'),
  handler: async ({ folder, threads: workers, redis, shard, behaviours: module, json }) => {
    requireWhole(workers, '--threads');
    if (!existsSync(join(folder, SWEEP_INPUTS))) {
      const { kind, ...begun } = resumeSearchFolder(folder);
      process.exitCode = await DELIVER[kind]({ ...begun, out: folder }, { workers, json });
      return;
    }
    const behaviours = module === undefined ? undefined : await loadBehaviours(module);
    process.exitCode = await resumeSweep(folder, { workers, redis, json, behaviours, shard: shardOf(shard) });
  },
};

/** Continues a sweep. Failed runs are played again, since their cause may be temporary. */
function resumeSweep(folder: string, rest: Omit<Playing, 'known' | 'folder'>): Promise<number> {
  const { plan, runs } = readSweepFolder(folder);
  refuseQueuedAgents(plan, rest.redis);
  requireSameModule(plan.inputs.behaviours, rest.behaviours, `the sweep in ${folder}`);
  const complete = runs.filter(({ error }) => error === undefined);
  const known = runsWithAgents(folder, plan, complete);
  keepRuns(folder, known);
  return play(plan, { ...rest, known, folder });
}
