/** `aips simulate replicates`: plays several seeds in threads, and hands out their results in order. */

import { join } from 'node:path';
import type { SimulationResult } from '../../results/simulation-result.js';
import { originOf } from '../behaviours/behaviours-file.js';
import { EXIT, Failure } from '../host/failure.js';
import { ensureFolder, writeFiles } from '../host/files.js';
import { interruptOf } from '../host/interrupt.js';
import { startOwnThread } from '../host/own-program.js';
import { exitStatusOf, type Output, simulationFiles, warnOfNoEffects } from './outputs.js';
import {
  playReplicates,
  type ReplicateResult,
  type ReplicateShare,
  sharedState,
  stopReplicates,
} from './replicate-worker.js';
import type { ScenarioSource } from './scenario-source.js';

/** Milliseconds between two tests for an interrupt. */
const LOOK_MS = 50;

/**
 * Plays a scenario with `replicates` successive seeds in `workers` threads, of which this is one, and each replicate in `threads`. Results come in the order
 * of the seeds, each as soon as those before it are complete, and do not depend on the number of threads. Returns the exit
 * status, and the totals by seed.
 */
export async function simulateReplicates(
  { text, file: label, overlay, set, seed, behaviours }: ScenarioSource,
  { replicates, workers, threads }: Readonly<Record<'replicates' | 'workers' | 'threads', number>>,
  output: Output,
): Promise<{ readonly status: number; readonly totals: readonly SimulationResult['totals'][] }> {
  if (!Number.isSafeInteger(seed + replicates)) {
    throw new Failure(`--runs ${replicates} from --seed ${seed} on go beyond the largest seed.`);
  }
  const module = behaviours === undefined ? undefined : originOf(behaviours);
  const share: ReplicateShare = { text, label, overlay, set, seed, replicates, threads, module, state: sharedState() };
  const found = new InOrder(output);
  const interrupt = interruptOf();
  const looking = setInterval(() => {
    if (interrupt.isRequested()) stopReplicates(share.state);
  }, LOOK_MS);
  const onResult = (index: number, result: SimulationResult): void => found.add(index, result);
  const others = Array.from({ length: Math.min(workers, replicates) - 1 }, () => inThread(share, onResult));
  const here = playReplicates(share, onResult, behaviours);
  try {
    await Promise.all([here, ...others]);
  } catch (error) {
    // The other threads stop; no result that is complete is lost.
    stopReplicates(share.state);
    await Promise.allSettled([here, ...others]);
    throw error;
  } finally {
    clearInterval(looking);
    interrupt.forget();
    found.flush();
  }
  if (found.complete < replicates) {
    throw new Failure(`Interrupted: ${found.complete} of ${replicates} replicates were played to their end.`);
  }
  warnOfNoEffects(found.manifests);
  return { status: found.status, totals: found.totals };
}

/** Plays replicates in a new thread until none are left. */
function inThread(share: ReplicateShare, onResult: (index: number, result: SimulationResult) => void): Promise<void> {
  return new Promise((done, fail) => {
    const thread = startOwnThread('runs/simulation/replicate-worker.js', { workerData: share });
    thread.on('message', ({ index, result }: ReplicateResult) => onResult(index, result));
    // An error crosses threads without its class.
    thread.on('error', (error) => fail(error.name === 'Failure' ? new Failure(error.message) : error));
    thread.on('exit', () => done());
  });
}

/** Delivers results in the order of their seeds, and keeps only those that wait for an earlier one. */
class InOrder {
  private readonly waiting = new Map<number, SimulationResult>();
  private next = 0;
  /** The number of complete replicates, and their worst exit status. */
  complete = 0;
  status: number = EXIT.clean;
  /** The totals of the complete replicates, in the order of their seeds. */
  readonly totals: SimulationResult['totals'][] = [];
  /** Of the complete replicates: what shows that keys of the scenario had no effect. */
  readonly manifests: Pick<SimulationResult['manifest'], 'scenario' | 'no_effect'>[] = [];

  constructor(private readonly output: Output) {}

  add(index: number, result: SimulationResult): void {
    this.waiting.set(index, result);
    for (let first = this.waiting.get(this.next); first !== undefined; first = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      this.next += 1;
      this.deliver(first);
    }
  }

  /** Delivers results that wait for one that will not come. */
  flush(): void {
    const left = [...this.waiting].sort(([a], [b]) => a - b);
    this.waiting.clear();
    for (const [, result] of left) this.deliver(result);
  }

  private deliver(result: SimulationResult): void {
    deliverReplicate(result, this.output);
    if (result.manifest.partial) return;
    this.complete += 1;
    this.totals.push(result.totals);
    const { scenario, no_effect: notes = [] } = result.manifest;
    this.manifests.push({ scenario, no_effect: notes });
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
  if (partial) return 'interrupted: partial';
  const failed = expectations.filter(({ holds }) => !holds).map(({ text }) => text);
  return failed.length === 0 ? 'all expectations pass' : `fails: ${failed.join('; ')}`;
}
