/** A thread that runs simulated crashes. Which seeds it runs is said by simulated-crashes.ts. */

import { parentPort, workerData } from 'node:worker_threads';
import { crashRun } from '../faults/crash-run.js';

const { first, last, step } = workerData as { readonly first: number; readonly last: number; readonly step: number };
for (let seed = first; seed <= last; seed += step) parentPort?.postMessage(await crashRun(seed));
