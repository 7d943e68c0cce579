/** The program of a worker of run.ts: it judges the mutants of the package that it is sent, under an overlay. */
import { workerData } from 'node:worker_threads';
import type { Overlay } from '../../spec/overlay.js';
import { derivedMutants } from './derived.js';
import { judgeMutant, startMutant } from './judge-mutant.js';
import { answerJobs } from './threads.js';

const { overlay } = workerData as { readonly overlay: Overlay };

answerJobs(async (job) => {
  const mutant = derivedMutants[job];
  if (mutant === undefined) throw new RangeError(`there is no mutant ${job}`);
  return judgeMutant(mutant, (deployment) => startMutant(mutant, { deployment, overlay }));
});
