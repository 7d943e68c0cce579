import { Worker } from 'node:worker_threads';
import { HASHES_BYTES_FASTER, hashSteps } from '../../beats/beat.js';

/** Beats of one difficulty for a thread to recompute, with the hash that is claimed for each. */
export interface BeatBatch {
  readonly difficulty: number;
  /** The text of each beat (`beatText`). */
  readonly texts: readonly string[];
  readonly claims: readonly string[];
}

/** What becomes of a portion: the hashes of its beats up to the first that is not as claimed, or no answer at all. */
export interface ThreadEvents {
  readonly answered: (hashes: readonly string[]) => void;
  /** The thread is gone, whatever the reason; it answers nothing more. */
  readonly ended: () => void;
}

/** A thread that recomputes one portion at a time. It keeps the process alive only while it has one. */
export interface BeatThread {
  readonly give: (batch: BeatBatch) => void;
  readonly stop: () => Promise<void>;
}

/**
 * The thread's program, made from the function that computes beats here: so it is the same beat, and it runs wherever
 * this file does, from `dist/`, from a bundle or from TypeScript, without a second file to be found.
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

/** Starts a thread. A thread that cannot be started `ended`, like one that dies later. */
export function startBeatThread({ answered, ended }: ThreadEvents): BeatThread {
  const worker = new Worker(PROGRAM, { eval: true, execArgv: [], name: 'beats' });
  worker.unref();
  worker.on('message', (hashes: readonly string[]) => {
    worker.unref();
    answered(hashes);
  });
  // 'exit' follows it; without a listener it would end the process.
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
