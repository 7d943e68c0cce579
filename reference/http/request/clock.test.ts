import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Overlay, withOverlay } from '../../../spec/overlay.js';
import { clockMsMax, manualClock, runningClock } from './clock.js';

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
