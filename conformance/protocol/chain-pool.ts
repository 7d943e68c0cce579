/**
 * Computes the suite's chains of beats on threads, several chains side by side on each. How a chain is hashed is in sha256/.
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

/** Chains up to this many hashes are computed synchronously, in some milliseconds. */
const INLINE_HASHES_MAX = 10_000;
const THREADS_MAX = 4;
/** A chain of some seconds. */
const LONG_HASHES = 3_000_000;

/** Hashes between two reads of incoming messages: some milliseconds. */
const SLICE_HASHES = 20_000;

/**
 * A thread's program, made of the texts of functions, so that it runs from `dist/` and from TypeScript without a second file. The first thread of a
 * process measures which way to hash is fastest. Its first message gives the number of chains that it hashes side by side.
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

/** The rates that a thread of this process has measured. */
let knownRates: Rates | undefined;

type WorkerMessage =
  | { readonly lanes: number; readonly rates: Rates }
  | { readonly id: number; readonly hashes: readonly string[] };

interface Waiting {
  readonly terms: ChainTerms;
  readonly resolve: (hashes: readonly string[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread, and the chains that it computes, by number. */
interface Thread {
  readonly worker: Worker;
  readonly chains: Map<number, Waiting>;
  /** Chains that it hashes side by side; 0 until its first message. */
  lanes: number;
}

/** The pool is closed and computes no more chains. */
export class PoolClosed extends Error {
  constructor() {
    super('the run has ended');
    this.name = 'PoolClosed';
  }
}

/** Computes long chains on threads, so that the run goes on meanwhile and every core is used. */
export class ChainPool {
  /** The longest first: nothing else may be left to do while it is computed. */
  readonly #queue: Waiting[] = [];
  readonly #threads = new Set<Thread>();
  #given = 0;
  #closed = false;

  constructor(
    /** Called with 1 when a chain begins to wait for a thread, and with -1 when it is computed or given up. */
    readonly onChange: (change: 1 | -1) => void = () => {},
    /** Called with the number of hashes of each chain before it is computed. */
    readonly onHashes: (hashes: number) => void = () => {},
  ) {}

  /** Computes every beat of a chain; a long chain on a thread. */
  async compute(job: ChainJob): Promise<Chain> {
    const { from, beats, anchor, difficulty, fromIndex } = job;
    const terms = { from, beats, fromIndex, anchorHash: anchor.hash, difficulty };
    this.onHashes(hashesOf(terms));
    const hashes = hashesOf(terms) <= INLINE_HASHES_MAX ? chainHashes(terms) : await this.#aside(terms);
    return { hashes, fromIndex, anchor, difficulty };
  }

  /** Ends the threads; open and later computations reject with `PoolClosed`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new PoolClosed());
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
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
   * Gives chains to the running threads, and starts another when all their lanes are taken: a thread computes four chains in the time of one. Two
   * long chains get a thread each, since the run waits only for them.
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

  /** Starts a thread, unless as many run as there are cores to use. */
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
