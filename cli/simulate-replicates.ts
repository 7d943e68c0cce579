import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SimulationResult } from '../reports/simulation-result.js';
import { EXIT, Failure } from './failure.js';
import { ensureFolder, packageRoot, writeFiles } from './files.js';
import { interruptOf } from './interrupt.js';
import {
  playReplicates,
  type ReplicateShare,
  type ReplicateTold,
  sharedState,
  stopReplicates,
} from './replicate-worker.js';
import type { ScenarioSource } from './scenario-source.js';
import { exitStatusOf, type Output, simulationFiles } from './simulate-outputs.js';

/** How often it is looked whether somebody wants an end. */
const LOOK_MS = 50;

/**
 * Plays a scenario with `replicates` seeds, from its own on, side by side in `workers` threads, of which this is one. Results are
 * handed out in the order of the seeds, each as soon as those before it are there, and do not depend on the number of threads.
 * Answers the exit status.
 */
export async function simulateReplicates(
  { text, file: label, set, seed }: ScenarioSource,
  { replicates, workers }: { readonly replicates: number; readonly workers: number },
  output: Output,
): Promise<number> {
  if (!Number.isSafeInteger(seed + replicates)) {
    throw new Failure(`--replicates ${replicates} from --seed ${seed} on go beyond the largest seed.`);
  }
  const share: ReplicateShare = { text, label, set, seed, replicates, state: sharedState() };
  const found = new InOrder(output);
  const interrupt = interruptOf();
  const looking = setInterval(() => {
    if (interrupt.isRequested()) stopReplicates(share.state);
  }, LOOK_MS);
  const tell = (index: number, result: SimulationResult): void => found.add(index, result);
  const threads = Array.from({ length: Math.min(workers, replicates) - 1 }, () => inThread(share, tell));
  const here = playReplicates(share, tell);
  try {
    await Promise.all([here, ...threads]);
  } catch (error) {
    // What the others have begun is broken off; nothing that was found is lost.
    stopReplicates(share.state);
    await Promise.allSettled([here, ...threads]);
    throw error;
  } finally {
    clearInterval(looking);
    interrupt.forget();
    found.flush();
  }
  if (found.whole < replicates) {
    throw new Failure(`Broken off: ${found.whole} of ${replicates} replicates were played to their end.`);
  }
  return found.status;
}

/** Plays replicates in a thread of their own, until there are none left. */
function inThread(share: ReplicateShare, tell: (index: number, result: SimulationResult) => void): Promise<void> {
  return new Promise((done, fail) => {
    // Threads run what was built: they cannot read the sources as a test does.
    const thread = new Worker(join(packageRoot(), 'dist/cli/replicate-worker.js'), { workerData: share });
    thread.on('message', ({ index, result }: ReplicateTold) => tell(index, result));
    // What a thread throws comes without its class.
    thread.on('error', (error) => fail(error.name === 'Failure' ? new Failure(error.message) : error));
    thread.on('exit', () => done());
  });
}

/** Hands out results in the order of their seeds, and keeps no more of them than have to wait for an earlier one. */
class InOrder {
  private readonly waiting = new Map<number, SimulationResult>();
  private next = 0;
  /** Those that were played to their end, and the worst exit status of these. */
  whole = 0;
  status: number = EXIT.clean;

  constructor(private readonly output: Output) {}

  add(index: number, result: SimulationResult): void {
    this.waiting.set(index, result);
    for (let first = this.waiting.get(this.next); first !== undefined; first = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      this.next += 1;
      this.handOut(first);
    }
  }

  /** Hands out what waits for one that will not come. */
  flush(): void {
    const left = [...this.waiting].sort(([a], [b]) => a - b);
    this.waiting.clear();
    for (const [, result] of left) this.handOut(result);
  }

  private handOut(result: SimulationResult): void {
    deliverReplicate(result, this.output);
    if (result.manifest.partial) return;
    this.whole += 1;
    this.status = Math.max(this.status, exitStatusOf([result]));
  }
}

function deliverReplicate(result: SimulationResult, { out, json }: Output): void {
  const { manifest, expectations } = result;
  if (out !== undefined) {
    const folder = join(out, `seed-${manifest.seed}`);
    ensureFolder(folder);
    writeFiles(folder, simulationFiles(result, ''));
  }
  if (json) console.log(JSON.stringify(manifest));
  else console.log(`seed ${manifest.seed}  ${manifest.event_hash}  ${verdictOf(manifest.partial, expectations)}`);
}

function verdictOf(partial: boolean, expectations: SimulationResult['expectations']): string {
  if (partial) return 'broken off: partial';
  const failed = expectations.filter(({ holds }) => !holds).map(({ text }) => text);
  return failed.length === 0 ? 'all expectations hold' : `does not hold: ${failed.join('; ')}`;
}
