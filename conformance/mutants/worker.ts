/** The program of a worker of run.ts: it judges the mutants that it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Overlay } from '../../spec/overlay.js';
import { allMutants } from './index.js';
import { judgeMutant } from './judge-mutant.js';
import { plantMutants, tagOf } from './plant.js';

const { overlay } = workerData as { readonly overlay: Overlay };
plantMutants();

parentPort?.on('message', (job: number) => {
  const mutant = allMutants[job];
  if (mutant === undefined) throw new RangeError(`there is no mutant ${job}`);
  judgeMutant(mutant, tagOf(job), overlay).then(
    (result) => parentPort?.postMessage({ job, result }),
    (error: unknown) => parentPort?.postMessage({ job, error: error instanceof Error ? error.stack : String(error) }),
  );
});
