/** The program of a worker of run.ts: it judges the assertions, and the clauses' kills, that it is told. */
import { parentPort, workerData } from 'node:worker_threads';
import { type AssertionSite, fateOf, killOf } from './assertions.js';
import { plantMutants } from './plant.js';

const { sites, kills } = workerData as { readonly sites: readonly AssertionSite[]; readonly kills: readonly number[] };
plantMutants();

/** Jobs are numbered through: first the assertions, then the kills. */
async function result(job: number): Promise<unknown> {
  const site = sites[job];
  if (site !== undefined) return fateOf(site);
  const place = kills[job - sites.length];
  if (place === undefined) throw new RangeError(`there is no job ${job}`);
  return killOf(place);
}

parentPort?.on('message', (job: number) => {
  result(job).then(
    (told) => parentPort?.postMessage({ job, result: told }),
    (error: unknown) => parentPort?.postMessage({ job, error: error instanceof Error ? error.stack : String(error) }),
  );
});
