/**
 * Schedules the recomputation of beats on a few threads, fairly between requests and within a bound. Which beats a
 * proof has to show is the rules' concern.
 */

import { availableParallelism } from 'node:os';
import { type BeatCheck, type BeatSeed, beatText, checkBeatInline } from '../../beats/beat.js';
import { BEATS_TOGETHER, type BeatBatch, type BeatThread, startBeatThread, type ThreadEvents } from './beat-thread.js';

/** A beat to recompute, and the hash that a proof claims for it. */
export interface BeatClaim {
  readonly seed: BeatSeed;
  readonly claimed: string;
}

/**
 * Work up to this many hashes is done on the main thread, in about a millisecond: handing it to a thread costs more.
 */
const INLINE_HASHES_MAX = 5_000;
/** Hashes in one batch, about 5 ms of work: a small proof waits for one batch of a large one at most. */
const BATCH_HASHES_MAX = 20_000;
/** Hashes that may wait, some seconds of work: beyond that a client would give up before its turn. */
const WAITING_HASHES_MAX = 32_000_000;
/** Requests that may wait; each keeps its body in memory. */
const WAITING_JOBS_MAX = 256;
/** How many threads a batch is given to if each of them dies. */
const ATTEMPTS_MAX = 2;

/** Recomputes beats on threads, so that cheap requests are not delayed by costly ones. */
export interface BeatPool {
  /**
   * Resolves with a check that has these beats at hand, up to the first that is not as claimed. `overloaded`: too much
   * work is waiting, and this was not accepted. `cancelled`: the client has gone, or the pool was closed.
   */
  readonly recompute: (
    claims: readonly BeatClaim[],
    signal?: AbortSignal,
  ) => Promise<BeatCheck | 'overloaded' | 'cancelled'>;
  /** Ends the threads; requests that wait are `cancelled`. */
  readonly close: () => Promise<void>;
}

/** The parts of a pool that a test replaces, with threads that die for example. */
export interface PoolParts {
  readonly threadsMax?: number;
  readonly startThread?: (events: ThreadEvents) => BeatThread;
}

/** Collects the beats that a check would recompute if all of them were as claimed. It calls `ask`, which must not change any state. */
export function claimsOf(ask: (checkBeat: BeatCheck) => unknown): readonly BeatClaim[] {
  const claims: BeatClaim[] = [];
  ask((seed, claimed) => {
    claims.push({ seed, claimed });
    return true;
  });
  return claims;
}

/** Whether these beats are recomputed on the main thread. */
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
  /** The hash of each recomputed beat, by `keyOf`. */
  readonly known: Map<string, string>;
  readonly settle: (how: 'done' | 'cancelled') => void;
}

interface Attempt extends BeatBatch {
  readonly nth: number;
}

interface Task {
  readonly job: Job;
  readonly attempt: Attempt;
}

interface ThreadSlot {
  thread: BeatThread;
  /** The batches that it recomputes now; empty while it is idle. */
  tasks: readonly Task[];
}

/**
 * Makes a pool without threads; each starts when there is work for it. At least two, so that one proof can be shared
 * out.
 */
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
  /** Jobs with batches to give out, in turn: a job gives one batch and goes to the end of the queue. */
  readonly #queue: Job[] = [];
  readonly #jobs = new Set<Job>();
  #waitingHashes = 0;
  #closed = false;
  /** True once a thread could not be started: Node can be configured to allow none. */
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
    // A job of any size is accepted when no other waits.
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
    // A beat that no thread has recomputed, because its threads died, is recomputed here: slowly, but correctly.
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

  /** Gives batches to idle threads, and starts threads while batches are left. */
  #assignWork(): void {
    for (const slot of this.#slots) if (slot.tasks.length === 0 && !this.#assign(slot)) return;
    while (!this.#closed && this.#queue.length > 0 && this.#slots.size < this.#threadsMax) {
      const slot = this.#startSlot();
      if (slot !== undefined) this.#assign(slot);
    }
  }

  /** Gives a thread the next batch, and with a small one those of other jobs, so that they share its lanes. */
  #assign(slot: ThreadSlot): boolean {
    const tasks: Task[] = [];
    let beats = 0;
    while (beats < BEATS_TOGETHER) {
      const task = this.#nextTask();
      if (task === undefined) break;
      tasks.push(task);
      beats += task.attempt.texts.length;
    }
    if (tasks.length === 0) return false;
    slot.tasks = tasks;
    slot.thread.give(tasks.map(({ attempt }) => attempt));
    return true;
  }

  #nextTask(): Task | undefined {
    const job = this.#queue.shift();
    const attempt = job?.waiting.shift();
    if (job === undefined || attempt === undefined) return undefined;
    if (job.waiting.length > 0) this.#queue.push(job);
    job.running += 1;
    return { job, attempt };
  }

  #startSlot(): ThreadSlot | undefined {
    try {
      const slot: ThreadSlot = {
        tasks: [],
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

  #answered(slot: ThreadSlot, answers: readonly (readonly string[])[]): void {
    const { tasks } = slot;
    slot.tasks = [];
    for (const [n, { job, attempt }] of tasks.entries()) {
      const { difficulty, texts, claims } = attempt;
      const hashes = answers[n] ?? [];
      for (const [i, hash] of hashes.entries()) job.known.set(keyOf(difficulty, texts[i] ?? ''), hash);
      // A rule stops at the first beat that is not as claimed, so the beats after it are not needed.
      if (hashes.some((hash, i) => hash !== claims[i])) this.#dropWaiting(job);
      this.#finishBatch(job);
    }
    this.#assignWork();
  }

  #died(slot: ThreadSlot): void {
    this.#slots.delete(slot);
    const { tasks } = slot;
    slot.tasks = [];
    for (const { job, attempt } of this.#closed ? [] : tasks) {
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

/**
 * Cuts beats into batches in their order: none much above `BATCH_HASHES_MAX`, and at least one for each thread if there
 * are enough.
 */
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
