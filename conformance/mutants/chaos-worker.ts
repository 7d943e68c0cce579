/** The program of a worker of run.ts: it judges the servers of the seeds that it is told, one after the other. */
import { parentPort } from 'node:worker_threads';
import { judgeChaos } from './judge-chaos.js';

parentPort?.on('message', (job: number) => {
  judgeChaos(job).then(
    (result) => parentPort?.postMessage({ job, result }),
    (error: unknown) => parentPort?.postMessage({ job, error: error instanceof Error ? error.stack : String(error) }),
  );
});
