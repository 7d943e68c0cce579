/**
 * Plays replicates of a scenario in a worker thread or in the main one. simulate-replicates.ts starts the threads,
 * and hands out the results in order.
 */

import { parentPort, workerData } from 'node:worker_threads';
import type { ModuleOrigin, SimulationResult } from '../../results/simulation-result.js';
import { loadBehaviours, type OwnBehaviours, requireSameModule } from '../behaviours/behaviours-file.js';
import { playThreads } from './play-threads.js';
import { type ScenarioOptions, sourceOfText } from './scenario-source.js';

/** The input that all threads share: one scenario, its seeds, and the counter of replicates. */
export interface ReplicateShare extends Omit<ScenarioOptions, 'behaviours'> {
  readonly text: string;
  readonly label: string;
  /** Of the first replicate; the n-th one, from 0, has a seed that is larger by n. */
  readonly seed: number;
  readonly replicates: number;
  /** Of each replicate. */
  readonly threads: number;
  /** The module of the user's own behaviours, which each thread loads for itself. */
  readonly module?: ModuleOrigin | undefined;
  /** Two numbers of 32 bits for all threads: the next replicate, and 1 when all are to stop. */
  readonly state: SharedArrayBuffer;
}

const NEXT = 0;
const STOP = 1;

/** The initial state that threads share. */
export function sharedState(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/** Asks all threads to stop. */
export function stopReplicates(state: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(state), STOP, 1);
}

/** Plays replicates until all are taken or the threads are asked to stop. It is the same in every thread. */
export async function playReplicates(
  { text, label, overlay, set, seed, replicates, threads, state }: ReplicateShare,
  onResult: (index: number, result: SimulationResult) => void,
  behaviours?: OwnBehaviours,
): Promise<void> {
  const words = new Int32Array(state);
  const interrupt = { isRequested: () => Atomics.load(words, STOP) !== 0 };
  while (!interrupt.isRequested()) {
    const index = Atomics.add(words, NEXT, 1);
    if (index >= replicates) return;
    const source = sourceOfText(text, { label, overlay, set, seed: seed + index, behaviours });
    const { result } = await playThreads(source, { threads, interrupt });
    onResult(index, result);
  }
}

/** The message of a thread to the thread that started it: the result of one replicate. */
export interface ReplicateResult {
  readonly index: number;
  readonly result: SimulationResult;
}

const given = workerData as ReplicateShare | null;
if (parentPort !== null && given?.state instanceof SharedArrayBuffer) {
  const port = parentPort;
  const own = given.module === undefined ? undefined : await loadBehaviours(given.module.file);
  requireSameModule(given.module, own, 'the first replicate');
  await playReplicates(given, (index, result) => port.postMessage({ index, result }), own);
}
