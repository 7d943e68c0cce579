import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { challengeIndexes } from './spot-checks.js';

const TO_HASH = 'ab'.repeat(32);

describe('challengeIndexes', () => {
  // The draws were made with Python: the first 13 hex digits of SHA-256("beats:challenge:v1:<to_hash>:<k>") mod n.
  it('names the beats that the definition names', () => {
    expect(challengeIndexes({ toHash: TO_HASH, fromBeat: 0, toBeat: 1_000, count: 3 })).toEqual([184, 689, 702, 1_000]);
  });

  it('names all beats of a run that has no more', () => {
    expect(challengeIndexes({ toHash: TO_HASH, fromBeat: 7, toBeat: 8, count: 24 })).toEqual([8]);
    expect(challengeIndexes({ toHash: TO_HASH, fromBeat: 7, toBeat: 11, count: 24 })).toEqual([8, 9, 10, 11]);
    expect(challengeIndexes({ toHash: TO_HASH, fromBeat: 7, toBeat: 11, count: 3 })).toEqual([8, 9, 10, 11]);
  });

  it('names distinct beats of the run in order, as many as asked, with the last', () => {
    const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
    fc.assert(
      fc.property(
        hash,
        fc.nat(1_000_000),
        fc.integer({ min: 1, max: 20_000 }),
        fc.nat(24),
        (toHash, fromBeat, beats, count) => {
          const toBeat = fromBeat + beats;
          const indexes = challengeIndexes({ toHash, fromBeat, toBeat, count });
          expect(indexes).toHaveLength(Math.min(count, beats - 1) + 1);
          expect(new Set(indexes).size).toBe(indexes.length);
          expect(indexes.at(-1)).toBe(toBeat);
          expect(indexes.every((index, i) => index > (indexes[i - 1] ?? fromBeat) && index <= toBeat)).toBe(true);
        },
      ),
    );
  });
});
