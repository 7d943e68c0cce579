// A run in parts has the result of the run in one world; many scenarios are compared in parts.slow.test.ts, and threads
// in runs/simulation/play-threads.slow.test.ts.
import { describe, expect, it } from 'vitest';
import { inOne, inParts } from '../../test/fixtures/in-parts.js';
import { mixed, others, smallScenario } from '../../test/fixtures/small-scenario.js';
import { shareOf } from '../world/share.js';
import { InexactSum, outcomeOfParts, partOf } from './parts.js';
import { advance, startRun } from './run.js';

describe('a run in parts', () => {
  const lively = smallScenario([
    mixed,
    others,
    { name: 'few', count: 3, lifetime: { distribution: 'fixed', meanSec: 40_000 } },
  ]);

  it.each([1, 2, 5])('of which there are %i has the result of the run in one', (parts) => {
    expect(inParts(lively, parts)).toEqual(inOne(lively));
  });

  it('has the fees in force once, whether or not they answer', () => {
    const measures = { everySec: 3_600, names: ['tier1_fee_lamports', 'tier3_fee_lamports'] } as const;
    const fees = { ...lively, measures };
    expect(inParts(fees, 3)).toEqual(inOne(fees));
    // 4.5: 0.0005 SOL in the first tier, 0.0002 SOL in the third.
    expect(inOne(fees).result.series.map(({ values }) => values.at(-1))).toEqual(
      expect.arrayContaining([500_000, 200_000]),
    );
  });

  it('that is stopped at a second between two samples is the run that is stopped there', () => {
    expect(inParts(lively, 3, 40_001)).toEqual(inOne(lively, 40_001));
    expect(inOne(lively, 40_001).result.manifest.partial).toBe(true);
  });

  it('is refused if its parts are not those of one run', () => {
    const part = (index: number, untilSec = 3_600) => {
      const run = startRun(lively, 1, undefined, shareOf(index, 2));
      advance(run, untilSec);
      return partOf(run);
    };
    expect(() => outcomeOfParts(lively, 1, [part(1), part(0)])).toThrow('follows hand -1');
    expect(() => outcomeOfParts(lively, 1, [part(0)])).toThrow('the parts have 32 of 64 hands');
    expect(() => outcomeOfParts(lively, 1, [part(0), part(1, 3_601)])).toThrow('parts of one run differ');
    const large = [part(0), part(1)];
    for (const { fees } of large) fees[1] = Number.MAX_SAFE_INTEGER;
    expect(() => outcomeOfParts(lively, 1, large)).toThrow(InexactSum);
  });
});
