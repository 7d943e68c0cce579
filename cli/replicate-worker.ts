import { parentPort } from 'node:worker_threads';
import { startRun } from '../simulator/run.js';
import { resultOf } from '../simulator/simulate.js';
import { playRun } from './play.js';
import { runSourceOf, type ScenarioWishes, sourceOfText } from './scenario-source.js';

/** A thread of `aips simulate --replicates`: plays one seed after the other, as it is told, and sends back the results. */
export interface ReplicateJob extends ScenarioWishes {
  readonly text: string;
  readonly label: string;
}

/** Plays one replicate; the same in whatever thread. */
export async function playReplicate({ text, ...wishes }: ReplicateJob) {
  const source = sourceOfText(text, wishes);
  const run = startRun(source.scenario, source.seed);
  const played = await playRun(run);
  return resultOf(run, runSourceOf(source), played);
}

parentPort?.on('message', async (job: ReplicateJob) => {
  parentPort?.postMessage(await playReplicate(job));
});
