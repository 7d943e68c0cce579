/**
 * A worker thread that recomputes batches of beats, and the text of its program. The queue of batches is beat-pool.ts.
 */

import { Worker } from 'node:worker_threads';
import { HASHES_BYTES_FASTER, hashSteps } from '../../beats/beat.js';

/** Beats of one difficulty to recompute, with the hash that is claimed for each. */
export interface BeatBatch {
  readonly difficulty: number;
  /** The text of each beat (`beatText`). */
  readonly texts: readonly string[];
  readonly claims: readonly string[];
}

/** The result of a batch: its hashes up to the first that is not as claimed; or, if the thread ends, none. */
export interface ThreadEvents {
  readonly answered: (hashes: readonly string[]) => void;
  /** The thread has ended, for whatever reason, and answers nothing more. */
  readonly ended: () => void;
}

/** A thread that recomputes one batch at a time. It keeps the process alive only while it has one. */
export interface BeatThread {
  readonly give: (batch: BeatBatch) => void;
  readonly stop: () => Promise<void>;
}

/**
 * The program is made from the text of the function that computes beats everywhere else. So both give the same beats,
 * and no second file has to be found, whether this one runs from `dist/`, from a bundle or from TypeScript.
 */
const PROGRAM = `
'use strict';
const { hash } = require('node:crypto');
const { parentPort } = require('node:worker_threads');
const hashSteps = ${hashSteps.toString()};
const scratch = ${HASHES_BYTES_FASTER} ? Buffer.alloc(64) : null;
parentPort.on('message', ({ difficulty, texts, claims }) => {
  const hashes = [];
  for (let i = 0; i < texts.length; i++) {
    hashes.push(hashSteps(hash, scratch, texts[i], difficulty));
    if (hashes[i] !== claims[i]) break;
  }
  parentPort.postMessage(hashes);
});
`;

/** Starts a thread. If it cannot start, `ended` is called, as for one that dies later. */
export function startBeatThread({ answered, ended }: ThreadEvents): BeatThread {
  const worker = new Worker(PROGRAM, { eval: true, execArgv: [], name: 'beats' });
  worker.unref();
  worker.on('message', (hashes: readonly string[]) => {
    worker.unref();
    answered(hashes);
  });
  // 'exit' follows 'error'; without a listener 'error' would end the process.
  worker.on('error', (error) => console.error('a thread that recomputes beats has died:', error));
  worker.on('exit', ended);
  return {
    give: (batch) => {
      worker.ref();
      worker.postMessage(batch);
    },
    stop: async () => {
      await worker.terminate();
    },
  };
}
