/**
 * The clocks that a server can run on: manual, the wall clock, or at a multiple of real time. The rules never read a clock; they get
 * the time as an argument.
 */

import { ISO_MS_MAX } from '../../../spec/formats.js';
import type { Protocol } from '../../../spec/protocol.js';
import { HOUR_MS } from '../../../spec/time.js';

/** The time of a service. A clock with `advance` moves only by `advance`. */
export interface Clock {
  readonly nowMs: () => number;
  /** Moves the clock forward by whole milliseconds; absent on a clock that runs by itself. */
  readonly advance?: (ms: number) => void;
}

/** A clock that moves only on request. */
export function manualClock(startMs: number): Clock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

/** The clocks of the machine. */
export interface TimeSources {
  /** Milliseconds since some moment. It never goes back, and may stand still while the machine is suspended. */
  readonly monotonicMs: () => number;
  /** Unix ms. It is set forward and back: by a correction, after a suspend, when a virtual machine is restored. */
  readonly wallMs: () => number;
}

const machine: TimeSources = { monotonicMs: () => performance.now(), wallMs: () => Date.now() };

/**
 * A clock that runs `factor` times as fast as the machine's, from `startMs` on, and stops at `endMs`. It never goes
 * back, and counts only the time in which the machine runs.
 */
export function runningClock(
  startMs: number,
  factor: number,
  endMs = ISO_MS_MAX,
  { monotonicMs }: TimeSources = machine,
): Clock {
  const originMs = monotonicMs();
  return { nowMs: () => Math.min(startMs + Math.floor((monotonicMs() - originMs) * factor), endMs) };
}

/** A step of the wall clock: positive when it jumped ahead, negative when it was set back. */
export type StepListener = (stepMs: number) => void;

export interface WallClockOptions {
  /** The clock begins no earlier than at this time, the last one of a journal. */
  readonly lastMs?: number;
  readonly endMs?: number;
  readonly onStep?: StepListener;
  readonly sources?: TimeSources;
}

/** The two clocks of a machine may differ by this much, and by a thousandth of the time between two readings. */
const TOLERANCE_MS = 1_000;

/**
 * A clock that shows `startMs` now and follows the machine's wall clock forward: it skips the time in which the machine was suspended in one step.
 * It never goes back. When the wall clock is set back, it goes on at its pace, ahead of the wall clock, until that has caught up.
 */
export function wallClock(startMs: number, options: WallClockOptions = {}): Clock {
  const { lastMs = startMs, endMs = ISO_MS_MAX, onStep = () => undefined, sources = machine } = options;
  const offsetMs = startMs - sources.wallMs();
  let shownMs = Math.max(startMs, lastMs);
  let readMs = sources.monotonicMs();
  /** How far this clock was ahead of the wall clock when that was last reported. */
  let aheadMs = 0;
  const nowMs = (): number => {
    const monotonicMs = sources.monotonicMs();
    const passedMs = monotonicMs - readMs;
    readMs = monotonicMs;
    const wallMs = sources.wallMs() + offsetMs;
    const stepMs = wallMs - (shownMs + passedMs);
    const toleranceMs = TOLERANCE_MS + passedMs / 1_000;
    if (stepMs < -toleranceMs) {
      shownMs += passedMs;
      if (-stepMs > aheadMs + toleranceMs) {
        onStep(stepMs + aheadMs);
        aheadMs = -stepMs;
      }
    } else {
      shownMs = Math.max(shownMs, wallMs);
      aheadMs = 0;
      if (stepMs > toleranceMs) onStep(stepMs);
    }
    return Math.min(Math.floor(shownMs), endMs);
  };
  return { nowMs };
}

const SEC_MS = 1_000;

/**
 * Section 2: the last moment of a clock. At this moment every time in a reply, even the end of a passport or the next anchor, still has
 * a year of four digits.
 */
export function clockMsMax({ passport, anchor }: Protocol): number {
  return ISO_MS_MAX - Math.max(passport.validityHours * HOUR_MS, anchor.intervalSec * SEC_MS);
}
