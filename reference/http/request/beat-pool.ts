import { availableParallelism } from 'node:os';
import { type BeatCheck, type BeatSeed, beatText, checkBeatInline } from '../../beats/beat.js';
import { type BeatBatch, type BeatThread, startBeatThread, type ThreadEvents } from './beat-thread.js';

/** A beat that a rule wants recomputed, and the hash that is claimed for it. */
export interface BeatClaim {
  readonly seed: BeatSeed;
  readonly claimed: string;
}

/**
 * Hashes that are computed at once, where they are asked for: about a millisecond. Up to this the way to a thread and
 * back costs more than it saves.
 */
const INLINE_HASHES_MAX = 5_000;
/** Hashes of a portion: about 5 ms, so that a small proof does not wait long behind large ones. */
const BATCH_HASHES_MAX = 20_000;
/** Hashes that may wait: some seconds of work, so that nobody waits for longer than a client would. */
const WAITING_HASHES_MAX = 32_000_000;
/** Questions that may wait, each of which holds its body. */
const WAITING_JOBS_MAX = 256;
/** How often a portion whose thread died is given to another. */
const ATTEMPTS_MAX = 2;

/** Recomputes beats on threads of their own, so that requests that cost little do not wait for those that cost much. */
export interface BeatPool {
  /**
   * Resolves with a check that knows these beats up to the first which is not as claimed. `overloaded`: more is waiting than
   * can be done soon, and nothing was taken on. `cancelled`: the asker left, or the pool was closed.
   */
  readonly recompute: (
    claims: readonly BeatClaim[],
    signal?: AbortSignal,
  ) => Promise<BeatCheck | 'overloaded' | 'cancelled'>;
  /** Ends the threads; what was waiting is `cancelled`. */
  readonly close: () => Promise<void>;
}

/** What a pool is made of; tests give it threads that die. */
export interface PoolParts {
  readonly threadsMax?: number;
  readonly startThread?: (events: ThreadEvents) => BeatThread;
}

/** The beats that a question asks about, as long as those before them hold. It is asked here, and must change nothing. */
export function claimsOf(ask: (checkBeat: BeatCheck) => unknown): readonly BeatClaim[] {
  const claims: BeatClaim[] = [];
  ask((seed, claimed) => {
    claims.push({ seed, claimed });
    return true;
  });
  return claims;
}

/** Whether these beats are better computed at once than given to a thread. */
export function isCheap(claims: readonly BeatClaim[]): boolean {
  return hashesOf(claims) <= INLINE_HASHES_MAX;
}

function hashesOf(claims: readonly BeatClaim[]): number {
  return claims.reduce((sum, { seed }) => sum + seed.difficulty + 1, 0);
}

interface Job {
  readonly hashes: number;
  readonly waiting: Attempt[];
  running: number;
  /** The hash of each beat that has been recomputed, by `keyOf`. */
  readonly known: Map<string, string>;
  readonly settle: (how: 'done' | 'cancelled') => void;
}

interface Attempt extends BeatBatch {
  readonly nth: number;
}

interface ThreadSlot {
  thread: BeatThread;
  task: { readonly job: Job; readonly attempt: Attempt } | null;
}

/** A pool without threads: each starts when there is work for it. Two at least, so that one proof is shared. */
export function createBeatPool({
  threadsMax = Math.min(4, Math.max(2, availableParallelism())),
  startThread = startBeatThread,
}: PoolParts = {}): BeatPool {
  const pool = new Pool(threadsMax, startThread);
  return { recompute: (claims, signal) => pool.recompute(claims, signal), close: () => pool.close() };
}

class Pool {
  readonly #threadsMax: number;
  readonly #startThread: (events: ThreadEvents) => BeatThread;
  readonly #slots = new Set<ThreadSlot>();
  /** Jobs with portions to give out. Each gives one and goes to the end. */
  readonly #queue: Job[] = [];
  readonly #jobs = new Set<Job>();
  #waitingHashes = 0;
  #closed = false;
  /** Node may be told to allow no threads. */
  #threadless = false;

  constructor(threadsMax: number, startThread: (events: ThreadEvents) => BeatThread) {
    this.#threadsMax = threadsMax;
    this.#startThread = startThread;
  }

  async recompute(claims: readonly BeatClaim[], signal?: AbortSignal): Promise<BeatCheck | 'overloaded' | 'cancelled'> {
    if (this.#closed || signal?.aborted === true) return 'cancelled';
    if (this.#threadless || claims.length === 0) return checkBeatInline;
    const hashes = hashesOf(claims);
    const full = this.#waitingHashes + hashes > WAITING_HASHES_MAX || this.#jobs.size >= WAITING_JOBS_MAX;
    // However much one question asks for, it is taken when nothing else waits.
    if (full && this.#jobs.size > 0) return 'overloaded';
    const known = new Map<string, string>();
    const ended = await new Promise<'done' | 'cancelled'>((resolve) => {
      const waiting = batchesOf(claims, this.#threadsMax);
      const job: Job = { hashes, waiting, running: 0, known, settle: resolve };
      this.#jobs.add(job);
      this.#waitingHashes += hashes;
      this.#queue.push(job);
      signal?.addEventListener('abort', () => this.#end(job, 'cancelled'), { once: true });
      this.#assignWork();
    });
    if (ended === 'cancelled') return 'cancelled';
    // What no thread came to, because the threads died, is computed here: slow, and still right.
    return (seed, claimed) => {
      const hash = known.get(keyOf(seed.difficulty, beatText(seed)));
      return hash === undefined ? checkBeatInline(seed, claimed) : hash === claimed;
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#jobs) this.#end(job, 'cancelled');
    await Promise.all([...this.#slots].map(({ thread }) => thread.stop()));
  }

  /** Gives portions to threads without one, and starts threads while there are portions left. */
  #assignWork(): void {
    for (const slot of this.#slots) if (slot.task === null && !this.#assign(slot)) return;
    while (!this.#closed && this.#queue.length > 0 && this.#slots.size < this.#threadsMax) {
      const slot = this.#startSlot();
      if (slot !== undefined) this.#assign(slot);
    }
  }

  #assign(slot: ThreadSlot): boolean {
    const job = this.#queue.shift();
    const attempt = job?.waiting.shift();
    if (job === undefined || attempt === undefined) return false;
    if (job.waiting.length > 0) this.#queue.push(job);
    job.running += 1;
    slot.task = { job, attempt };
    slot.thread.give(attempt);
    return true;
  }

  #startSlot(): ThreadSlot | undefined {
    try {
      const slot: ThreadSlot = {
        task: null,
        thread: this.#startThread({
          answered: (hashes) => this.#answered(slot, hashes),
          ended: () => this.#died(slot),
        }),
      };
      this.#slots.add(slot);
      return slot;
    } catch (error) {
      console.error('no thread can be started, so beats are recomputed where they are asked for:', error);
      this.#threadless = true;
      for (const job of this.#jobs) this.#end(job, 'done');
      return undefined;
    }
  }

  #answered(slot: ThreadSlot, hashes: readonly string[]): void {
    const { task } = slot;
    slot.task = null;
    if (task !== null) {
      const { job, attempt } = task;
      const { difficulty, texts, claims } = attempt;
      for (const [i, hash] of hashes.entries()) job.known.set(keyOf(difficulty, texts[i] ?? ''), hash);
      // The rule stops at the first beat that does not hold, so nobody asks for those after it.
      if (hashes.some((hash, i) => hash !== claims[i])) this.#dropWaiting(job);
      this.#finishBatch(job);
    }
    this.#assignWork();
  }

  #died(slot: ThreadSlot): void {
    this.#slots.delete(slot);
    const { task } = slot;
    slot.task = null;
    if (task !== null && !this.#closed) {
      const { job, attempt } = task;
      if (this.#jobs.has(job) && attempt.nth < ATTEMPTS_MAX) {
        if (job.waiting.length === 0) this.#queue.push(job);
        job.waiting.unshift({ ...attempt, nth: attempt.nth + 1 });
      }
      this.#finishBatch(job);
    }
    this.#assignWork();
  }

  #finishBatch(job: Job): void {
    job.running -= 1;
    if (job.running === 0 && job.waiting.length === 0) this.#end(job, 'done');
  }

  #dropWaiting(job: Job): void {
    job.waiting.length = 0;
    const at = this.#queue.indexOf(job);
    if (at >= 0) this.#queue.splice(at, 1);
  }

  #end(job: Job, how: 'done' | 'cancelled'): void {
    if (!this.#jobs.delete(job)) return;
    this.#waitingHashes -= job.hashes;
    this.#dropWaiting(job);
    job.settle(how);
  }
}

function keyOf(difficulty: number, text: string): string {
  return `${difficulty}|${text}`;
}

/** Cuts beats into portions in their order: none much over `BATCH_HASHES_MAX`, and one for each thread if they go round. */
function batchesOf(claims: readonly BeatClaim[], threads: number): Attempt[] {
  const made: Attempt[] = [];
  let beats: BeatClaim[] = [];
  let hashes = 0;
  const most = Math.min(BATCH_HASHES_MAX, hashesOf(claims) / threads);
  for (const [i, claim] of claims.entries()) {
    beats.push(claim);
    hashes += claim.seed.difficulty + 1;
    const next = claims[i + 1]?.seed.difficulty;
    if (hashes < most && next === claim.seed.difficulty) continue;
    const texts = beats.map(({ seed }) => beatText(seed));
    made.push({ difficulty: claim.seed.difficulty, texts, claims: beats.map(({ claimed }) => claimed), nth: 1 });
    beats = [];
    hashes = 0;
  }
  return made;
}
