/**
 * Puts exchanges into the order of their times: each begins and ends between the begins and ends of the others. It holds a bounded number of them,
 * since files are in order only roughly, and a proxy knows an exchange only when it has ended.
 */

import type { Observed } from './exchange.js';

/** Takes the exchanges in order: the returned function ends the exchange. */
export type Begin = (observed: Observed) => () => void;

/** A moment at which something begins or ends. */
interface Moment {
  readonly atMs: number;
  /** Breaks ties: a lower rank comes first, and then what was added first. */
  readonly rank: number;
  readonly nth: number;
  readonly pass: () => void;
}

/** Bounds of what is held back. */
const HELD_MAX = 500;
const HELD_CHARS_MAX = 8_388_608;
/** For this many exchanges after two that certainly overlap, the client counts as one that sends several at once. */
const CONCURRENT_FOR = 2_000;

/** Begins and ends exchanges in the order of their times. */
export class InOrder {
  readonly #moments: Moment[] = [];
  #held = 0;
  #chars = 0;
  #nth = 0;
  #passedMs = Number.NEGATIVE_INFINITY;
  /** The latest certain end so far, for recognizing clients that send several requests at once. */
  #lastEndMs = Number.NEGATIVE_INFINITY;
  #concurrentUntil = 0;

  constructor(readonly begin: Begin) {}

  /**
   * Adds an exchange. One without times follows all before it, and ends before the next. One that is too late for its place is not judged. Rounded
   * times of a client that sends one request after the other are in the order of the file: an exchange ends before the next begins. Of a client
   * that sends several at once, exchanges that may have overlapped count as overlapping.
   */
  add(observed: Observed): void {
    const { beganMs, endedMs = beganMs, inexactMs = 0 } = observed;
    if (beganMs === undefined || endedMs === undefined) {
      this.flush();
      this.begin(observed)();
      return;
    }
    if (beganMs < this.#passedMs) {
      this.begin({ ...observed, unread: observed.unread ?? 'late' })();
      return;
    }
    if (beganMs + inexactMs < this.#lastEndMs) this.#concurrentUntil = this.#nth + 2 * CONCURRENT_FOR;
    this.#lastEndMs = Math.max(this.#lastEndMs, endedMs - inexactMs);
    const chars = (observed.request.body?.length ?? 0) + (observed.reply?.body.length ?? 0);
    this.#held += 1;
    this.#chars += chars;
    this.#push(beganMs, 0, () => {
      const end = this.begin(observed);
      const isInOrder = inexactMs > 0 && this.#nth > this.#concurrentUntil;
      const atMs = isInOrder ? endedMs - inexactMs : endedMs + inexactMs;
      this.#push(Math.max(beganMs, atMs), isInOrder ? -1 : 1, () => {
        this.#held -= 1;
        this.#chars -= chars;
        end();
      });
    });
    while (this.#held > HELD_MAX || this.#chars > HELD_CHARS_MAX) this.#pass();
  }

  /** Passes all moments before a time, at which nothing can be added any more. */
  passUntil(atMs: number): void {
    while ((this.#moments[0]?.atMs ?? Number.POSITIVE_INFINITY) < atMs) this.#pass();
  }

  /** Passes all moments. */
  flush(): void {
    while (this.#moments.length > 0) this.#pass();
  }

  #pass(): void {
    const first = this.#pop();
    if (first === undefined) return;
    this.#passedMs = Math.max(this.#passedMs, first.atMs);
    first.pass();
  }

  #push(atMs: number, rank: number, pass: () => void): void {
    const moments = this.#moments;
    this.#nth += 1;
    const moment = { atMs, rank, nth: this.#nth, pass };
    let at = moments.length;
    moments.push(moment);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = moments[above];
      if (parent === undefined || !isBefore(moment, parent)) break;
      moments[at] = parent;
      at = above;
    }
    moments[at] = moment;
  }

  #pop(): Moment | undefined {
    const moments = this.#moments;
    const first = moments[0];
    const last = moments.pop();
    if (first === undefined || last === undefined || moments.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const [one, other] = [moments[left], moments[right]];
      const least = one !== undefined && other !== undefined && isBefore(other, one) ? right : left;
      const child = moments[least];
      if (child === undefined || !isBefore(child, last)) break;
      moments[at] = child;
      at = least;
    }
    moments[at] = last;
    return first;
  }
}

/** Of two moments at the same time, a begin comes first, so that the exchanges count as overlapping. */
function isBefore(one: Moment, other: Moment): boolean {
  return (one.atMs - other.atMs || one.rank - other.rank || one.nth - other.nth) < 0;
}
