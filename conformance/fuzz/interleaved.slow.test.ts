// Eight clients send drawn operations at once: an observer finds no break, from whatever moment on it watches.
import { expect, it } from 'vitest';
import { expectNoBreaks } from '../../test/fixtures/interleaved.js';

/** Each server is played once. A run takes some half a second of one core. */
const RUNS = 21;

it('no order of requests at once lacks an explanation', async () => {
  const { exchanges, overlapping, held } = await expectNoBreaks(0, RUNS);
  expect(exchanges).toBeGreaterThan(RUNS * 50);
  expect(overlapping / exchanges).toBeGreaterThan(0.5);
  expect(held).toBeGreaterThan(RUNS * 100);
});
