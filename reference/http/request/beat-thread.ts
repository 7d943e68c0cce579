/**
 * A worker thread that recomputes batches of beats, and the text of its program. The queue of batches is beat-pool.ts, and
 * the ways to hash are in sha256/.
 */

import { Worker } from 'node:worker_threads';
import { KERNELS_TEXT, programs, type Rates } from '../../../sha256/kernels.js';
import { LANES_TEXT } from '../../../sha256/lanes.js';

/** Beats of one difficulty to recompute, with the hash that is claimed for each. */
export interface BeatBatch {
  readonly difficulty: number;
  /** The text of each beat (`beatText`). */
  readonly texts: readonly string[];
  readonly claims: readonly string[];
}

/** The results of batches: of each its hashes up to the first that is not as claimed; or, if the thread ends, none. */
export interface ThreadEvents {
  readonly answered: (hashes: readonly (readonly string[])[]) => void;
  /** The thread has ended, for whatever reason, and answers nothing more. */
  readonly ended: () => void;
}

/**
 * A thread that recomputes batches; those given together share its lanes. It is given more once it has answered, and keeps
 * the process alive only until then.
 */
export interface BeatThread {
  readonly give: (batches: readonly BeatBatch[]) => void;
  readonly stop: () => Promise<void>;
}

/** Beats that a thread recomputes side by side, where the machine can. */
export const BEATS_TOGETHER = 4;

/**
 * The program is made of the texts of functions. So no second file has to be found, whether this one runs from `dist/`,
 * from a bundle or from TypeScript. The first thread measures which way to hash is fastest, and later ones get its choice.
 */
const PROGRAM = `
'use strict';
const { hash } = require('node:crypto');
const { parentPort, workerData } = require('node:worker_threads');
${KERNELS_TEXT}
${LANES_TEXT}
const kernels = kernelsOf(hash, workerData.programs);
const rates = workerData.rates ?? measureKernels(kernels, () => performance.now());
const lanes = startLanes(fastestKernels(kernels, rates), hash);
parentPort.on('message', (batches) => {
  const found = batches.map(({ texts }) => texts.map(() => undefined));
  for (const [n, { difficulty, texts, claims }] of batches.entries()) {
    const hashes = found[n];
    let wrong = texts.length;
    for (const [i, text] of texts.entries()) {
      const next = (last) => {
        if (last === '') return i > wrong ? undefined : text;
        hashes[i] = last;
        if (last !== claims[i]) wrong = Math.min(wrong, i);
      };
      lanes.add({ steps: difficulty, next });
    }
  }
  while (lanes.run(100_000));
  const answered = found.map((hashes, n) => {
    const wrong = hashes.findIndex((hash, i) => hash !== batches[n].claims[i]);
    return wrong < 0 ? hashes : hashes.slice(0, wrong + 1);
  });
  parentPort.postMessage({ hashes: answered, rates });
});
`;

/** The rates that a thread of this process has measured. */
let knownRates: Rates | undefined;

/** Starts a thread. If it cannot start, `ended` is called, as for one that dies later. */
export function startBeatThread({ answered, ended }: ThreadEvents): BeatThread {
  const workerData = { programs: programs(), rates: knownRates };
  const worker = new Worker(PROGRAM, { eval: true, execArgv: [], name: 'beats', workerData });
  worker.unref();
  worker.on('message', ({ hashes, rates }: { readonly hashes: readonly string[][]; readonly rates: Rates }) => {
    knownRates = rates;
    worker.unref();
    answered(hashes);
  });
  // 'exit' follows 'error'; without a listener 'error' would end the process.
  worker.on('error', (error) => console.error('a thread that recomputes beats has died:', error));
  worker.on('exit', ended);
  return {
    give: (batches) => {
      worker.ref();
      worker.postMessage(batches);
    },
    stop: async () => {
      await worker.terminate();
    },
  };
}
