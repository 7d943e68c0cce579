/** Many simulated crashes on all cores, each followed by a recovery that is held against what was acknowledged. */

import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CrashOutcome } from '../faults/crash-run.js';

/** The outcome of many runs. */
interface SimulatedCrashes {
  readonly runs: number;
  /** Commands that were acknowledged before a fault, in all runs. */
  readonly acknowledged: number;
  /** How often a life of a store ended in each way. */
  readonly ends: Readonly<Record<string, number>>;
  readonly broken: readonly CrashOutcome[];
}

/** Every fault that a disk or a machine can have has come about when each of these has. */
export const ENDS_EXPECTED = [
  'power: power lost',
  'kill: killed',
  'eio: failed',
  'full: failed',
  'files: closed',
  'none: damage noticed',
];

/** Runs the seeds from `first` on. */
export async function simulatedCrashes(first: number, runs: number): Promise<SimulatedCrashes> {
  const ends: Record<string, number> = {};
  const broken: CrashOutcome[] = [];
  let [done, acknowledged] = [0, 0];
  const threads = Math.min(availableParallelism(), runs);
  const worker = async (index: number): Promise<void> => {
    const workerData = { first: first + index, last: first + runs - 1, step: threads };
    const thread = new Worker(new URL('./crash-worker.js', import.meta.url), { workerData });
    thread.on('message', (outcome: CrashOutcome) => {
      done += 1;
      acknowledged += outcome.acknowledged;
      for (const end of outcome.ends) ends[end] = (ends[end] ?? 0) + 1;
      if (outcome.broken !== null) broken.push(outcome);
    });
    await once(thread, 'exit');
  };
  await Promise.all(Array.from({ length: threads }, (_, index) => worker(index)));
  if (done !== runs) throw new Error(`${done} of ${runs} simulated crashes came to their end`);
  return { runs, acknowledged, ends, broken };
}
