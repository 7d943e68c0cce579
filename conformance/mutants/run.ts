/** Judges many mutants on worker threads. One mutant is judged in judge-mutant.ts. */
import { derivedMutants } from './derived.js';
import type { MutantResult } from './judge-mutant.js';
import type { Mutant } from './mutant.js';
import { onThreads } from './threads.js';

/** A worker keeps the modules of every mutant that it has loaded: it is replaced after this many. */
const MUTANTS_A_WORKER = 60;

/** A mutant that could not be judged: its change does not fit the reference any more, or the reference did not start. */
export interface BrokenMutant {
  readonly id: string;
  readonly error: string;
}

/** The outcomes of all mutants, in their order. */
export interface MutantsJudged {
  readonly results: readonly MutantResult[];
  readonly broken: readonly BrokenMutant[];
}

/** Where mutants are judged, and on how many threads. */
interface JudgingOptions {
  readonly threads: number;
  readonly onResult?: (result: MutantResult | BrokenMutant) => void;
  /** Another list of mutants, and the program of a worker that has the same list. */
  readonly mutants?: readonly Mutant<object>[];
  readonly program?: URL;
  readonly workerData?: unknown;
  /** Ends the judging; what was not judged by then has no outcome. */
  readonly signal?: AbortSignal | undefined;
}

/** Judges the mutants at these places of their list, by default that of the package. */
export async function judgeMutants(
  places: readonly number[],
  {
    threads,
    onResult = () => undefined,
    mutants = derivedMutants,
    program = new URL('./worker.js', import.meta.url),
    workerData,
    signal,
  }: JudgingOptions,
): Promise<MutantsJudged> {
  const results = new Map<number, MutantResult>();
  const broken = new Map<number, BrokenMutant>();
  await onThreads<MutantResult>(places, {
    program,
    workerData,
    threads,
    signal,
    jobsAWorker: MUTANTS_A_WORKER,
    onMessage: ({ job: place, result, error }) => {
      const unjudged = { id: mutants[place]?.id ?? String(place), error: error ?? 'no answer' };
      if (result === undefined) broken.set(place, unjudged);
      else results.set(place, result);
      onResult(result ?? unjudged);
    },
  });
  const inOrder = <T>(found: ReadonlyMap<number, T>): T[] => places.flatMap((place) => found.get(place) ?? []);
  return { results: inOrder(results), broken: inOrder(broken) };
}
