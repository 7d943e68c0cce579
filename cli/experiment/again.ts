/** `aips experiment again FOLDER`: plays a published sweep again, and says whether it can be reproduced. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { jsonText } from '../../results/json-text.js';
import { loadBehaviours, requireSameModule } from '../../runs/behaviours/behaviours-file.js';
import { readSweepFolder } from '../../runs/experiment/sweep-folder.js';
import { playSweep } from '../../runs/experiment/sweep-run.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import type { Command } from '../flags/command.js';
import { behavioursFile, json, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import type { Playing } from './play.js';

const options = { ...threads, ...behavioursFile, ...json } as const;

/** `aips experiment again FOLDER`: exit 0 if every run has the events that were published. */
export const againCommand: Command<InferredOptionTypes<typeof options> & { readonly folder: string }> = {
  builder: (args: Argv) =>
    args
      .positional('folder', { type: 'string', demandOption: true, describe: 'Folder of the sweep' })
      .options(options)
      .example('$0 experiment again out/fees', 'whether a published sweep can be reproduced'),
  handler: async ({ folder, threads: workers, behaviours: module, json }) => {
    requireWhole(workers, '--threads');
    const behaviours = module === undefined ? undefined : await loadBehaviours(module);
    process.exitCode = await playAgain(folder, { workers, json, behaviours });
  },
};

/** Plays a sweep again and compares the events of each run with those in its folder. */
async function playAgain(
  folder: string,
  { workers, json, behaviours }: Pick<Playing, 'workers' | 'json' | 'behaviours'>,
): Promise<number> {
  const { plan, runs: published } = readSweepFolder(folder);
  requireSameModule(plan.inputs.behaviours, behaviours, `the sweep in ${folder}`);
  const playing = { workers, behaviours, shard: null, known: [], onRun: () => undefined };
  const { runs, interrupted } = await playSweep(plan, playing);
  if (interrupted) throw new Failure('Interrupted: the sweep was not played to its end.');
  const hashes = new Map(published.map(({ arm, replicate, event_hash }) => [`${arm} ${replicate}`, event_hash]));
  const different = runs.filter(({ arm, replicate, event_hash }) => hashes.get(`${arm} ${replicate}`) !== event_hash);
  const same = different.length === 0 && published.length === runs.length;
  if (json)
    process.stdout.write(
      jsonText({ runs: runs.length, published: published.length, different: different.length, same }),
    );
  else if (same) console.log(`reproduced: all ${runs.length} runs have the events that were published`);
  else
    console.log(
      `not reproduced: ${different.length} of ${runs.length} runs differ, ${published.length} were published`,
    );
  for (const { arm, replicate, seed } of different.slice(0, 5)) {
    console.error(`differs: ${plan.arms[arm]?.name}, replicate ${replicate}, seed ${seed}`);
  }
  return same ? EXIT.clean : EXIT.unclean;
}
