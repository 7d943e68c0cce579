/** Plays what is left of a sweep, and delivers what it found: for sweeps that begin and that go on. */

import type { SweepPlan } from '../../experiments/sweep/plan.js';
import { summarize } from '../../experiments/sweep/summary.js';
import type { SweepRun } from '../../results/sweep-result.js';
import type { OwnBehaviours } from '../../runs/behaviours/behaviours-file.js';
import { addRun, keepRuns, writeResults } from '../../runs/experiment/sweep-folder.js';
import { deliver, warnOfNoEffects } from '../../runs/experiment/sweep-outputs.js';
import { playSweep, type Shard } from '../../runs/experiment/sweep-run.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { withRules } from '../../runs/host/with-rules.js';

/** Where the runs of a sweep are played, and which of them. */
export const placeOptions = {
  redis: {
    type: 'string',
    describe: 'Redis of a queue, such as redis://127.0.0.1:6379: aips experiment worker plays the runs, on any machine',
  },
  shard: { type: 'string', describe: 'i/n: play the i-th of n parts, for aips experiment merge' },
} as const;

/** The shard of `--shard`; null for the whole sweep. */
export function shardOf(text: string | undefined): Shard | null {
  if (text === undefined) return null;
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { part: Number(part), of: Number(of) };
  if (part !== undefined && shard.part >= 1 && shard.part <= shard.of && shard.of <= 1_000_000) return shard;
  throw new Failure(`--shard ${text}: must have the form i/n, with i from 1 to n.`);
}

/** How the rest of a sweep is played, and where its results go. */
export interface Playing {
  readonly known: readonly SweepRun[];
  readonly folder: string | undefined;
  readonly workers: number;
  readonly redis: string | undefined;
  readonly behaviours: OwnBehaviours | undefined;
  readonly shard: Shard | null;
  readonly json: boolean;
}

/** Failure for a sweep with agents that is to be played by a queue. */
export function refuseQueuedAgents({ file, inputs }: SweepPlan, redis: string | undefined): void {
  if (!file.agents || redis === undefined) return;
  throw new Failure(`--redis: agents do not go through a queue. Leave out agents in ${inputs.file}, or --redis.`);
}

/** Plays what is left of a sweep, and delivers what it found. */
export async function play(plan: SweepPlan, { folder, json, ...playing }: Playing): Promise<number> {
  const { shard } = playing;
  const onRun = (run: SweepRun, agents?: Float64Array): void => {
    if (folder !== undefined) addRun(folder, run, agents);
  };
  const { runs, interrupted } = await playSweep(plan, { ...playing, onRun });
  if (interrupted) {
    const how =
      folder === undefined
        ? ''
        : `: continue with ${withRules(`aips experiment resume ${folder}${shard === null ? '' : ` --shard ${shard.part}/${shard.of}`}`)}`;
    console.error(`interrupted after ${runs.length} runs${how}`);
    return EXIT.unable;
  }
  if (shard !== null && folder !== undefined) {
    keepRuns(folder, runs);
    console.log(
      `shard ${shard.part} of ${shard.of}: ${runs.length} runs in ${folder}. When all are there: aips experiment merge DIR… --out DIR`,
    );
    return runs.some(({ error }) => error !== undefined) ? EXIT.unclean : EXIT.clean;
  }
  const summary = folder === undefined ? summarize(plan, runs) : writeResults(folder, plan, runs);
  const status = deliver(summary, folder, json);
  warnOfNoEffects(plan, runs);
  return status;
}
