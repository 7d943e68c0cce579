/** `--watched N`: whether the traffic of a run shows mutants that the seed draws, to an observer from an unknown start. */
import type { WatchedMutant } from '../conformance/mutants/judge-watched.js';
import { onThreads } from '../conformance/mutants/threads.js';
import { Draws } from '../conformance/trial/random.js';
import { allMutants } from './all-mutants.js';
import type { Work } from './worker.js';

interface WatchedOptions {
  readonly count: number;
  readonly seed: number;
  readonly threads: number;
  readonly json: boolean;
}

/** The share of mutants that the traffic has to show. */
const SHARE_MIN = 0.8;

/** Whether the traffic shows enough of the mutants. */
export async function reportWatched({ count, seed, threads, json }: WatchedOptions): Promise<boolean> {
  const draws = new Draws(`watched mutants:${seed}`);
  const places = allMutants
    .map((_, place) => ({ place, rank: draws.hex(8) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ place }) => place);
  const results: WatchedMutant[] = [];
  await onThreads<WatchedMutant>(places, {
    program: new URL('./worker.js', import.meta.url),
    workerData: { kind: 'watched' } satisfies Work,
    threads,
    jobsAWorker: 60,
    onMessage: ({ job, result, error }) => {
      if (result === undefined) throw new Error(`${allMutants[job]?.id}: ${error ?? 'no answer'}`);
      results.push(result);
      if (process.stderr.isTTY || results.length % 20 === 0) process.stderr.write(`${results.length} of ${count}\n`);
    },
  });
  const shown = results.filter(({ fromStart }) => fromStart === 'found');
  const found = (which: 'withControl' | 'alone'): number => shown.filter((each) => each[which] === 'found').length;
  if (json) console.log(JSON.stringify(results, null, 2));
  else {
    for (const { id, clause, fromStart, withControl, alone } of results)
      if (withControl !== 'found' || alone !== 'found')
        console.log(`from the start ${fromStart}, later ${withControl}, alone ${alone}  ${id}  (${clause})`);
    const exchanges = results.reduce((sum, each) => sum + each.exchanges, 0);
    console.log(
      `the traffic of ${results.length} mutants, ${exchanges} exchanges, shows ${shown.length} to a model that knows the service from its start; ` +
        `of these, watching finds ${found('withControl')} with the control API, and ${found('alone')} without it; seed ${seed}`,
    );
  }
  return found('withControl') >= SHARE_MIN * shown.length;
}
