import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOfDenseText, denseText } from './dense-text.js';

describe('denseText', () => {
  it('gives any bytes back, whatever their number', () => {
    for (let length = 0; length < 60; length++) {
      for (const value of [0, 255, 90]) {
        const bytes = new Uint8Array(length).fill(value);
        expect(bytesOfDenseText(denseText(bytes))).toEqual(bytes);
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(bytesOfDenseText(denseText(bytes))).toEqual(bytes);
      }),
      { seed: 1 },
    );
  });

  it('writes nothing that HTML reads otherwise', () => {
    const bytes = Uint8Array.from({ length: 40_000 }, (_, at) => (at * at * 31 + at * 7 + (at >> 8)) & 0xff);
    const text = denseText(bytes);
    expect(text).toMatch(/^[!-~]+$/u);
    expect(text).not.toMatch(/[<>&]/u);
    expect(new Set(text).size).toBe(91);
  });

  it('is shorter than Base64 by a thirteenth', () => {
    expect(denseText(new Uint8Array(1300))).toHaveLength(1600);
    expect(denseText(Uint8Array.of(1))).toHaveLength(2);
    expect(denseText(new Uint8Array(5))).toHaveLength(7);
    expect(denseText(Uint8Array.of())).toBe('');
  });
});
