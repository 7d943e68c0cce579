/** The program of a worker of run.ts: it runs the drawn checks against mutants, and assertions and kills by themselves. */
import { parentPort, workerData } from 'node:worker_threads';
import { allChecks } from '../checks/index.js';
import { type AssertionSite, fateAlone, foundBy, killOf } from './assertions.js';
import { plantMutants } from './plant.js';

/** One thing to do, by what it needs. */
export type AssertionJob =
  | { readonly kind: 'found'; readonly place: number }
  | { readonly kind: 'alone'; readonly site: AssertionSite; readonly places?: readonly number[] }
  | { readonly kind: 'kill'; readonly place: number };

const { jobs, checks } = workerData as { readonly jobs: readonly AssertionJob[]; readonly checks: readonly string[] };
const drawn = allChecks.filter(({ id }) => checks.includes(id));
plantMutants();

async function resultOf(nth: number): Promise<unknown> {
  const job = jobs[nth];
  if (job === undefined) throw new RangeError(`there is no job ${nth}`);
  if (job.kind === 'alone') return fateAlone(job.site, job.places);
  return job.kind === 'kill' ? killOf(job.place) : foundBy(job.place, drawn);
}

parentPort?.on('message', (job: number) => {
  resultOf(job).then(
    (result) => parentPort?.postMessage({ job, result }),
    (error: unknown) => parentPort?.postMessage({ job, error: error instanceof Error ? error.stack : String(error) }),
  );
});
