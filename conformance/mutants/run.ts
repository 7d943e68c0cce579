/** Judges many mutants on worker threads. What becomes of one is in judge-mutant.ts. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Overlay } from '../../spec/overlay.js';
import { allMutants } from './index.js';
import type { MutantResult } from './judge-mutant.js';

/** A worker keeps the modules of every mutant that it has loaded: it is replaced after so many. */
const MUTANTS_A_WORKER = 60;

/** A mutant that could not be judged: its patch does not fit the reference any more, or the reference did not start. */
export interface BrokenMutant {
  readonly id: string;
  readonly error: string;
}

/** The fates of all mutants, in their order. */
export interface MutantsJudged {
  readonly results: readonly MutantResult[];
  readonly broken: readonly BrokenMutant[];
}

type Message = { readonly place: number; readonly result?: MutantResult; readonly error?: string };

/** Judges the mutants at these places of the list, on so many threads; suite and reference both under an overlay. */
export async function judgeMutants(
  places: readonly number[],
  threads: number,
  onResult: (result: MutantResult | BrokenMutant) => void = () => undefined,
  overlay: Overlay = {},
): Promise<MutantsJudged> {
  const queue = [...places];
  const results = new Map<number, MutantResult>();
  const broken = new Map<number, BrokenMutant>();
  const thread = async (): Promise<void> => {
    while (queue.length > 0) {
      const worker = startWorker(overlay);
      try {
        for (let done = 0; done < MUTANTS_A_WORKER; done += 1) {
          const place = queue.shift();
          if (place === undefined) break;
          const { result, error } = await judged(worker, place);
          if (result !== undefined) results.set(place, result);
          else broken.set(place, { id: allMutants[place]?.id ?? String(place), error: error ?? 'no answer' });
          const kept = result ?? broken.get(place);
          if (kept !== undefined) onResult(kept);
        }
      } finally {
        await worker.terminate();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, threads) }, thread));
  const inOrder = <T>(found: ReadonlyMap<number, T>): T[] => places.flatMap((place) => found.get(place) ?? []);
  return { results: inOrder(results), broken: inOrder(broken) };
}

function startWorker(overlay: Overlay): Worker {
  const program = new URL('./worker.js', import.meta.url);
  return new Worker(fileURLToPath(program), { workerData: { overlay }, execArgv: [] });
}

function judged(worker: Worker, place: number): Promise<Message> {
  return new Promise((resolve) => {
    const end = (message: Message): void => {
      worker.off('message', end);
      worker.off('error', failed);
      resolve(message);
    };
    const failed = (error: Error): void => end({ place, error: error.message });
    worker.on('message', end);
    worker.on('error', failed);
    worker.postMessage(place);
  });
}
