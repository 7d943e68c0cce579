import { parentPort, workerData } from 'node:worker_threads';
import type { SimulationResult } from '../reports/simulation-result.js';
import { startRun } from '../simulator/run/run.js';
import { resultOf } from '../simulator/run/simulate.js';
import { playRun } from './play.js';
import { runSourceOf, type ScenarioWishes, sourceOfText } from './scenario-source.js';

/** What threads that play replicates of one scenario share. */
export interface ReplicateShare extends ScenarioWishes {
  readonly text: string;
  readonly label: string;
  /** Of the first replicate; the n-th one, from 0, has a seed that is larger by n. */
  readonly seed: number;
  readonly replicates: number;
  /** Two numbers of 32 bits for all threads: the next replicate, and 1 when all are to stop. */
  readonly state: SharedArrayBuffer;
}

const NEXT = 0;
const STOP = 1;

/** The state that threads share, at its start. */
export function sharedState(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/** Asks all threads to break off what they play. */
export function stopReplicates(state: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(state), STOP, 1);
}

/** Plays replicates until none is left that no other thread has taken, or all are to stop; the same in whatever thread. */
export async function playReplicates(
  { text, label, set, seed, replicates, state }: ReplicateShare,
  tell: (index: number, result: SimulationResult) => void,
): Promise<void> {
  const words = new Int32Array(state);
  const interrupt = { isRequested: () => Atomics.load(words, STOP) !== 0 };
  while (!interrupt.isRequested()) {
    const index = Atomics.add(words, NEXT, 1);
    if (index >= replicates) return;
    const source = sourceOfText(text, { label, set, seed: seed + index });
    const run = startRun(source.scenario, source.seed);
    const played = await playRun(run, { interrupt });
    tell(index, resultOf(run, runSourceOf(source), played));
  }
}

/** What a thread tells whoever started it. */
export interface ReplicateTold {
  readonly index: number;
  readonly result: SimulationResult;
}

const given = workerData as ReplicateShare | null;
if (parentPort !== null && given?.state instanceof SharedArrayBuffer) {
  const port = parentPort;
  await playReplicates(given, (index, result) => port.postMessage({ index, result }));
}
