import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SpotCheck } from '../../spec/endpoints/proof-schemas.js';
import { golden } from '../../test/fixtures/golden.js';
import { computeBeat, computeChain, genesisHash } from './beat.js';

interface BeatCase {
  readonly kind: 'beat';
  readonly name: string;
  readonly prev: string;
  readonly index: number;
  readonly nonce: string | null;
  readonly anchor_hash: string | null;
  readonly difficulty: number;
  readonly hash: string;
}

interface ChainCase {
  readonly kind: 'chain';
  readonly name: string;
  readonly agent_hash: string;
  readonly genesis_hash: string;
  readonly anchor_hash: string | null;
  readonly difficulty: number;
  readonly beats: readonly SpotCheck[];
}

interface GenesisCase {
  readonly name: string;
  readonly agent_hash: string;
  readonly hash: string;
}

const beats = golden<BeatCase | ChainCase>('beats');
const PREV = '0'.repeat(64);
const ANCHOR = 'a1'.repeat(32);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('computeBeat', () => {
  it.each(beats.filter((entry) => entry.kind === 'beat'))('golden: $name', (entry) => {
    const { prev, index, nonce, anchor_hash: anchorHash, difficulty } = entry;
    const seed = { prev, index, difficulty, nonce: nonce ?? undefined, anchorHash: anchorHash ?? undefined };
    expect(computeBeat(seed)).toBe(entry.hash);
  });

  it.each([
    ['beat.seed', {}, `${PREV}:4:`],
    ['beat.seed.nonce', { nonce: undefined }, `${PREV}:4:`],
    ['beat.seed.nonce', { nonce: 'n' }, `${PREV}:4:n`],
    ['beat.seed.nonce', { nonce: undefined, anchorHash: ANCHOR }, `${PREV}:4::${ANCHOR}`],
    ['beat.seed.anchor', { nonce: 'n', anchorHash: ANCHOR }, `${PREV}:4:n:${ANCHOR}`],
  ])('[%s] with %j starts from the text %s', (_clause, woven, text) => {
    expect(computeBeat({ prev: PREV, index: 4, difficulty: 0, ...woven })).toBe(sha256(text));
  });

  it('[beat.hash] [beat.hash.form] costs difficulty + 1 hashes, each of the 64 characters before it', () => {
    expect(computeBeat({ prev: PREV, index: 4, difficulty: 1 })).toBe(sha256(sha256(`${PREV}:4:`)));
    expect(computeBeat({ prev: PREV, index: 4, difficulty: 1_000 })).toMatch(/^[0-9a-f]{64}$/);
    expect(computeBeat({ prev: 'p', index: 4, difficulty: 0 })).toBe(sha256('p:4:'));
    expect(computeBeat({ prev: 'p', index: 4, difficulty: 2, nonce: 'n', anchorHash: 'a' })).toBe(
      sha256(sha256(sha256('p:4:n:a'))),
    );
  });

  it('takes an empty nonce or anchor for none', () => {
    const bare = computeBeat({ prev: PREV, index: 1, difficulty: 2 });
    expect(computeBeat({ prev: PREV, index: 1, difficulty: 2, nonce: '', anchorHash: '' })).toBe(bare);
  });

  it.each([
    { index: -1, difficulty: 1 },
    { index: 1.5, difficulty: 1 },
    { index: 2 ** 53, difficulty: 1 },
    { index: 1, difficulty: -1 },
    { index: 1, difficulty: NaN },
    { index: 1, difficulty: Infinity },
  ])('refuses index $index at difficulty $difficulty', ({ index, difficulty }) => {
    expect(() => computeBeat({ prev: PREV, index, difficulty })).toThrow(RangeError);
  });
});

describe('genesisHash', () => {
  it.each(golden<GenesisCase>('genesis'))('[genesis.hash] golden: $name', ({ agent_hash, hash }) => {
    expect(genesisHash(agent_hash)).toBe(hash);
  });
});

describe('computeChain', () => {
  it.each(beats.filter((entry) => entry.kind === 'chain'))('[beat.step] golden: $name', (entry) => {
    expect(genesisHash(entry.agent_hash)).toBe(entry.genesis_hash);
    const chain = computeChain({
      fromHash: entry.genesis_hash,
      fromIndex: 0,
      beats: entry.beats.length,
      difficulty: entry.difficulty,
      anchorHash: entry.anchor_hash ?? undefined,
      keep: { every: 1 },
    });
    expect(chain.spotChecks).toEqual(entry.beats);
    expect(chain.toHash).toBe(entry.beats.at(-1)?.hash);
    expect(chain.toIndex).toBe(5);
  });

  it.each([
    { name: 'named beats', keep: { indexes: [12, 11, 17] }, kept: [11, 12, 17] },
    { name: 'every third and the last', keep: { every: 3 }, kept: [13, 16, 17] },
    { name: 'only the last when n is longer than the run', keep: { every: 100 }, kept: [17] },
    { name: 'none', keep: { indexes: [] }, kept: [] },
  ])('keeps $name', ({ keep, kept }) => {
    const run = { fromHash: PREV, fromIndex: 10, beats: 7, difficulty: 1, keep };
    expect(computeChain(run).spotChecks.map(({ index }) => index)).toEqual(kept);
  });

  it('computes nothing for no beats', () => {
    const run = { fromHash: PREV, fromIndex: 10, beats: 0, difficulty: 1, keep: { every: 1 } };
    expect(computeChain(run)).toEqual({ toIndex: 10, toHash: PREV, spotChecks: [] });
  });

  it.each([
    { name: 'a beat before the run', change: { keep: { indexes: [10] } } },
    { name: 'a beat after the run', change: { keep: { indexes: [18] } } },
    { name: 'an index that is no number', change: { keep: { indexes: [NaN] } } },
    { name: 'every 0th', change: { keep: { every: 0 } } },
    { name: 'every half', change: { keep: { every: 0.5 } } },
    { name: 'a negative count', change: { beats: -1 } },
    { name: 'a fraction of a beat', change: { beats: 1.5 } },
  ])('refuses $name', ({ change }) => {
    const run = { fromHash: PREV, fromIndex: 10, beats: 7, difficulty: 1, keep: { every: 1 } };
    expect(() => computeChain({ ...run, ...change })).toThrow(RangeError);
  });

  it('comes to the same end in one run as in two', () => {
    fc.assert(
      fc.property(fc.nat(6), fc.nat(6), fc.nat(1_000), (first, second, fromIndex) => {
        const run = { fromHash: PREV, fromIndex, difficulty: 1, anchorHash: 'ab'.repeat(32), keep: { every: 1 } };
        const whole = computeChain({ ...run, beats: first + second });
        const head = computeChain({ ...run, beats: first });
        const tail = computeChain({ ...run, fromHash: head.toHash, fromIndex: head.toIndex, beats: second });
        expect(tail.toHash).toBe(whole.toHash);
        expect([...head.spotChecks, ...tail.spotChecks]).toEqual(whole.spotChecks);
      }),
    );
  });
});
