import { afterEach, describe, expect, it, vi } from 'vitest';
import { type BeatSeed, computeBeat } from '../../beats/beat.js';
import { type BeatClaim, createBeatPool, isCheap, type PoolParts } from './beat-pool.js';
import { type BeatBatch, type BeatThread, startBeatThread, type ThreadEvents } from './beat-thread.js';

const pools: ReturnType<typeof createBeatPool>[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function poolOf(parts?: PoolParts) {
  const pool = createBeatPool(parts);
  pools.push(pool);
  return pool;
}

const WRONG = 'f'.repeat(64);
const seedOf = (index: number, difficulty: number): BeatSeed => ({
  prev: String(index % 10).repeat(64),
  index,
  difficulty,
  ...(index % 2 === 0 ? { anchorHash: 'a1'.repeat(32) } : { nonce: 'ä"\n' }),
});
const truly = (seed: BeatSeed): BeatClaim => ({ seed, claimed: computeBeat(seed) });
/** Valid beats at difficulty 5,000, with indexes from 1. */
const trueBeats = (count: number): BeatClaim[] =>
  Array.from({ length: count }, (_, i) => truly(seedOf(i + 1, 5_000 - (i % 2))));

/** The results of a check, which is called as a rule does: up to the first invalid beat. */
function judged(checkBeat: unknown, claims: readonly BeatClaim[]): boolean[] {
  if (typeof checkBeat !== 'function') throw new Error(`no check but ${String(checkBeat)}`);
  return claims.map(({ seed, claimed }) => checkBeat(seed, claimed));
}

/** Threads that answer on command, with the hashes that were claimed. */
function handThreads() {
  const given: { readonly portions: readonly BeatBatch[]; readonly events: ThreadEvents }[] = [];
  const startThread = (events: ThreadEvents): BeatThread => ({
    give: (portions) => given.push({ portions, events }),
    stop: async () => events.ended(),
  });
  const answerAll = (): number => {
    const now = given.splice(0);
    for (const { portions, events } of now) events.answered(portions.map(({ claims }) => claims));
    return now.length;
  };
  return { startThread, given, answerAll };
}

/** A beat that counts as a number of hashes, and is never really computed. */
const costing = (hashes: number, index = 1): BeatClaim => ({ seed: seedOf(index, hashes - 1), claimed: WRONG });

describe('threads', () => {
  it('compute the beats of D-02 as the main thread does, whatever their nonce and anchor', async () => {
    const claims = trueBeats(26);
    const checkBeat = await poolOf().recompute(claims);
    expect(judged(checkBeat, claims)).toEqual(claims.map(() => true));
    const other = claims.map(({ seed }) => ({ seed, claimed: WRONG }));
    expect(judged(checkBeat, other)).toEqual(claims.map(() => false));
  });

  it('stop at a beat that is not as claimed, and say so', async () => {
    const claims = [...trueBeats(3), { seed: seedOf(4, 5_000), claimed: WRONG }];
    const checkBeat = await poolOf().recompute(claims);
    expect(judged(checkBeat, claims)).toEqual([true, true, true, false]);
  });

  it('answer what was asked at once in turn, each with its own', async () => {
    const pool = poolOf({ threadsMax: 2 });
    const asked = [trueBeats(9), trueBeats(4), trueBeats(6)];
    const checks = await Promise.all(asked.map((claims) => pool.recompute(claims)));
    expect(checks.map((checkBeat, i) => judged(checkBeat, asked[i] ?? []))).toEqual(
      asked.map((c) => c.map(() => true)),
    );
  });

  it('are not asked for what is cheap', async () => {
    expect(isCheap([])).toBe(true);
    expect(isCheap(Array.from({ length: 25 }, (_, i) => costing(101, i)))).toBe(true);
    expect(isCheap(Array.from({ length: 25 }, (_, i) => costing(1_001, i)))).toBe(false);
    const { startThread, given } = handThreads();
    expect(judged(await poolOf({ startThread }).recompute([]), trueBeats(1))).toEqual([true]);
    expect(given).toEqual([]);
  });
});

describe('a thread that dies', () => {
  it('has its beats recomputed by another', async () => {
    let stopped = 0;
    const startThread = (events: ThreadEvents): BeatThread => {
      const thread = startBeatThread(events);
      const give = (portions: readonly BeatBatch[]): void => {
        thread.give(portions);
        stopped += 1;
        if (stopped === 1) void thread.stop();
      };
      return { ...thread, give };
    };
    const claims = trueBeats(8);
    const checkBeat = await poolOf({ threadsMax: 2, startThread }).recompute(claims);
    expect(stopped).toBeGreaterThan(2);
    expect(judged(checkBeat, claims)).toEqual(claims.map(() => true));
  });

  it('again and again leaves a check that is still right', async () => {
    const startThread = ({ ended }: ThreadEvents): BeatThread => ({
      give: () => setImmediate(ended),
      stop: async () => {},
    });
    const claims = [...trueBeats(3), { seed: seedOf(4, 5_000), claimed: WRONG }];
    const checkBeat = await poolOf({ threadsMax: 2, startThread }).recompute(claims);
    expect(judged(checkBeat, claims)).toEqual([true, true, true, false]);
  });

  it('before it lives, since none may be started, leaves a check that is right', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const startThread = (): BeatThread => {
      throw new Error('not permitted');
    };
    const pool = poolOf({ startThread });
    const claims = trueBeats(5);
    expect(judged(await pool.recompute(claims), claims)).toEqual(claims.map(() => true));
    expect(judged(await pool.recompute(claims), claims)).toEqual(claims.map(() => true));
    expect(said).toHaveBeenCalledOnce();
  });
});

describe('waiting', () => {
  it('is for some seconds of work; more is refused, until there is room', async () => {
    const { startThread, answerAll } = handThreads();
    const pool = poolOf({ threadsMax: 1, startThread });
    const first = pool.recompute([costing(20_000_000)]);
    const second = pool.recompute([costing(12_000_000)]);
    expect(await pool.recompute([costing(1)])).toBe('overloaded');
    answerAll();
    expect(await first).not.toBe('overloaded');
    const third = pool.recompute([costing(20_000_000)]);
    answerAll();
    answerAll();
    expect([await second, await third].map((checkBeat) => typeof checkBeat)).toEqual(['function', 'function']);
  });

  it('is for 256 questions at most', async () => {
    const { startThread, answerAll } = handThreads();
    const pool = poolOf({ threadsMax: 1, startThread });
    const taken = Array.from({ length: 256 }, () => pool.recompute([costing(10)]));
    expect(await pool.recompute([costing(10)])).toBe('overloaded');
    while (answerAll() > 0);
    expect((await Promise.all(taken)).every((checkBeat) => typeof checkBeat === 'function')).toBe(true);
  });

  it('accepts a job of any size if no other waits', async () => {
    const { startThread, answerAll } = handThreads();
    const asked = poolOf({ startThread }).recompute([costing(100_000_000)]);
    answerAll();
    expect(typeof (await asked)).toBe('function');
  });

  it('is shared: a small question does not wait for all of a large one', async () => {
    const { startThread, given, answerAll } = handThreads();
    const pool = poolOf({ threadsMax: 1, startThread });
    const large = pool.recompute(Array.from({ length: 1_000 }, (_, i) => costing(5_001, i)));
    const small = pool.recompute([costing(10_000, 7)]);
    answerAll();
    answerAll();
    expect(given.map(({ portions }) => portions.map(({ difficulty }) => difficulty))).toEqual([[9_999, 5_000]]);
    answerAll();
    expect(typeof (await small)).toBe('function');
    let messages = 3;
    while (answerAll() > 0) messages += 1;
    expect(typeof (await large)).toBe('function');
    expect(messages).toBe(250);
  });

  it('is for a thread with free lanes together with others: one hashes four beats side by side', async () => {
    const { startThread, given, answerAll } = handThreads();
    const pool = poolOf({ threadsMax: 1, startThread });
    const first = pool.recompute([costing(30_000)]);
    const others = Array.from({ length: 6 }, (_, i) => pool.recompute([costing(20_000 + i, i)]));
    answerAll();
    await first;
    expect(given.map(({ portions }) => portions.map(({ difficulty }) => difficulty))).toEqual([
      [19_999, 20_000, 20_001, 20_002],
    ]);
    answerAll();
    answerAll();
    expect((await Promise.all(others)).map((checkBeat) => typeof checkBeat)).toEqual(others.map(() => 'function'));
  });

  it('ends when the asker leaves, and gives its room back', async () => {
    const { startThread, given, answerAll } = handThreads();
    const pool = poolOf({ threadsMax: 1, startThread });
    const leaving = new AbortController();
    const left = pool.recompute([costing(20_000_000), costing(10_000_000, 2)], leaving.signal);
    leaving.abort();
    expect(await left).toBe('cancelled');
    expect(await pool.recompute([costing(10_000)], leaving.signal)).toBe('cancelled');
    const next = pool.recompute([costing(30_000_000)]);
    expect(given).toHaveLength(1);
    answerAll();
    expect(given).toHaveLength(1);
    answerAll();
    expect(typeof (await next)).toBe('function');
  });

  it('ends when the pool is closed, which then takes nothing', async () => {
    const pool = poolOf({ threadsMax: 1 });
    const waiting = pool.recompute(trueBeats(30));
    await pool.close();
    expect(await waiting).toBe('cancelled');
    expect(await pool.recompute(trueBeats(2))).toBe('cancelled');
  });
});
