import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Chain, chainHashes, type WovenAnchor } from './beats.js';

/** A chain to compute: so many beats after `from`. */
export interface ChainJob {
  readonly from: string;
  readonly beats: number;
  readonly anchor: WovenAnchor;
  readonly difficulty: number;
  readonly fromIndex: number;
}

/** Hashes that are computed at once, where they are asked for: some milliseconds. */
const INLINE_HASHES_MAX = 10_000;
const THREADS_MAX = 4;

/**
 * A thread's program, made of the very function that computes chains here, so that it runs wherever this file does, from
 * `dist/` or from TypeScript, without a second file to be found.
 */
const PROGRAM = `
'use strict';
const { hash } = require('node:crypto');
const { parentPort } = require('node:worker_threads');
const chainHashes = ${chainHashes.toString()};
parentPort.on('message', ({ from, beats, fromIndex, anchorHash, difficulty }) => {
  parentPort.postMessage(chainHashes(hash, from, beats, fromIndex, anchorHash, difficulty));
});
`;

interface Waiting extends ChainJob {
  readonly resolve: (hashes: readonly string[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Nothing is computed any more. */
export class Closed extends Error {
  constructor() {
    super('the run has ended');
    this.name = 'Closed';
  }
}

/** Computes long chains on threads, so that the run goes on meanwhile and every core is used. */
export class ChainPool {
  readonly #queue: Waiting[] = [];
  readonly #idle: Worker[] = [];
  readonly #threads = new Set<Worker>();
  #closed = false;

  constructor(
    /** Told when a chain begins to wait for a thread (1), and when it is there or given up (-1). */
    readonly onChange: (change: 1 | -1) => void = () => {},
  ) {}

  /** Every beat of the chain is computed, by a thread where that is worth the way. */
  async compute(job: ChainJob): Promise<Chain> {
    const { from, beats, anchor, difficulty, fromIndex } = job;
    const hashes =
      beats * (difficulty + 1) <= INLINE_HASHES_MAX
        ? chainHashes(hash, from, beats, fromIndex, anchor.hash, difficulty)
        : await this.#aside(job);
    return { hashes, fromIndex, anchor, difficulty };
  }

  /** Ends the threads; what was being computed, or is asked for later, is refused with `Closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new Closed());
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #aside(job: ChainJob): Promise<readonly string[]> {
    if (this.#closed) return Promise.reject(new Closed());
    this.onChange(1);
    return new Promise<readonly string[]>((resolve, reject) => {
      this.#queue.push({ ...job, resolve, reject });
      this.#feed();
    }).finally(() => this.onChange(-1));
  }

  #feed(): void {
    while (this.#queue.length > 0) {
      const thread = this.#idle.pop() ?? this.#start();
      if (thread === undefined) return;
      this.#give(thread, this.#queue.shift() as Waiting);
    }
  }

  /** Undefined while as many threads run as there are cores to use. */
  #start(): Worker | undefined {
    if (this.#threads.size >= Math.min(THREADS_MAX, availableParallelism())) return undefined;
    const thread = new Worker(PROGRAM, { eval: true, execArgv: [], name: 'chains' });
    thread.unref();
    this.#threads.add(thread);
    return thread;
  }

  #give(thread: Worker, { resolve, reject, from, beats, fromIndex, anchor, difficulty }: Waiting): void {
    const done = (): void => {
      thread.off('message', told).off('error', failed).off('exit', ended);
      thread.unref();
    };
    const told = (hashes: readonly string[]): void => {
      done();
      this.#idle.push(thread);
      resolve(hashes);
      this.#feed();
    };
    const failed = (error: unknown): void => {
      done();
      this.#threads.delete(thread);
      reject(error);
      this.#feed();
    };
    const ended = (): void => failed(this.#closed ? new Closed() : new Error('a thread that computes beats has ended'));
    thread.ref();
    thread.on('message', told).on('error', failed).on('exit', ended);
    thread.postMessage({ from, beats, fromIndex, anchorHash: anchor.hash, difficulty });
  }
}
