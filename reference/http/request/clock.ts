/**
 * The clocks that a server can run on: manual, or at a multiple of real time. The rules never read a clock; they get
 * the time as an argument.
 */

import { ISO_MS_MAX } from '../../../spec/formats.js';
import type { Protocol } from '../../../spec/protocol.js';

/** The time of a service. A clock with `advance` moves only when it is told to. */
export interface Clock {
  readonly nowMs: () => number;
  /** Moves the clock forward by whole milliseconds; absent on a clock that runs by itself. */
  readonly advance?: (ms: number) => void;
}

/** A clock that moves only when it is told to. */
export function manualClock(startMs: number): Clock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

/**
 * A clock that runs `factor` times as fast as the machine's, from `startMs` on, and stops at `endMs`. It never goes
 * back.
 */
export function runningClock(startMs: number, factor: number, endMs = ISO_MS_MAX): Clock {
  const originMs = performance.now();
  return { nowMs: () => Math.min(startMs + Math.floor((performance.now() - originMs) * factor), endMs) };
}

const SEC_MS = 1_000;
const HOUR_MS = 3_600_000;

/**
 * Section 2: the last moment from which every time in a reply, the end of a passport and the next anchor included,
 * still has a year of four digits.
 */
export function clockMsMax({ passport, anchor }: Protocol): number {
  return ISO_MS_MAX - Math.max(passport.validityHours * HOUR_MS, anchor.intervalSec * SEC_MS);
}
