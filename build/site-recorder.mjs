// A thread of build/site.mjs: plays some checks against the reference, and sends the recorded exchanges by clause.
import { parentPort, workerData } from 'node:worker_threads';
import { recordedExchanges } from '../dist/runs/site/recorded.js';

parentPort.postMessage(await recordedExchanges(workerData));
