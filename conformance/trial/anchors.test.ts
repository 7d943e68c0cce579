import { describe, expect, it } from 'vitest';
import { Reply } from '../assertions/reply.js';
import { AnchorSchedule } from './anchors.js';

const INTERVAL_MS = 60_000;

/** A schedule over a clock that a test moves, on a target that issues an anchor a minute, from 0 on. */
function world() {
  const state = { nowMs: 30_000, asked: 0, silent: false };
  const read = async (): Promise<Reply> => {
    state.asked += 1;
    if (state.silent) throw new Error('no reply');
    const index = Math.floor(state.nowMs / INTERVAL_MS);
    const next_anchor_at = new Date((index + 1) * INTERVAL_MS).toISOString();
    return new Reply('GET beat-anchor', 200, {}, JSON.stringify({ anchor: { beat_index: index }, next_anchor_at }));
  };
  const wait = async (ms: number): Promise<void> => {
    state.nowMs += ms;
  };
  return { state, schedule: new AnchorSchedule(read, 60, () => state.nowMs, wait) };
}

describe('the latest anchor', () => {
  it('is asked for once by those who wake together', async () => {
    const { state, schedule } = world();
    await schedule.wallMsOf(1);
    const before = state.asked;
    expect(await Promise.all([schedule.latest(), schedule.latest(), schedule.latest()])).toEqual([0, 0, 0]);
    expect(state.asked - before).toBe(1);
    state.nowMs += 501;
    expect(await schedule.latest()).toBe(0);
    expect(state.asked - before).toBe(2);
  });

  it('is asked for by everybody where another one may have come since', async () => {
    const { state, schedule } = world();
    state.nowMs = INTERVAL_MS - 200;
    expect(await schedule.latest()).toBe(0);
    state.nowMs = INTERVAL_MS + 200;
    expect(await schedule.latest()).toBe(1);
  });
});

it('the schedule is asked for again where an attempt failed', async () => {
  const { state, schedule } = world();
  state.silent = true;
  await expect(schedule.wallMsOf(3)).rejects.toThrow('no reply');
  state.silent = false;
  expect(await schedule.wallMsOf(3)).toBe(3 * INTERVAL_MS);
});

describe('an anchor in another form than that of D-05', () => {
  const scheduleOf = (body: object) =>
    new AnchorSchedule(
      async () => new Reply('GET beat-anchor', 200, {}, JSON.stringify(body)),
      60,
      () => 30_000,
      async () => {},
    );

  it('tells under other names when the next one is due', async () => {
    const told = scheduleOf({ index: 4, anchor_hash: 'ab', next_at: '1970-01-01T00:05:00.250+00:00' });
    expect(await told.msOf(2, 250_000)).toBe(360_250);
    const dated = scheduleOf({ latest_anchor: { anchor_index: 4, timestamp: 240.5 } });
    expect(await dated.msOf(1, 250_000)).toBe(300_500);
  });

  it('that tells times in whole seconds is one whose times may have been cut', async () => {
    const cut = scheduleOf({ index: 4, hash: 'ab', next_at: '1970-01-01T00:05:00Z' });
    expect(await cut.msOf(2, 250_000)).toBe(370_000);
    const inBoth = scheduleOf({ anchor: { index: 4, timestamp: 240 }, next_anchor_at: '1970-01-01T00:05:00.000000Z' });
    expect(await inBoth.msOf(1, 250_000)).toBe(310_000);
    const cutOnce = scheduleOf({ anchor: { index: 4, utc: 1_767_225_600_750 }, next_at: '2026-01-01T00:01:00Z' });
    expect(await cutOnce.msOf(1, 1_767_225_630_000)).toBe(1_767_225_660_750);
  });

  it('lets so many whole intervals pass where nothing tells when one is due', async () => {
    expect(await scheduleOf({ height: 4, hash: 'ab' }).msOf(3, 250_000)).toBe(430_000);
  });
});
