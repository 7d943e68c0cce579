/**
 * Lets protocol time pass for a check, by moving the clock or by waiting, and detects when the check missed a moment. Durations
 * are computed in steps/waits.ts.
 */
import type { Reason } from '../../results/conformance-result.js';
import type { Protocol } from '../../spec/protocol.js';
import { HOUR_SEC } from '../../spec/time.js';
import { lacking, Unjudged } from '../assertions/unjudged.js';
import type { Turn } from './clock.js';
import type { Session } from './session.js';

/** A duration: in seconds, or until the n-th next anchor is issued. */
export type Span = { readonly sec: number } | { readonly ms: number } | { readonly anchors: number };

/** The milliseconds of a duration; an anchor counts as one regular interval. */
export function spanMs(span: Span, { anchor }: Protocol): number {
  if ('anchors' in span) return span.anchors * anchor.intervalSec * 1_000;
  return 'sec' in span ? span.sec * 1_000 : span.ms;
}

/**
 * The margin (ms) to a limit in real time, since requests take a while and the clocks of two machines differ: the suite calls this much before or
 * after the limit.
 */
export const SLACK_MS = 4_000;
/** Waking within this margin of a limit is too late. */
const MARGIN_MS = 1_000;
/** How often the suite reads an anchor that is late, and the time between two reads. */
const LOOKS_MAX = 10;
const LOOK_MS = 1_000;

/**
 * Protocol time of one check on a target whose clock runs by itself. A check that misses a moment, because it woke too late or an
 * anchor was issued meanwhile, is not judged.
 */
export class ObservedTime {
  /** When the last sleep would have ended without the margin: the next sleep counts from then, even if the check woke earlier. */
  #dueMs = 0;
  /** The time before which the target has to answer the check's requests. */
  #limitMs = Number.POSITIVE_INFINITY;
  #overtaken = false;
  /** The latest anchor when the check began or last woke; the check relies on no other having been issued since. */
  #anchor: number | undefined;

  constructor(
    readonly session: Session,
    readonly turn: Turn,
  ) {}

  /** Whether a request that had to come before a limit or an anchor may have been answered after it. */
  async overtaken(): Promise<boolean> {
    this.#look();
    if (this.#overtaken || this.#anchor === undefined) return this.#overtaken;
    return (await this.session.anchors.latest()) !== this.#anchor;
  }

  #look(): void {
    if (this.session.wallMs() > this.#limitMs - MARGIN_MS) this.#overtaken = true;
  }

  /** Waits for the next anchor, so that a check that counts anchors starts just after one. */
  async begin(): Promise<void> {
    const { anchors, wallMs } = this.session;
    const index = await anchors.latest();
    const leftMs = (await anchors.wallMsOf(index + 1)) - wallMs();
    if (leftMs < anchors.intervalSec * 500) return this.#reach(index + 1);
    this.#anchor = index;
  }

  /** Sleeps for a duration plus the margin. `early`: minus the margin, since what follows has to come before a limit. */
  async sleep(span: Span, early = false): Promise<void> {
    if ('anchors' in span) return this.#reach((await this.#unmoved()) + span.anchors);
    const nowMs = this.session.wallMs();
    await this.sleepUntil(Math.max(nowMs, this.#dueMs) + spanMs(span, this.session.target.protocol), early);
  }

  /** Sleeps until a time of the wall clock, plus or minus the margin. */
  async sleepUntil(ms: number, early = false): Promise<void> {
    this.#look();
    this.#dueMs = ms;
    const counts = this.#anchor !== undefined;
    await this.turn.sleepUntil(early ? ms - SLACK_MS : ms + SLACK_MS);
    this.#limitMs = early ? ms : Number.POSITIVE_INFINITY;
    this.#anchor = counts ? await this.session.anchors.latest() : undefined;
    if (early && this.session.wallMs() > ms - MARGIN_MS)
      throw late('the moment before which it had to send a request has passed');
  }

  /** The latest anchor. Throws `Unjudged` if another one was issued during steps that the check assumed to be within one anchor. */
  async #unmoved(): Promise<number> {
    const index = await this.session.anchors.latest();
    if (this.#anchor !== undefined && this.#anchor !== index) throw late('an anchor was issued between its requests');
    return index;
  }

  /** Sleeps until an anchor has been issued, and no later one. */
  async #reach(index: number): Promise<void> {
    const { anchors, waitMs } = this.session;
    this.#look();
    this.#limitMs = Number.POSITIVE_INFINITY;
    await this.turn.sleepUntil((await anchors.wallMsOf(index)) + SLACK_MS);
    for (let look = 1; ; look += 1) {
      const latest = await anchors.latest();
      if (latest > index) throw late('a later anchor than the awaited one was issued');
      if (latest === index) break;
      if (look === LOOKS_MAX) throw new Unjudged('not-tested', `anchor ${index} was not issued when it was due`);
      await waitMs(LOOK_MS);
    }
    this.#anchor = index;
    this.#dueMs = 0;
  }
}

/** Why a check that missed a moment is not judged. */
export function lateReason(what: string): Reason {
  return lacking('clock', `in real time it came too late: ${what}; a clock that can be moved avoids that`);
}

function late(what: string): Unjudged {
  return new Unjudged('not-tested', lateReason(what));
}

const UNITS = [
  ['h', HOUR_SEC],
  ['m', 60],
  ['s', 1],
] as const;

/** Whole seconds as `--wait` takes them: 61m, 1h30m, 90 s as 1m30s. */
export function waitText(sec: number): string {
  if (sec >= HOUR_SEC && sec < 7_200 && sec % HOUR_SEC !== 0 && sec % 60 === 0) return `${sec / 60}m`;
  let left = sec;
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    if (count > 0) text += `${count}${unit}`;
    left -= count * size;
  }
  return text === '' ? '0s' : text;
}
