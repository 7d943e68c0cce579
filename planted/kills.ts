/** `--kills FILE`: measures the situations that show each mutant, a line of JSON each. A file that has some is continued. */
import { appendFileSync, existsSync } from 'node:fs';
import type { MutantKills } from '../conformance/mutants/kills.js';
import { onThreads } from '../conformance/mutants/threads.js';
import { Draws } from '../conformance/trial/random.js';
import { allMutants } from './all-mutants.js';
import { killsIn } from './witnesses.js';
import type { Work } from './worker.js';

interface KillsOptions {
  readonly file: string;
  /** The places of the mutants that are meant. */
  readonly among: readonly number[];
  readonly seed: number;
  readonly threads: number;
}

/** Measures the mutants that the file lacks, in the order that the seed draws. */
export async function measureKills({ file, among, seed, threads }: KillsOptions): Promise<boolean> {
  const done = new Set(existsSync(file) ? killsIn(file).map(({ id }) => id) : []);
  const draws = new Draws(`kills:${seed}`);
  const places = allMutants
    .map(({ id }, place) => ({ id, place, rank: draws.hex(8) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .filter(({ id, place }) => among.includes(place) && !done.has(id))
    .map(({ place }) => place);
  const broken: string[] = [];
  let count = done.size;
  await onThreads<MutantKills>(places, {
    program: new URL('./worker.js', import.meta.url),
    workerData: { kind: 'kills' } satisfies Work,
    threads,
    jobsAWorker: 60,
    onMessage: ({ job, result, error }) => {
      if (result === undefined) broken.push(`${allMutants[job]?.id}: ${error ?? 'no answer'}`);
      else appendFileSync(file, `${JSON.stringify(result)}\n`);
      count += 1;
      if (count % 20 === 0) process.stderr.write(`${count} of ${allMutants.length}\n`);
    },
  });
  for (const each of broken) console.log(`broken  ${each}`);
  return broken.length === 0;
}
