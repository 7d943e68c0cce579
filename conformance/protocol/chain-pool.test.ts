import { afterEach, describe, expect, it } from 'vitest';
import { computeChain } from './beats.js';
import { ChainPool } from './chain-pool.js';

const anchor = { index: 7, hash: 'ab'.repeat(32) };
const from = 'cd'.repeat(32);
const pools: ChainPool[] = [];

function pool(): ChainPool {
  const made = new ChainPool();
  pools.push(made);
  return made;
}

afterEach(() => Promise.all(pools.splice(0).map((each) => each.close())));

describe('chains on threads', () => {
  it.each([
    ['here, of few hashes', 3, 100],
    ['on a thread, of many', 40, 1_000],
    ['of no beat', 0, 1_000],
  ])('are the same: %s', async (_, beats, difficulty) => {
    const chain = await pool().compute({ from, beats, anchor, difficulty, fromIndex: 5 });
    expect(chain).toEqual(computeChain(from, beats, anchor, { difficulty, fromIndex: 5 }));
  });

  it('are computed side by side, each for who asked', async () => {
    const shared = pool();
    const starts = Array.from({ length: 9 }, (_, n) => String(n).repeat(64));
    const chains = await Promise.all(
      starts.map((start) => shared.compute({ from: start, beats: 15, anchor, difficulty: 1_000, fromIndex: 0 })),
    );
    expect(chains.map(({ hashes }) => hashes[0])).toEqual(starts);
    expect(chains[8]).toEqual(computeChain('8'.repeat(64), 15, anchor, { difficulty: 1_000 }));
  });

  it('are refused once the run has ended', async () => {
    const closing = pool();
    const long = closing.compute({ from, beats: 5_000, anchor, difficulty: 1_000, fromIndex: 0 });
    const refused = expect(long).rejects.toThrow('the run has ended');
    await closing.close();
    await refused;
  });
});
