import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { feesBooked } from '../../../reference/registry/fee-book.js';
import { serviceFingerprint } from '../../../reference/state-digest.js';
import { parsedOrFail } from '../../../runs/host/files.js';
import { parseScenario } from '../../../scenarios/schema.js';
import { standings } from '../../../spec/vocabulary.js';
import { POPULATION } from '../population.js';
import { LivingReference } from './living-reference.js';
import { sliceOf } from './player.js';
import { RegistryFeed, type RegistryNews } from './registry-feed.js';
import { serverActions } from './server-actions.js';
import { standingCounts } from './service-views.js';

const HOUR_MS = 3_600_000;
let reference: LivingReference;
let feed: RegistryFeed;
const news: RegistryNews[] = [];

const act = async (path: string, body: object = {}) =>
  (await serverActions(reference, () => '')
    .find((each) => each.path === `server/${path}`)
    ?.run(body)) as Readonly<Record<string, unknown>>;

const until = (holds: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(holds()).toBe(true), { timeout: 60_000, interval: 5 });

beforeAll(async () => {
  reference = await LivingReference.start(parsedOrFail(parseScenario(POPULATION, 'population')), 3, {
    onRequest: (entry) => feed?.note(entry),
    onChange: () => undefined,
    onReplayed: (name, agent) => feed?.noteReplayed(name, agent),
    onRefusedAgain: (entry) => feed?.note(entry),
    onError: (error) => {
      throw error;
    },
  });
  feed = new RegistryFeed(reference, (each) => news.push(each));
});
afterAll(() => reference.close());

it.each([
  ['1x', 999, 0],
  ['1x', 1_000, 1_000],
  ['60x', 16, 0],
  ['60x', 50, 3_000],
  ['1h', 16, 57_000],
  ['1h', 60_000, 600_000],
  ['fastest', 0, 600_000],
] as const)('at %s %i ms of real time are %i ms of protocol time', (speed, elapsedMs, ms) => {
  expect(sliceOf(speed, elapsedMs)).toBe(ms);
});

/** The standings that a page has, which read the picture once and all news after it. */
function followed(): () => readonly number[] {
  const first = feed.picture();
  const own = [...first.standings];
  let { version } = first;
  return () => {
    for (const each of news.filter((later) => later.version > first.version)) {
      if (each.version <= version) continue;
      expect(each.version).toBe(version + 1);
      version = each.version;
      for (const _ of each.born) own.push(0);
      for (const [row, standing] of each.standings) own[row] = standing;
    }
    return own;
  };
}

describe('time that plays', () => {
  it('goes on until it is paused, and then rests', async () => {
    const startMs = reference.shown.nowMs;
    await act('play', { speed: 'fastest' });
    await until(() => reference.shown.nowMs > startMs + 5 * HOUR_MS);
    expect((await act('figures'))['playing']).toBe('fastest');
    expect((await act('pause'))['playing']).toBeNull();
    const { nowMs } = reference.shown;
    await new Promise((passed) => setImmediate(passed));
    expect(reference.shown.nowMs).toBe(nowMs);
    expect(reference.history.marks.at(-1)?.atMs).toBe(nowMs);
    expect(reference.history.marks.length).toBeGreaterThan(5);
    expect((await act('step'))['nowMs']).toBe(nowMs + 60_000 - (nowMs % 60_000));
  });

  it('is shown by news: standings, heartbeats, fees and refusals with their clause', async () => {
    const own = followed();
    const feesBefore = feesBooked(reference.running.host.service.registry.feeBook);
    await reference.advance(2 * HOUR_MS);
    feed.tell();
    const counts = standingCounts(reference.running.host.service.registry);
    const shown = own();
    for (const [at, standing] of standings.entries())
      expect(shown.filter((each) => each === at).length).toBe(counts[standing]);
    const latest = news.at(-1);
    expect(latest?.beats.length).toBeGreaterThan(10);
    const paid = latest?.fees.reduce((sum, [, lamports]) => sum + lamports, 0) ?? 0;
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBe(feesBooked(reference.running.host.service.registry.feeBook) - feesBefore);
    expect(latest?.refused.map(([, clause]) => clause)).toContain('heartbeat.error.heartbeat-too-soon');
  });

  it('plays again in a copy of an earlier moment, with every fingerprint of the first time, and stops at the present', async () => {
    const present = serviceFingerprint(reference.running.host.service);
    const requests = reference.log.counts;
    await act('back', { atMs: reference.history.marks[2]?.atMs });
    const own = followed();
    await act('step');
    expect(reference.past).toMatchObject({ same: null });
    await act('play', { speed: 'fastest' });
    await until(() => reference.player.speed === null);
    expect(reference.past).toMatchObject({
      same: true,
      atMs: reference.running.host.clock.nowMs(),
      fingerprint: reference.history.marks.at(-1)?.fingerprint,
    });
    expect(reference.past && serviceFingerprint(reference.past.host.service)).toBe(present);
    expect(reference.past?.agreed).toBeGreaterThan(5);
    feed.tell();
    const counts = standingCounts(reference.running.host.service.registry);
    expect(own().filter((each) => each === standings.indexOf('frozen')).length).toBe(counts.frozen);
    expect(news.at(-1)?.beats.length).toBeGreaterThan(10);
    expect(news.at(-1)?.fees.length).toBeGreaterThan(10);
    // Nothing was sent again.
    expect(reference.log.counts).toEqual(requests);
    await act('present');
    expect(serviceFingerprint(reference.running.host.service)).toBe(present);
  });

  it('pauses when the user goes back', async () => {
    await act('play', { speed: '1h' });
    await act('back', { atMs: reference.history.marks[0]?.atMs });
    expect(reference.player.speed).toBeNull();
    await act('present');
    await expect(act('play', { speed: '2x' })).rejects.toThrow('speed');
  });
});
