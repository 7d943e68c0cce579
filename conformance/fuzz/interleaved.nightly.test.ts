// 10,000 runs of eight clients at once, on the reference, 20 permitted servers and the second server. interleaved.slow.test.ts has the first 21 without the last.
import { it } from 'vitest';
import { expectNoBreaks } from '../../test/fixtures/interleaved.js';

const RUNS = 10_000;
const PART = 500;

it.each(Array.from({ length: RUNS / PART }, (_, part) => part * PART))(
  'no break in 500 interleaved runs from seed %i on',
  async (from) => {
    await expectNoBreaks(from, from + PART, { withSecond: true });
  },
  3_600_000,
);
