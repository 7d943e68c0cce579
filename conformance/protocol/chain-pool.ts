/**
 * Computes chains of beats on threads, several chains at once on each. The hashing is in sha256/.
 */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type ChainTerms, chainHashes, hashChain } from '../../model/reading/chain.js';
import { KERNELS_TEXT, programs, type Rates } from '../../sha256/kernels.js';
import { LANES_TEXT } from '../../sha256/lanes.js';
import type { Chain, WovenAnchor } from './beats.js';

/** A chain to compute: `beats` beats after `from`. */
export interface ChainJob {
  readonly from: string;
  readonly beats: number;
  readonly anchor: WovenAnchor;
  readonly difficulty: number;
  readonly fromIndex: number;
}

/** Chains of at most this many hashes (some milliseconds) are computed synchronously. */
const INLINE_HASHES_MAX = 10_000;
const THREADS_MAX = 4;
/** A chain of at least this many hashes takes some seconds. */
const LONG_HASHES = 3_000_000;

/** A thread reads incoming messages after this many hashes (some milliseconds). */
const SLICE_HASHES = 20_000;

/**
 * The program of a thread. It is built from the source texts of functions, so it needs no file of its own in `dist/` or under TypeScript. The first
 * thread of a process measures the fastest way to hash. The first message of a thread is the number of chains that it hashes at once.
 */
const PROGRAM = `
'use strict';
const { hash } = require('node:crypto');
const { parentPort, workerData } = require('node:worker_threads');
${KERNELS_TEXT}
${LANES_TEXT}
const hashChain = ${hashChain.toString()};
const kernels = kernelsOf(hash, workerData.programs);
const rates = workerData.rates ?? measureKernels(kernels, () => performance.now());
const fastest = fastestKernels(kernels, rates);
const lanes = startLanes(fastest, hash);
let running = false;
const run = () => {
  running = lanes.run(${SLICE_HASHES});
  if (running) setImmediate(run);
};
parentPort.on('message', ({ id, terms }) => {
  lanes.add(hashChain(terms, (hashes) => parentPort.postMessage({ id, hashes })));
  if (!running) run();
});
parentPort.postMessage({ lanes: fastest.many.kernel.lanes, rates });
`;

/** The measured rates of hashing in this process. */
let knownRates: Rates | undefined;

type WorkerMessage =
  | { readonly lanes: number; readonly rates: Rates }
  | { readonly id: number; readonly hashes: readonly string[] };

interface Waiting {
  readonly terms: ChainTerms;
  readonly resolve: (hashes: readonly string[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread, and its chains by number. */
interface Thread {
  readonly worker: Worker;
  readonly chains: Map<number, Waiting>;
  /** The number of chains that it hashes at once; 0 before its first message. */
  lanes: number;
}

/** The pool is closed. */
export class PoolClosed extends Error {
  constructor() {
    super('the run has ended');
    this.name = 'PoolClosed';
  }
}

/** Chains that are known from elsewhere, and a listener for others: recordings use both. */
export interface ChainMemory {
  /** The hashes of a chain, which is then not computed; undefined for one that is not known. */
  readonly known?: (terms: ChainTerms) => readonly string[] | undefined;
  readonly learn?: (terms: ChainTerms, hashes: readonly string[]) => void;
}

/** Computes long chains on threads, which use all cores and do not block the run. */
export class ChainPool {
  /** Sorted by falling length, so that the run does not end with one long chain alone. */
  readonly #queue: Waiting[] = [];
  readonly #threads = new Set<Thread>();
  #given = 0;
  #closed = false;

  constructor(
    /** Called with 1 when a chain starts to wait for a thread, and with -1 when it is computed or cancelled. */
    readonly onChange: (change: 1 | -1) => void = () => {},
    /** Called before each chain is computed, with its number of hashes. */
    readonly onHashes: (hashes: number) => void = () => {},
    readonly memory: ChainMemory = {},
  ) {}

  /** Computes a chain; a long one on a thread. */
  async compute(job: ChainJob): Promise<Chain> {
    const { from, beats, anchor, difficulty, fromIndex } = job;
    const terms = { from, beats, fromIndex, anchorHash: anchor.hash, difficulty };
    const hashes = this.memory.known?.(terms) ?? (await this.#computed(terms));
    this.memory.learn?.(terms, hashes);
    return { hashes, fromIndex, anchor, difficulty };
  }

  /** Ends the threads. Open and later computations reject with `PoolClosed`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new PoolClosed());
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #computed(terms: ChainTerms): readonly string[] | Promise<readonly string[]> {
    this.onHashes(hashesOf(terms));
    return hashesOf(terms) <= INLINE_HASHES_MAX ? chainHashes(terms) : this.#aside(terms);
  }

  #aside(terms: ChainTerms): Promise<readonly string[]> {
    if (this.#closed) return Promise.reject(new PoolClosed());
    this.onChange(1);
    return new Promise<readonly string[]>((resolve, reject) => {
      const before = this.#queue.findIndex((other) => hashesOf(other.terms) < hashesOf(terms));
      this.#queue.splice(before < 0 ? this.#queue.length : before, 0, { terms, resolve, reject });
      this.#feed();
    }).finally(() => this.onChange(-1));
  }

  /**
   * Assigns chains to threads, and starts another thread if all lanes are busy. A thread computes four chains in the time of one. Long chains get
   * threads of their own, since the run waits for them alone.
   */
  #feed(): void {
    while (this.#queue.length > 0) {
      const isLong = hashesOf((this.#queue[0] as Waiting).terms) >= LONG_HASHES;
      const begun = [...this.#threads].filter(({ lanes, chains }) => chains.size < lanes);
      const free = begun.find(({ chains }) => !isLong || chains.size === 0) ?? (this.#mayStart ? undefined : begun[0]);
      if (free === undefined) {
        if ([...this.#threads].every(({ lanes }) => lanes > 0)) this.#start();
        return;
      }
      const waiting = this.#queue.shift() as Waiting;
      this.#given += 1;
      free.chains.set(this.#given, waiting);
      free.worker.ref();
      free.worker.postMessage({ id: this.#given, terms: waiting.terms });
    }
  }

  get #mayStart(): boolean {
    return this.#threads.size < Math.min(THREADS_MAX, availableParallelism());
  }

  /** Starts a thread, if there is a core for it. */
  #start(): void {
    if (!this.#mayStart) return;
    const workerData = { programs: programs(), rates: knownRates };
    const worker = new Worker(PROGRAM, { eval: true, execArgv: [], name: 'chains', workerData });
    const thread: Thread = { worker, chains: new Map(), lanes: 0 };
    this.#threads.add(thread);
    let failure: unknown;
    worker.on('message', (said: WorkerMessage) => this.#heard(thread, said));
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => this.#ended(thread, failure));
  }

  #heard(thread: Thread, said: WorkerMessage): void {
    if ('lanes' in said) {
      knownRates = said.rates;
      thread.lanes = said.lanes;
    } else {
      thread.chains.get(said.id)?.resolve(said.hashes);
      thread.chains.delete(said.id);
    }
    if (thread.chains.size === 0) thread.worker.unref();
    this.#feed();
  }

  #ended(thread: Thread, failure: unknown): void {
    this.#threads.delete(thread);
    const why = failure ?? (this.#closed ? new PoolClosed() : new Error('a thread that computes beats has ended'));
    for (const { reject } of thread.chains.values()) reject(why);
    if (thread.lanes === 0) for (const { reject } of this.#queue.splice(0)) reject(why);
    else this.#feed();
  }
}

function hashesOf({ beats, difficulty }: ChainTerms): number {
  return beats * (difficulty + 1);
}
