import { describe, expect, it } from 'vitest';
import { Barrier, type Job } from './clock.js';

const START_MS = 1_000_000;

/** A barrier over a clock that notes every move, and a log of what happened at which time. */
function world(concurrency = 16, fault?: (ms: number) => void) {
  const moves: number[] = [];
  const log: string[] = [];
  const barrier = new Barrier(concurrency, START_MS, async (ms) => {
    fault?.(ms);
    moves.push(ms - START_MS);
    return ms;
  });
  const note = (what: string): void => {
    log.push(`${barrier.nowMs - START_MS} ${what}`);
  };
  const sleeper =
    (name: string, ...steps: readonly number[]): Job =>
    async (turn) => {
      note(`${name} starts`);
      for (const ms of steps) {
        await turn.sleepUntil(barrier.nowMs + ms);
        note(`${name} wakes`);
      }
    };
  return { barrier, moves, log, note, sleeper };
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('barrier', () => {
  it('refuses a sleep until no moment, of which nobody would ever wake', async () => {
    const { barrier } = world();
    await expect(barrier.run([(turn) => turn.sleepUntil(Number.NaN)])).rejects.toThrow('NaN is no moment');
  });

  it('moves time only when everybody sleeps, to the earliest wake-up, for exactly those who are due', async () => {
    const { barrier, moves, log, sleeper } = world();
    await barrier.run([sleeper('a', 100, 100), sleeper('b', 150), sleeper('c', 100)]);
    expect(moves).toEqual([100, 150, 200]);
    expect(log).toEqual([
      '0 a starts',
      '0 b starts',
      '0 c starts',
      '100 a wakes',
      '100 c wakes',
      '150 b wakes',
      '200 a wakes',
    ]);
  });

  it('does not let a job that works see time pass', async () => {
    const { barrier, log, note, sleeper } = world();
    const worker: Job = async () => {
      await soon();
      await soon();
      note('worker ends');
    };
    await barrier.run([sleeper('a', 10), worker]);
    expect(log).toEqual(['0 a starts', '0 worker ends', '10 a wakes']);
  });

  it('starts every job before the first move, though few may be awake together', async () => {
    const { barrier, log, sleeper } = world(1);
    await barrier.run([sleeper('a', 10), sleeper('b', 5), sleeper('c')]);
    expect(log).toEqual(['0 a starts', '0 b starts', '0 c starts', '5 b wakes', '10 a wakes']);
  });

  it('never has more jobs awake than allowed, also when many wake together', async () => {
    let awake = 0;
    let most = 0;
    const { barrier } = world(2);
    const job: Job = async (turn) => {
      for (let round = 0; round < 3; round += 1) {
        awake += 1;
        most = Math.max(most, awake);
        await soon();
        awake -= 1;
        await turn.sleepUntil(barrier.nowMs + 10);
      }
    };
    await barrier.run(Array.from({ length: 8 }, () => job));
    expect(most).toBe(2);
  });

  it('goes on when a job throws while others sleep, and rethrows once all have ended', async () => {
    const { barrier, log, sleeper } = world();
    const thrower: Job = async (turn) => {
      await turn.sleepUntil(START_MS + 5);
      throw new Error('broken job');
    };
    await expect(barrier.run([sleeper('a', 10), thrower, () => Promise.reject(new Error('at once'))])).rejects.toThrow(
      'at once',
    );
    expect(log).toEqual(['0 a starts', '10 a wakes']);
  });

  it('wakes those due together in the order of the list, whoever slept first', async () => {
    const { barrier, log, note } = world();
    const late: Job = async (turn) => {
      await soon();
      await turn.sleepUntil(START_MS + 50);
      note('first of the list');
    };
    const early: Job = async (turn) => {
      await turn.sleepUntil(START_MS + 50);
      note('second of the list');
    };
    await barrier.run([late, early]);
    expect(log).toEqual(['50 first of the list', '50 second of the list']);
  });

  it('wakes at once whoever sleeps until a moment that has passed', async () => {
    const { barrier, moves, log, sleeper } = world();
    await barrier.run([sleeper('a', 0, -5)]);
    expect(moves).toEqual([]);
    expect(log).toHaveLength(3);
  });

  it('tells every sleeper when the clock cannot be moved', async () => {
    const { barrier } = world(16, () => {
      throw new Error('no clock any more');
    });
    const told: string[] = [];
    const job: Job = async (turn) => {
      await turn.sleepUntil(START_MS + 5).catch((error: Error) => told.push(error.message));
    };
    await barrier.run([job, job]);
    expect(told).toEqual(['no clock any more', 'no clock any more']);
  });

  it.each([
    ['lags behind', (ms: number) => ms - 1],
    ['goes back', () => START_MS - 1],
    ['goes back by centuries', () => -1e13],
  ])('judges nothing by a clock that %s, and does not believe it', async (_what, told) => {
    const barrier = new Barrier(4, START_MS, async (ms) => told(ms));
    const failed = barrier.run([(turn) => turn.sleepUntil(START_MS + 5)]);
    await expect(failed).rejects.toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringMatching(/was to move/),
    });
    expect(barrier.nowMs).toBe(START_MS);
  });

  it('refuses sleep without a clock, and two sleeps at once', async () => {
    await expect(new Barrier(4, START_MS).run([(turn) => turn.sleepUntil(START_MS + 5)])).rejects.toThrow(/no clock/);
    const { barrier } = world();
    const twice: Job = async (turn) => {
      const first = turn.sleepUntil(START_MS + 5);
      await expect(turn.sleepUntil(START_MS + 6)).rejects.toThrow(/once at a time/);
      await first;
    };
    await barrier.run([twice]);
    expect(barrier.nowMs).toBe(START_MS + 5);
  });

  it('is not confused by a job that ends while its own sleep is pending', async () => {
    const { barrier, log, sleeper } = world(1);
    const careless: Job = async (turn) => {
      void turn.sleepUntil(START_MS + 500);
    };
    await barrier.run([careless, sleeper('a', 10), sleeper('b', 20)]);
    expect(log).toEqual(['0 a starts', '0 b starts', '10 a wakes', '20 b wakes']);
    expect(barrier.nowMs).toBe(START_MS + 20);
  });

  it('ends at once without jobs, and can run again', async () => {
    const { barrier, moves, sleeper } = world();
    await barrier.run([]);
    await barrier.run([sleeper('a', 10)]);
    await barrier.run([sleeper('b', 10)]);
    expect(moves).toEqual([10, 20]);
  });
});
