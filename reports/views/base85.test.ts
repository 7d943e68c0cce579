import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { fromBase85, toBase85 } from './base85.js';

const drawn = (length: number): Uint8Array => {
  const parts = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(`${length} ${at}`).digest(),
  );
  return new Uint8Array(Buffer.concat(parts).subarray(0, length));
};

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 1_001])('%d bytes come back as they were', (length) => {
  for (const bytes of [drawn(length), new Uint8Array(length), new Uint8Array(length).fill(255)])
    expect(fromBase85(toBase85(bytes))).toEqual(bytes);
});

it('takes five characters for four bytes, none of which HTML knows', () => {
  const text = toBase85(drawn(4_000));
  expect(text).toHaveLength(5_000);
  expect(text).toMatch(/^[!-~]+$/);
  expect(text).not.toMatch(/["&'<>\\`$]/);
});
