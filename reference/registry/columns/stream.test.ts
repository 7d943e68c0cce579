import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createStream, derivedKey, nextBytes, nextHex } from './stream.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('a stream', () => {
  it('is SHA-256 in counter mode over seed, label and draw', () => {
    const stream = createStream(7, 'registry');
    expect(nextHex(stream, 32)).toBe(sha256('7:registry:0'));
    expect(nextHex(stream, 4)).toBe(sha256('7:registry:1').slice(0, 8));
    expect(nextHex(stream, 33)).toBe(sha256('7:registry:2') + sha256('7:registry:3').slice(0, 2));
    expect(stream.drawn).toBe(4);
    const long = 'ab'.repeat(32);
    expect(nextHex(createStream(long, 'registry'), 32)).toBe(sha256(`${long}:registry:0`));
  });

  it('is replayed by its seed, and another by another seed or label', () => {
    const draw = (seed: number, label: string): string => nextHex(createStream(seed, label), 16);
    expect(draw(1, 'a')).toBe(draw(1, 'a'));
    expect(new Set([draw(1, 'a'), draw(2, 'a'), draw(1, 'b')]).size).toBe(3);
  });

  it('draws nothing for no bytes', () => {
    const stream = createStream(7, 'x');
    expect(nextBytes(stream, 0)).toHaveLength(0);
    expect(stream.drawn).toBe(0);
  });
});

describe('a derived key', () => {
  it('depends on seed and purpose alone', () => {
    expect(derivedKey(1, 'api-keys')).toEqual(derivedKey(1, 'api-keys'));
    const keys = [derivedKey(1, 'api-keys'), derivedKey(2, 'api-keys'), derivedKey(1, 'authority')];
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(3);
    expect(keys.map((key) => key.length)).toEqual([32, 32, 32]);
  });
});
