/** One protocol time for checks that run side by side, moved only while all of them sleep. How a target's clock is moved is in control.ts. */
import { Unjudged } from '../assertions/unjudged.js';

/** Moves protocol time to a time (ms) on behalf of `sleepers` sleeping checks, and resolves to the resulting time (ms). */
export type MoveTo = (ms: number, sleepers: number) => Promise<number>;

/** The operations on time that a job has. */
export interface Turn {
  /** Sleeps until protocol time has reached `ms`. One sleep at a time: a job that sleeps does nothing else. */
  sleepUntil(ms: number): Promise<void>;
}

export type Job = (turn: Turn) => Promise<void>;

interface Sleeper {
  readonly wakeMs: number;
  /** The place of its job in the list: of jobs that are due together, the earlier one wakes first. */
  readonly order: number;
  readonly wake: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Runs jobs together under one clock that moves only while all of them sleep. When no job runs and none can be started, protocol time is moved to
 * the earliest wake-up, and exactly the jobs that are due are woken. So time passes for a job only in its own sleeps, and any number of jobs share
 * one move of the clock.
 */
export class Barrier {
  #nowMs: number;
  #running = 0;
  /** The place of the job that was the last to fall asleep or to end. */
  #last = 0;
  #moving = false;
  #sleepers: Sleeper[] = [];
  #due: Sleeper[] = [];
  #jobs: { readonly job: Job; readonly order: number }[] = [];
  #faults: unknown[] = [];
  #finish: (() => void) | undefined;

  constructor(
    /** Jobs that are awake at the same time. */
    readonly concurrency: number,
    nowMs: number,
    /** Absent if there is no clock to move: then a sleep is refused. */
    readonly moveTo?: MoveTo,
    /** Called with the place of the job for which the others have waited, before time is moved and at the end. */
    readonly onWaited: (place: number) => void = () => {},
  ) {
    this.#nowMs = nowMs;
  }

  /** Protocol time: the last one that the target has shown, in ms. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Sets the time after an exclusive job, which runs alone, has moved the clock itself. */
  setNow(ms: number): void {
    this.#nowMs = ms;
  }

  /** Runs the jobs to their end. Jobs are expected to settle; one that rejects is rethrown once all have ended. */
  async run(jobs: readonly Job[]): Promise<void> {
    if (this.#finish !== undefined) throw new Error('a barrier runs one list of jobs at a time');
    this.#jobs = jobs.map((job, order) => ({ job, order }));
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#settle();
    });
    this.#finish = undefined;
    const [fault] = this.#faults.splice(0);
    if (fault !== undefined) throw fault;
  }

  /** Wakes due sleepers and starts jobs, as many as may run; when nothing runs, moves the clock; when nothing sleeps, ends. */
  #settle(): void {
    while (this.#running < this.concurrency) {
      const due = this.#due.shift();
      const next = due === undefined ? this.#jobs.shift() : undefined;
      if (due === undefined && next === undefined) break;
      this.#running += 1;
      if (due !== undefined) due.wake();
      else if (next !== undefined) this.#start(next.job, next.order);
    }
    if (this.#running > 0 || this.#moving) return;
    this.onWaited(this.#last);
    if (this.#sleepers.length === 0) this.#finish?.();
    else void this.#advance();
  }

  #start(job: Job, order: number): void {
    const turn = { sleepUntil: (ms: number) => this.#sleep(ms, order) };
    const ended = (): void => {
      // A job that ends during its own sleep is already counted as not running.
      const pending = [...this.#sleepers, ...this.#due].some((sleeper) => sleeper.order === order);
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.order !== order);
      this.#due = this.#due.filter((sleeper) => sleeper.order !== order);
      if (!pending) this.#running -= 1;
      this.#last = order;
      this.#settle();
    };
    // Started in a later microtask, so that a job which throws at once cannot end inside `settle`.
    Promise.resolve()
      .then(() => job(turn))
      .catch((error: unknown) => this.#faults.push(error))
      .then(ended);
  }

  #sleep(wakeMs: number, order: number): Promise<void> {
    if (this.moveTo === undefined) return Promise.reject(new Error('there is no clock to sleep by'));
    if (!Number.isFinite(wakeMs)) return Promise.reject(new Error(`${wakeMs} is no moment to sleep until`));
    if (this.#sleepers.some((sleeper) => sleeper.order === order)) {
      return Promise.reject(new Error('a job sleeps once at a time'));
    }
    return new Promise((wake, fail) => {
      this.#sleepers.push({ wakeMs, order, wake, fail });
      this.#running -= 1;
      this.#last = order;
      // Settles in a microtask, after all jobs that end in this turn of the event loop.
      queueMicrotask(() => this.#settle());
    });
  }

  /** Moves the clock and returns its time. If the reported time goes back, or not far enough, protocol time stays as it was. */
  async #moved(toMs: number): Promise<number> {
    const reachedMs = (await this.moveTo?.(toMs, this.#sleepers.length)) ?? toMs;
    if (reachedMs >= toMs) return reachedMs;
    throw new Unjudged('inconclusive', `the clock of the target was to move to ${toMs}, and says ${reachedMs}`);
  }

  async #advance(): Promise<void> {
    this.#moving = true;
    const earliestMs = Math.min(...this.#sleepers.map((sleeper) => sleeper.wakeMs));
    try {
      if (earliestMs > this.#nowMs) this.#nowMs = await this.#moved(earliestMs);
      const due = this.#sleepers.filter((sleeper) => sleeper.wakeMs <= this.#nowMs);
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.wakeMs > this.#nowMs);
      this.#due = due.sort((left, right) => left.wakeMs - right.wakeMs || left.order - right.order);
    } catch (error) {
      // Without a clock no job can wake in time: all are woken with the reason, and count as running until they end.
      const stranded = this.#sleepers.splice(0);
      this.#running += stranded.length;
      for (const sleeper of stranded) sleeper.fail(error);
    }
    this.#moving = false;
    this.#settle();
  }
}
