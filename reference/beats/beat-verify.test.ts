import { describe, expect, it } from 'vitest';
import { computeBeat } from './beat.js';
import { verifyBeats } from './beat-verify.js';

function chain(from: number, count: number, difficulty = 10) {
  let prev = '11'.repeat(32);
  return Array.from({ length: count }, (_, i) => {
    const index = from + i;
    const hash = computeBeat({ prev, index, nonce: `n${i}`, anchorHash: 'ab'.repeat(32), difficulty });
    const beat = { index, hash, prev, nonce: `n${i}`, anchor_hash: 'ab'.repeat(32) };
    prev = hash;
    return beat;
  });
}

describe('beats', () => {
  it('hold alone and in a chain', () => {
    expect(verifyBeats(chain(5, 1), 10)).toEqual({ valid: true, beatsChecked: 1 });
    expect(verifyBeats(chain(5, 20), 10)).toEqual({ valid: true, beatsChecked: 20 });
  });

  it('do not hold at another difficulty', () => {
    expect(verifyBeats(chain(5, 3), 11)).toEqual({ valid: false, beatsChecked: 1, reason: 'hash_mismatch' });
  });

  it.each([
    ['an index is left out', (beats: ReturnType<typeof chain>) => beats.toSpliced(1, 1), 1, 'index_gap'],
    [
      'a beat does not follow the one before',
      (beats: ReturnType<typeof chain>) => beats.with(1, { ...beats[1]!, prev: '22'.repeat(32) }),
      1,
      'not_linked',
    ],
    [
      'a hash was changed',
      (beats: ReturnType<typeof chain>) => beats.with(2, { ...beats[2]!, hash: '22'.repeat(32) }),
      3,
      'hash_mismatch',
    ],
  ])('do not hold where %s', (_name, change, beatsChecked, reason) => {
    expect(verifyBeats(change(chain(5, 4)), 10)).toEqual({ valid: false, beatsChecked, reason });
  });
});
