import fc from 'fast-check';
import type { Response } from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RateWindow, rateWindows } from '../../../spec/rate-window.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { addFlag } from '../../registry/columns/flags.js';
import { countInBucket, createRateLimiter, uncountInBucket, WINDOWS_MAX } from './rate-limit.js';

const LIMIT = { count: 3, windowSec: 60 };

describe('a bucket (D-34)', () => {
  it('[limit.window] admits its count, then returns how long it stays full, from its first request on', () => {
    const limiter = createRateLimiter();
    const take = (nowMs: number): number => countInBucket(limiter, 'a', LIMIT, nowMs);
    expect([take(1_000), take(1_000), take(30_000)]).toEqual([0, 0, 0]);
    expect([take(30_000), take(30_001), take(60_999)]).toEqual([31_000, 30_999, 1]);
    expect(take(61_000)).toBe(0);
    expect([take(61_000), take(61_000), take(61_000)]).toEqual([0, 0, 60_000]);
  });

  it('is apart from every other', () => {
    const limiter = createRateLimiter();
    for (let i = 0; i < 4; i++) countInBucket(limiter, 'a', LIMIT, 0);
    expect(countInBucket(limiter, 'b', LIMIT, 0)).toBe(0);
    expect(countInBucket(limiter, 'constructor', LIMIT, 0)).toBe(0);
  });

  it('takes a request back, in the window that it came in alone', () => {
    const limiter = createRateLimiter();
    const take = (nowMs: number): number => countInBucket(limiter, 'a', LIMIT, nowMs);
    const back = (takenAtMs: number): void => uncountInBucket(limiter, 'a', LIMIT, takenAtMs);
    expect([take(0), take(10), take(20), take(30)]).toEqual([0, 0, 0, 59_970]);
    back(20);
    back(30);
    expect([take(40), take(50)]).toEqual([0, 59_950]);
    expect([take(60_000), take(60_001)]).toEqual([0, 0]);
    back(50);
    expect([take(60_002), take(60_003)]).toEqual([0, 59_997]);
    uncountInBucket(limiter, 'b', LIMIT, 0);
    expect(countInBucket(limiter, 'b', LIMIT, 70_000)).toBe(0);
  });

  it('that gave back its only request has not opened a window', () => {
    const limiter = createRateLimiter();
    countInBucket(limiter, 'a', LIMIT, 0);
    uncountInBucket(limiter, 'a', LIMIT, 0);
    expect(limiter.windows.size).toBe(0);
    for (let i = 0; i < 3; i++) expect(countInBucket(limiter, 'a', LIMIT, 50_000)).toBe(0);
    expect(countInBucket(limiter, 'a', LIMIT, 60_000)).toBe(50_000);
  });

  it('of no requests admits none', () => {
    const limiter = createRateLimiter();
    expect(countInBucket(limiter, 'a', { count: 0, windowSec: 60 }, 5)).toBe(60_000);
    expect(countInBucket(limiter, 'a', { count: 0, windowSec: 60 }, 70_000)).toBe(60_000);
  });

  it('is forgotten once its window has ended', () => {
    const limiter = createRateLimiter();
    for (let i = 0; i < 10_000; i++) countInBucket(limiter, `address ${i}`, LIMIT, 0);
    expect(limiter.windows.size).toBe(10_000);
    countInBucket(limiter, 'late', LIMIT, 60_000);
    expect([...limiter.windows.keys()]).toEqual(['late']);
  });

  it('is given up when there are too many, the oldest first', () => {
    const limiter = createRateLimiter();
    const limit = { count: 1, windowSec: 60 };
    for (let i = 0; i < WINDOWS_MAX + 1; i++) countInBucket(limiter, `ip ${i}`, limit, 0);
    expect(limiter.windows.size).toBe(WINDOWS_MAX);
    expect(countInBucket(limiter, 'ip 1', limit, 1)).toBe(59_999);
    expect(countInBucket(limiter, 'ip 0', limit, 1)).toBe(0);
  });

  it('bears a clock that goes back', () => {
    const limiter = createRateLimiter();
    for (let i = 0; i < 3; i++) countInBucket(limiter, 'a', LIMIT, 100_000);
    expect(countInBucket(limiter, 'a', LIMIT, 0)).toBe(160_000);
  });

  it('agrees with a list of all requests', () => {
    const request = fc.record({ bucket: fc.constantFrom('a', 'b'), afterMs: fc.integer({ min: 0, max: 40_000 }) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
        const limiter = createRateLimiter();
        const opened = new Map<string, { startMs: number; seen: number }>();
        let nowMs = 0;
        for (const { bucket, afterMs } of requests) {
          nowMs += afterMs;
          const known = opened.get(bucket);
          const open = known === undefined || nowMs >= known.startMs + 60_000 ? { startMs: nowMs, seen: 0 } : known;
          open.seen += 1;
          opened.set(bucket, open);
          const expected = open.seen <= 3 ? 0 : open.startMs + 60_000 - nowMs;
          expect(countInBucket(limiter, bucket, LIMIT, nowMs)).toBe(expected);
        }
      }),
      { seed: 34, numRuns: 300 },
    );
  });
});

describe('a bucket in another form that keeps the rate', () => {
  const taking = (form: RateWindow) => {
    const limiter = createRateLimiter(form);
    return { limiter, take: (nowMs: number): number => countInBucket(limiter, 'a', LIMIT, nowMs) };
  };

  it('by the clock ends with its minute, whenever it began', () => {
    const { take } = taking('clock');
    expect([take(50_000), take(50_000), take(50_000), take(50_000)]).toEqual([0, 0, 0, 10_000]);
    expect([take(60_000), take(60_000), take(60_000), take(119_999)]).toEqual([0, 0, 0, 1]);
  });

  it('that slides has room again a window after each of its requests', () => {
    const { take } = taking('sliding');
    expect([take(0), take(10_000), take(20_000), take(20_000)]).toEqual([0, 0, 0, 40_000]);
    expect([take(59_999), take(60_000), take(60_001)]).toEqual([1, 0, 9_999]);
  });

  it('that refills has room for one more after a part of its window', () => {
    const { take } = taking('refilling');
    expect([take(0), take(0), take(0), take(0)]).toEqual([0, 0, 0, 20_000]);
    expect([take(19_999), take(20_000), take(20_000)]).toEqual([1, 0, 20_000]);
  });

  it.each(rateWindows)(
    '%s: whoever waits as long as is said is admitted, and a request taken back leaves its room',
    (form) => {
      const request = fc.integer({ min: 0, max: 40_000 });
      fc.assert(
        fc.property(fc.array(request, { maxLength: 40 }), (gaps) => {
          const { limiter, take } = taking(form);
          let nowMs = 0;
          for (const gap of gaps) {
            nowMs += gap;
            const waitMs = take(nowMs);
            if (waitMs === 0) {
              uncountInBucket(limiter, 'a', LIMIT, nowMs);
              expect(take(nowMs)).toBe(0);
            } else {
              nowMs += waitMs;
              expect(take(nowMs)).toBe(0);
            }
          }
        }),
        { seed: 34, numRuns: 100 },
      );
    },
  );

  it.each(rateWindows)('%s: of ten requests at once three are admitted', (form) => {
    const { take } = taking(form);
    expect(Array.from({ length: 10 }, () => take(7_000)).filter((waitMs) => waitMs === 0)).toHaveLength(3);
  });
});

describe('over HTTP', () => {
  let deployment: Deployment;
  let agent: TestAgent;

  beforeEach(async () => {
    deployment = await Deployment.start();
    agent = await deployment.agent();
    deployment.advance(3_600_000);
  });
  afterEach(() => deployment.close());

  const HOUR_MS = 3_600_000;
  const [IP, OTHER_IP] = ['192.0.2.1', '192.0.2.2'];
  const from = (ip: string) => ({ 'X-Forwarded-For': ip });
  const fill = async (count: number, call: () => PromiseLike<Response>): Promise<void> => {
    for (let i = 0; i < count; i++) await call();
  };

  it('what reaches no route does not count', async () => {
    await fill(20, () => deployment.send('PUT', '/api/v1/register', { headers: from(IP) }));
    await fill(20, () => deployment.post('/registers', {}, from(IP)));
    expect((await deployment.post('/register', { name: 'x' }, from(IP))).status).toBe(200);
  });

  it('[limit.per-ip.path] one path is one bucket, with whatever hash, method or slash it is called', async () => {
    for (let i = 0; i < 20; i++) {
      await deployment.get(`/status/0x${i}`, from(IP));
      await deployment.send('HEAD', `/api/v1/status/0x${i}`, { headers: from(IP) });
      await deployment.get(`/status/0x${i}/`, from(IP));
    }
    expect((await deployment.get('/status/0x12', from(IP))).status).toBe(429);
    expect((await deployment.get('/verify/0x12', from(IP))).status).toBe(400);
  });

  it('the wait that is named is true where two buckets refuse, and refused requests have taken the last places of one', async () => {
    const token = (ip: string) => deployment.post('/register/token', {}, from(ip));
    for (let i = 0; i < 47; i++) expect((await token(`198.51.100.${i}`)).status).toBe(200);
    deployment.advance(HOUR_MS / 2);
    for (let i = 0; i < 3; i++) expect((await token(IP)).status).toBe(200);
    expect((await token(OTHER_IP)).body.retry_after_ms).toBe(HOUR_MS / 2);
    expect((await token(OTHER_IP)).status).toBe(429);
    // The third request of this address is refused by the global bucket, and is the last that fits into its own.
    expect((await token(OTHER_IP)).body.retry_after_ms).toBe(HOUR_MS);
    for (const status of [429, 200]) {
      deployment.advance(HOUR_MS / 2);
      expect((await token(OTHER_IP)).status).toBe(status);
    }
  });

  it('the wait that the breaker of flags names is no shorter than that of the reporter', async () => {
    const { registry } = deployment.host.service;
    const nowMs = deployment.clock.nowMs();
    const flag = {
      reporter: 0,
      assertedClass: 'autonomous',
      reason: 'r',
      status: 'pending',
      createdAtMs: nowMs,
    } as const;
    for (let i = 0; i < 21; i++) addFlag(registry.flags, { ...flag, id: `${i}`, target: i });
    const { hash } = await deployment.register();
    deployment.advance(24 * HOUR_MS - 60_000);
    const file = async () =>
      (await agent.post('/agent/flag', { target_hash: hash, asserted_class: 'autonomous', reason: 'r' })).body;
    for (let i = 0; i < 2; i++) expect(await file()).toMatchObject({ code: 'RATE_LIMITED', retry_after_ms: 60_000 });
    expect(await file()).toMatchObject({ code: 'RATE_LIMITED', retry_after_ms: HOUR_MS });
    deployment.advance(HOUR_MS);
    expect(await file()).toMatchObject({ flagged: true });
  });

  it('a reset empties every bucket', async () => {
    await fill(10, () => deployment.post('/register', { name: 'x' }, from(IP)));
    await deployment.control('POST', '/reset', {});
    expect((await deployment.post('/register', { name: 'x' }, from(IP))).status).toBe(200);
  });
});

describe('whose address it is (D-34)', () => {
  const exhaust = async (trustForwardedFor: boolean, forwarded: (i: number) => string): Promise<number> => {
    const deployment = await Deployment.start({ trustForwardedFor });
    let last = 0;
    for (let i = 0; i < 11; i++) {
      last = (await deployment.post('/register', { name: 'x' }, { 'X-Forwarded-For': forwarded(i) })).status;
    }
    deployment.close();
    return last;
  };

  it.each([
    ['trusted: another address each time', true, (i: number) => `192.0.2.${i}`, 200],
    ['trusted: the first of several counts', true, (i: number) => `192.0.2.${i}, 198.51.100.1`, 200],
    ['trusted: the others do not', true, (i: number) => `198.51.100.1 , 192.0.2.${i}`, 429],
    ['trusted: IPv6, another network each time', true, (i: number) => `2001:db8:0:${i}::1`, 200],
    ['trusted: IPv6, one network', true, (i: number) => `2001:db8::${i}`, 429],
    ['trusted: another address each time, with a port', true, (i: number) => `192.0.2.${i}:443`, 200],
    ['trusted: one address, another port each time', true, (i: number) => `[2001:db8::1]:${4_000 + i}`, 429],
    ['trusted: IPv6 with zones', true, (i: number) => `::1%${i}`, 429],
    ['trusted, but no address: the socket counts', true, (i: number) => `client-${i}`, 429],
    ['trusted, but empty: the socket counts', true, () => '', 429],
    ['trusted, but long: the socket counts', true, (i: number) => `${i}${'x'.repeat(8_000)}`, 429],
    ['not trusted', false, (i: number) => `192.0.2.${i}`, 429],
  ])('[limit.client-ip.forwarded] %s', async (_what, trusted, forwarded, status) => {
    expect(await exhaust(trusted, forwarded)).toBe(status);
  });
});
