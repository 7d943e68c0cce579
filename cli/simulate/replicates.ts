/** `aips simulate replicates FILE`: plays several seeds of a scenario. How is in runs/simulation/replicates.ts. */

import { join } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import { Failure } from '../../runs/host/failure.js';
import { ensureFolder } from '../../runs/host/files.js';
import type { Output } from '../../runs/simulation/outputs.js';
import { pairedTotals, pairedTotalsText } from '../../runs/simulation/paired-totals.js';
import { threadsFor } from '../../runs/simulation/play-threads.js';
import { simulateReplicates } from '../../runs/simulation/replicates.js';
import type { ScenarioSource } from '../../runs/simulation/scenario-source.js';
import { parseSettings, scenarioUnder } from '../../runs/simulation/settings.js';
import type { Settings } from '../../simulator/run/simulate.js';
import type { Command } from '../flags/command.js';
import { behavioursFile, json, out, runs, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import { behavioursOf, scenarioOptions, sourceOf } from './options.js';

const RUNS_MAX = 1_000_000_000;

const options = {
  ...scenarioOptions,
  pair: {
    type: 'string',
    describe: 'protocol.x=y: play each seed under these numbers too, and print the paired differences of totals',
  },
  ...runs,
  ...threads,
  ...out,
  ...json,
  ...behavioursFile,
} as const;

/** `aips simulate replicates FILE`: seeds from `--seed` on. */
export const replicatesCommand: Command<InferredOptionTypes<typeof options> & { readonly file: string }> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The scenario, a YAML file' })
      .options(options)
      .example('$0 simulate replicates a.yaml --runs 8 --threads 2 --out out/a', 'eight seeds in two threads')
      .example(
        '$0 simulate replicates a.yaml --runs 8 --pair protocol.dms.missedAnchorsMax=90',
        'what a number changes',
      ),
  handler: async (flags) => {
    const { runs, threads: wanted, out, json, pair } = flags;
    requireWhole(runs, '--runs');
    requireWhole(wanted, '--threads');
    if (runs > RUNS_MAX) throw new Failure(`--runs must be at most ${RUNS_MAX}.`);
    if (out !== undefined) ensureFolder(out);
    const source = await sourceOf(flags, await behavioursOf(flags.behaviours));
    // Runs side by side need no more than their scenario; threads that are left share the agents of each.
    const workers = Math.min(wanted, runs);
    const each = { threads: Math.floor(wanted / workers), workers };
    const threads = threadsFor(source.scenario, each, (why) => console.error(why));
    const playing = { replicates: runs, workers, threads };
    if (pair === undefined) process.exitCode = (await simulateReplicates(source, playing, { out, json })).status;
    else process.exitCode = await playPairs(source, playing, parseSettings(pair), { out, json });
  },
};

/** Plays all seeds of a source, and again under further numbers; then prints the paired differences. Returns the exit status. */
async function playPairs(
  source: ScenarioSource,
  playing: Parameters<typeof simulateReplicates>[1],
  pair: Settings,
  { out, json }: Output,
): Promise<number> {
  const set = { ...source.set, ...pair };
  const { text, file, overlay } = source;
  const changed = { ...source, set, scenario: scenarioUnder(text, file, { overlay, set }) };
  const within = (name: string): Output => ({ out: out === undefined ? undefined : join(out, name), json });
  const a = await simulateReplicates(source, playing, within('base'));
  const b = await simulateReplicates(changed, playing, within('changed'));
  const differences = pairedTotals(a.totals, b.totals);
  console.log(json ? JSON.stringify({ differences }) : pairedTotalsText(differences, a.totals.length));
  return Math.max(a.status, b.status);
}
