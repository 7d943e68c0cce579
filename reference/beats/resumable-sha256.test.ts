import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { emptyHash, hashHex, hashMore } from './resumable-sha256.js';

describe('a hash that is continued', () => {
  it('is SHA-256 at every length over three blocks', () => {
    for (let chars = 0; chars <= 200; chars++) {
      const text = 'provenance'.repeat(20).slice(0, chars);
      expect(hashHex(hashMore(emptyHash, text)), `${chars} characters`).toBe(hash('sha256', text));
    }
  });

  it('is the same however the text is cut, and from a JSON copy of its state', () => {
    const pieces = ['0xab', ':', '', 'c'.repeat(63), 'd'.repeat(64), 'e'.repeat(65), '~ '];
    let state = emptyHash;
    for (const piece of pieces) state = JSON.parse(JSON.stringify(hashMore(state, piece)));
    expect(hashHex(state)).toBe(hash('sha256', pieces.join('')));
    expect(state).toMatchObject({ chars: 4 + 1 + 63 + 64 + 65 + 2 });
    expect(state.tail.length).toBeLessThan(64);
  });

  it('refuses text whose bytes are not its characters', () => {
    expect(() => hashMore(emptyHash, 'é')).toThrow(RangeError);
  });
});
