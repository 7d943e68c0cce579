// The clocks of `--clock` and `--start`, and where they go on after a restart.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readClock } from './server-flags.js';

const NOW_MS = Date.UTC(2026, 4, 1);
const DAY_MS = 86_400_000;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('--clock wall', () => {
  /** Sets the machine's wall clock, and lets its other clock stand still. */
  const setWall = (ms: number): void => {
    vi.spyOn(Date, 'now').mockReturnValue(ms);
    vi.spyOn(performance, 'now').mockReturnValue(0);
  };
  const printed = () => vi.spyOn(console, 'error').mockImplementation(() => undefined);

  it('reports in one line how far it jumped, or was set back', () => {
    const error = printed();
    setWall(NOW_MS);
    const clock = readClock({ clock: 'wall' });
    setWall(NOW_MS + DAY_MS);
    expect(clock.nowMs()).toBe(NOW_MS + DAY_MS);
    setWall(NOW_MS);
    expect(clock.nowMs()).toBe(NOW_MS + DAY_MS);
    const lines = error.mock.calls.map(([line]) => String(line));
    expect(lines).toEqual([
      expect.stringMatching(/^The wall clock jumped ahead by 86400\.0 s, .*\.$/),
      expect.stringMatching(/^The wall clock was set back by 86400\.0 s\. .*\.$/),
    ]);
  });

  it('shows the time of day again once that has passed the end of the journal; --start shifts it', () => {
    printed();
    setWall(NOW_MS);
    const clock = readClock({ clock: 'wall' }, undefined, NOW_MS + 1_800_000);
    const shifted = readClock({ clock: 'wall', start: '2030-01-01' }, undefined, Date.UTC(2030, 0, 2));
    expect([clock.nowMs(), shifted.nowMs()]).toEqual([NOW_MS + 1_800_000, Date.UTC(2030, 0, 2)]);
    setWall(NOW_MS + 3_600_000);
    expect([clock.nowMs(), shifted.nowMs()]).toEqual([NOW_MS + 3_600_000, Date.UTC(2030, 0, 2, 1)]);
  });
});

it.each([
  ['manual', Date.UTC(2026, 0, 1), Date.UTC(2025, 0, 1)],
  ['60x', NOW_MS, NOW_MS],
])('--clock %s begins at its start, or goes on after a journal', (clock, startMs, afterOldMs) => {
  vi.spyOn(Date, 'now').mockReturnValue(NOW_MS);
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const begin = (lastMs?: number) => readClock({ clock }, undefined, lastMs).nowMs();
  expect([begin(), begin(Date.UTC(2025, 0, 1)), begin(NOW_MS + 5)]).toEqual([startMs, afterOldMs, NOW_MS + 5]);
});
