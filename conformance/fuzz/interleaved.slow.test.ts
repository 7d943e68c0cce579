// Eight clients send drawn operations at once: an observer finds no break, from whatever moment on it watches.
import { expect, it } from 'vitest';
import { expectNoBreaks } from '../../test/fixtures/interleaved.js';

it('no order of requests at once lacks an explanation', async () => {
  const { exchanges, overlapping, held } = await expectNoBreaks(0, 60);
  expect(exchanges).toBeGreaterThan(3_000);
  expect(overlapping / exchanges).toBeGreaterThan(0.5);
  expect(held).toBeGreaterThan(60 * 100);
});
