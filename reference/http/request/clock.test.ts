import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Overlay, withOverlay } from '../../../spec/overlay.js';
import { clockMsMax, manualClock, runningClock, type WallClockOptions, wallClock } from './clock.js';

describe('a manual clock', () => {
  it('stands still until it is moved, and moves by so many milliseconds', async () => {
    const clock = manualClock(1_000);
    await sleep(5);
    expect(clock.nowMs()).toBe(1_000);
    clock.advance?.(1);
    clock.advance?.(59_999);
    expect(clock.nowMs()).toBe(61_000);
  });
});

describe('a running clock', () => {
  it('runs from its start at its speed, in whole milliseconds, never back', async () => {
    const [wall, fast] = [runningClock(1_000, 1), runningClock(1_000, 1_000)];
    const before = [wall.nowMs(), fast.nowMs()] as const;
    await sleep(30);
    const after = [wall.nowMs(), fast.nowMs()] as const;
    expect(before[0]).toBeGreaterThanOrEqual(1_000);
    expect(after[0] - before[0]).toBeGreaterThanOrEqual(25);
    expect(after[1] - before[1]).toBeGreaterThanOrEqual(25_000);
    expect(after.every(Number.isSafeInteger)).toBe(true);
    let last = fast.nowMs();
    for (let i = 0; i < 10_000; i++) {
      const now = fast.nowMs();
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  });

  it('stops at its end', async () => {
    const clock = runningClock(1_000, 1_000_000, 5_000);
    await sleep(5);
    expect(clock.nowMs()).toBe(5_000);
  });

  it('ends while the next anchor and the end of a passport still have a year of four digits', () => {
    const last = (overlay: Overlay) => new Date(clockMsMax(withOverlay(overlay))).toISOString();
    expect(last({})).toBe('9999-12-30T23:59:59.999Z');
    expect(last({ passport: { validityHours: 48 } })).toBe('9999-12-29T23:59:59.999Z');
    expect(last({ anchor: { intervalSec: 864_000 } })).toBe('9999-12-21T23:59:59.999Z');
  });

  it('cannot be advanced', () => {
    expect(runningClock(0, 1).advance).toBeUndefined();
  });
});

describe('the wall clock', () => {
  /** A machine whose two clocks the test moves, and a clock on it with the steps that it has reported. */
  function onMachine(options: Pick<WallClockOptions, 'lastMs' | 'endMs'> = {}) {
    const machine = { monotonicMs: 5, wallMs: 1_000_000 };
    const sources = { monotonicMs: () => machine.monotonicMs, wallMs: () => machine.wallMs };
    const steps: number[] = [];
    const clock = wallClock(1_000_000, { ...options, sources, onStep: (ms) => steps.push(ms) });
    /** Lets time pass, in which the wall clock moves by more or less than that; gives the time of the clock then. */
    const pass = (ms: number, stepMs = 0): number => {
      machine.monotonicMs += ms;
      machine.wallMs += ms + stepMs;
      return clock.nowMs();
    };
    return { pass, steps };
  }

  it('follows the wall clock forward after a suspend, and reports how far it jumped', () => {
    const { pass, steps } = onMachine();
    expect([pass(0), pass(500), pass(0, 3_600_000), pass(1)]).toEqual([1_000_000, 1_000_500, 4_600_500, 4_600_501]);
    expect(steps).toEqual([3_600_000]);
  });

  it('never goes back nor stands still when the wall clock is set back, until that has caught up', () => {
    const { pass, steps } = onMachine();
    expect([pass(0, -3_600_000), pass(700)]).toEqual([1_000_000, 1_000_700]);
    expect([pass(0, 3_600_000), pass(0, 60_000)]).toEqual([1_000_700, 1_060_700]);
    expect(steps).toEqual([-3_600_000, 60_000]);
  });

  it('gains no time from a wall clock that is set to and fro, and reports a step once', () => {
    const { pass, steps } = onMachine();
    for (let i = 0; i < 100; i++) {
      pass(0, -1_800_000);
      pass(1, 1_800_000);
    }
    expect(pass(0)).toBe(1_000_100);
    expect(steps.every((step) => step === -1_800_000)).toBe(true);
    pass(0, -1_800_000);
    const reported = steps.length;
    for (let i = 0; i < 100; i++) pass(10);
    expect(steps).toHaveLength(reported);
  });

  it('is corrected by less than a second silently, and stands still for it at most', () => {
    const { pass, steps } = onMachine();
    expect([pass(0, -900), pass(400), pass(600)]).toEqual([1_000_000, 1_000_000, 1_000_100]);
    expect(pass(0, 900)).toBe(1_001_000);
    // Two clocks that drift apart by 500 millionths over a day.
    expect([pass(86_400_000, 43_200), pass(86_400_000, -43_200)]).toEqual([87_444_200, 173_801_000]);
    expect(steps).toEqual([]);
  });

  it('begins where a journal ends, and stops at its end', () => {
    const { pass, steps } = onMachine({ lastMs: 1_030_000, endMs: 1_090_000 });
    expect([pass(0), pass(10_000), pass(0, 30_000)]).toEqual([1_030_000, 1_040_000, 1_040_000]);
    expect([pass(1_000), pass(90_000)]).toEqual([1_041_000, 1_090_000]);
    expect(steps).toEqual([-30_000]);
  });
});
