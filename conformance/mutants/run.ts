/** Judges many mutants, or many seeds of chaos, on worker threads. What becomes of one is in judge-mutant.ts and judge-chaos.ts. */
import type { Overlay } from '../../spec/overlay.js';
import { allMutants } from './index.js';
import type { ChaosResult } from './judge-chaos.js';
import type { MutantResult } from './judge-mutant.js';
import { onThreads } from './threads.js';

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

/** Judges the mutants at these places of the list, on so many threads; suite and reference both under an overlay. */
export async function judgeMutants(
  places: readonly number[],
  threads: number,
  onResult: (result: MutantResult | BrokenMutant) => void = () => undefined,
  overlay: Overlay = {},
): Promise<MutantsJudged> {
  const results = new Map<number, MutantResult>();
  const broken = new Map<number, BrokenMutant>();
  await onThreads<MutantResult>(places, {
    program: new URL('./worker.js', import.meta.url),
    workerData: { overlay },
    threads,
    jobsAWorker: MUTANTS_A_WORKER,
    onTold: ({ job: place, result, error }) => {
      const unjudged = { id: allMutants[place]?.id ?? String(place), error: error ?? 'no answer' };
      if (result === undefined) broken.set(place, unjudged);
      else results.set(place, result);
      onResult(result ?? unjudged);
    },
  });
  const inOrder = <T>(found: ReadonlyMap<number, T>): T[] => places.flatMap((place) => found.get(place) ?? []);
  return { results: inOrder(results), broken: inOrder(broken) };
}

/** Judges the servers of these seeds, on so many threads, in their order. Throws where one could not be judged at all. */
export async function judgeChaosSeeds(
  seeds: readonly number[],
  threads: number,
  onResult: (result: ChaosResult) => void = () => undefined,
): Promise<readonly ChaosResult[]> {
  const results = new Map<number, ChaosResult>();
  const errors: string[] = [];
  await onThreads<ChaosResult>(seeds, {
    program: new URL('./chaos-worker.js', import.meta.url),
    threads,
    jobsAWorker: seeds.length,
    onTold: ({ job: seed, result, error }) => {
      if (result === undefined) errors.push(`seed ${seed}: ${error ?? 'no answer'}`);
      else {
        results.set(seed, result);
        onResult(result);
      }
    },
  });
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return seeds.flatMap((seed) => results.get(seed) ?? []);
}
