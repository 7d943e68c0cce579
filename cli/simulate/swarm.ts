/**
 * `aips simulate swarm`: plays random small scenarios and writes down the first that fails. They are drawn and shrunk
 * in simulator/modes.
 */

import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Argv, InferredOptionTypes } from 'yargs';
import { EXIT } from '../../runs/host/failure.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { progressBar } from '../../runs/host/progress.js';
import { type GoalName, goalNames } from '../../scenarios/goals.js';
import { playSwarmScenario, type SwarmFailure } from '../../simulator/modes/swarm.js';
import type { Command } from '../flags/command.js';
import { json, out, runs, seed } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import { readSeed } from '../flags/server-flags.js';

const FILE = 'swarm-failure.yaml';

const options = { ...runs, ...seed, ...out, ...json } as const;
type Flags = InferredOptionTypes<typeof options>;

/**
 * `aips simulate swarm`: plays small random scenarios with all invariants on. The first that fails is shrunk to a scenario
 * file that fails alone, and ends the swarm. Exit 0 if none fails, 1 if one does, 2 if it was interrupted.
 */
export const swarmCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args.options(options).example('$0 simulate swarm --runs 200 --seed 1', 'random scenarios, all invariants on'),
  handler: async (flags) => {
    requireWhole(flags.runs, '--runs');
    if (flags.out !== undefined) ensureFolder(flags.out, [FILE]);
    process.exitCode = await swarm({ ...flags, seed: readSeed(flags.seed) });
  },
};

async function swarm({ runs: count, seed, out, json }: Flags): Promise<number> {
  const reached = new Map<GoalName, number>(goalNames.map((goal) => [goal, 0]));
  const interrupt = interruptOf();
  const bar = progressBar('scenarios', count);
  let played = 0;
  let operations = 0;
  let failure: SwarmFailure | null = null;
  try {
    while (played < count && failure === null && !interrupt.isRequested()) {
      const trial = playSwarmScenario(seed, played);
      if (trial.ok) {
        operations += trial.operations;
        for (const goal of trial.reached) reached.set(goal, (reached.get(goal) ?? 0) + 1);
      } else failure = trial;
      played += 1;
      bar.step('');
      await nextTurn();
    }
  } finally {
    interrupt.forget();
    bar.stop();
  }
  if (failure !== null && out !== undefined) writeFiles(out, { [FILE]: failureFile(failure) });
  if (json) console.log(JSON.stringify({ seed, played, operations, reached: Object.fromEntries(reached), failure }));
  else console.log(failure === null ? heldText(played, seed, operations, reached) : failureText(failure, out));
  if (failure !== null) return EXIT.unclean;
  return played === count ? EXIT.clean : EXIT.unable;
}

function heldText(played: number, seed: number, operations: number, reached: ReadonlyMap<GoalName, number>): string {
  return [
    `${played} scenarios of the swarm of seed ${seed}, ${operations} operations: every invariant held`,
    'how many of them reached',
    ...[...reached].map(([goal, times]) => `  ${goal.padEnd(22)} ${times}`),
  ].join('\n');
}

function failureFile({ message, shrunk }: SwarmFailure): string {
  const lines = message.split('\n').map((line) => `# ${line}`);
  return `${lines.join('\n')}\n${shrunk}`;
}

function failureText(failure: SwarmFailure, out: string | undefined): string {
  const { index, message, trials } = failure;
  const where = out === undefined ? failureFile(failure) : `aips simulate ${join(out, FILE)} fails in the same way`;
  return `scenario ${index} of the swarm: ${message}\nshrunk in ${trials} trials:\n${where}`;
}
