import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SimulationResult } from '../reports/simulation-result.js';
import { Failure } from './failure.js';
import { ensureFolder, packageRoot, writeFiles } from './files.js';
import { interruptOf } from './play.js';
import { playReplicate, type ReplicateJob } from './replicate-worker.js';
import type { ScenarioSource } from './scenario-source.js';
import { exitStatusOf, type Output, simulationFiles } from './simulate-outputs.js';

/**
 * Plays a scenario with `replicates` seeds, from its own on, side by side in `workers` threads. Results come in the order of
 * the seeds and do not depend on the number of threads. Answers the exit status.
 */
export async function simulateReplicates(
  source: ScenarioSource,
  { replicates, workers }: { readonly replicates: number; readonly workers: number },
  { out, json }: Output,
): Promise<number> {
  const { text, file: label, set, seed } = source;
  const jobs = Array.from({ length: replicates }, (_, i): ReplicateJob => ({ text, label, set, seed: seed + i }));
  const results = workers === 1 ? await oneByOne(jobs) : await inThreads(jobs, Math.min(workers, jobs.length));
  const done = results.filter((result) => result !== undefined);
  for (const result of done) deliverReplicate(result, { out, json });
  const missing = jobs.length - done.length;
  if (missing > 0)
    throw new Failure(`Broken off: ${done.length} of ${jobs.length} replicates were played to their end.`);
  return exitStatusOf(done);
}

function deliverReplicate(result: SimulationResult, { out, json }: Output): void {
  const { manifest, expectations } = result;
  const failed = expectations.filter(({ holds }) => !holds).map(({ text }) => text);
  if (json) console.log(JSON.stringify(manifest));
  else {
    const verdict = failed.length === 0 ? 'all expectations hold' : `does not hold: ${failed.join('; ')}`;
    console.log(`seed ${manifest.seed}  ${manifest.event_hash}  ${verdict}`);
  }
  if (out === undefined) return;
  const folder = join(out, `seed-${manifest.seed}`);
  ensureFolder(folder);
  writeFiles(folder, simulationFiles(result, ''));
}

async function oneByOne(jobs: readonly ReplicateJob[]): Promise<(SimulationResult | undefined)[]> {
  const results: (SimulationResult | undefined)[] = [];
  for (const job of jobs) {
    const result = await playReplicate(job);
    if (result.manifest.partial) break;
    results.push(result);
  }
  return [...results, ...jobs.slice(results.length).map(() => undefined)];
}

async function inThreads(jobs: readonly ReplicateJob[], count: number): Promise<(SimulationResult | undefined)[]> {
  const results: (SimulationResult | undefined)[] = jobs.map(() => undefined);
  const interrupt = interruptOf();
  let next = 0;
  // Threads run what was built: they cannot read the sources as a test does.
  const script = join(packageRoot(), 'dist/cli/replicate-worker.js');
  const threads = Array.from({ length: count }, () => new Worker(script));
  const stopping = setInterval(() => {
    if (interrupt.isRequested()) for (const thread of threads) void thread.terminate();
  }, 100);
  try {
    await Promise.all(threads.map((thread) => serve(thread)));
  } finally {
    clearInterval(stopping);
    interrupt.forget();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  return results;

  /** Gives a thread one job after the other; ends when there are none or the thread is stopped. */
  function serve(thread: Worker): Promise<void> {
    return new Promise((done, fail) => {
      let at = -1;
      const give = (): void => {
        at = next++;
        if (at < jobs.length && !interrupt.isRequested()) thread.postMessage(jobs[at]);
        else done();
      };
      thread.on('message', (result: SimulationResult) => {
        results[at] = result;
        give();
      });
      // What a thread throws comes without its class.
      thread.on('error', (error) => fail(error.name === 'Failure' ? new Failure(error.message) : error));
      thread.on('exit', () => done());
      give();
    });
  }
}
