/**
 * Plays protocol time at a speed, until it is paused: the present, or the copy of an earlier moment that is shown. It moves in slices, so that
 * a pause acts at once; where the machine cannot keep up, time goes slower and nothing is left out.
 */

import type { LivingReference } from './living-reference.js';

/** Protocol time for each second of real time, in ms; the fastest goes as fast as it can. */
export const SPEEDS = { '1x': 1_000, '60x': 60_000, '1h': 3_600_000, fastest: Number.POSITIVE_INFINITY } as const;
export type Speed = keyof typeof SPEEDS;

/** Between two slices: a pause acts within one frame of a screen. */
const SLICE_MS = 16;
/** The protocol time that a slice moves at most. */
const SLICE_MAX_MS = 600_000;
/** Protocol time between two fingerprints while it plays. */
const MARK_EVERY_MS = 1_800_000;
/** A lab that nobody watches is paused after this real time. */
const UNWATCHED_MS = 10_000;
const SECOND_MS = 1_000;

/** The protocol time of a slice, whole seconds, of those that are due after `elapsedMs` of real time at a speed. */
export function sliceOf(speed: Speed, elapsedMs: number): number {
  const due = SPEEDS[speed] === Number.POSITIVE_INFINITY ? SLICE_MAX_MS : (SPEEDS[speed] * elapsedMs) / SECOND_MS;
  return Math.min(SLICE_MAX_MS, Math.floor(due / SECOND_MS) * SECOND_MS);
}

/** The player of one reference. */
export class Player {
  readonly #reference: LivingReference;
  #speed: Speed | null = null;
  #playing: Promise<void> = Promise.resolve();
  /** Whether a page is open. */
  isWatched: () => boolean = () => true;

  constructor(reference: LivingReference) {
    this.#reference = reference;
  }

  /** The speed at which time plays; null while it is paused. */
  get speed(): Speed | null {
    return this.#speed;
  }

  /** Plays, or goes on at another speed. */
  play(speed: Speed): void {
    const isPlaying = this.#speed !== null;
    this.#speed = speed;
    if (!isPlaying) this.#playing = this.#playing.then(() => this.#run());
  }

  /** Pauses; resolves when time is at rest. */
  async pause(): Promise<void> {
    this.#speed = null;
    await this.#playing;
  }

  async #run(): Promise<void> {
    try {
      await this.#slices();
    } catch (error) {
      this.#reference.failed(error);
    } finally {
      this.#speed = null;
      this.#reference.settle();
    }
  }

  async #slices(): Promise<void> {
    let [fromMs, watchedMs] = [performance.now(), performance.now()];
    let markedMs = this.#reference.shown.nowMs;
    while (this.#speed !== null) {
      const nowMs = performance.now();
      if (this.isWatched()) watchedMs = nowMs;
      if (nowMs - watchedMs > UNWATCHED_MS) return;
      const ms = sliceOf(this.#speed, nowMs - fromMs);
      if (ms > 0) {
        // The real time of a slice that is cut is not made up for.
        fromMs = ms === SLICE_MAX_MS ? nowMs : fromMs + (ms * SECOND_MS) / SPEEDS[this.#speed];
        if (!(await this.#reference.playOn(ms, () => this.#speed !== null))) return;
        const { past, shown } = this.#reference;
        if (past === undefined && shown.nowMs - markedMs >= MARK_EVERY_MS) {
          this.#reference.settle();
          markedMs = shown.nowMs;
        }
      }
      await new Promise((passed) => setTimeout(passed, SLICE_MS));
    }
  }
}
