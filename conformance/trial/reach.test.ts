import { describe, expect, it } from 'vitest';
import { overlayOf, overlaySchema, withOverlay } from '../../spec/overlay.js';
import { protocol, protocolNumbers } from '../../spec/protocol.js';
import { allChecks } from '../checks/index.js';
import { bareTarget } from '../target/target.js';
import { waitSecOf } from './needs.js';
import { needReachableCount, needReachableTime, needReachableWork, REACH } from './reach.js';

const PREFIX = 'unreachable under these numbers';

describe('the reach of a step', () => {
  it('is a bound on work, time and counts, and the specification stays within it', () => {
    expect(() => needReachableWork(10_000, 1_000)).not.toThrow();
    expect(() => needReachableWork(10_000_000, 100)).toThrow(PREFIX);
    expect(() => needReachableWork(REACH.beats, 1_000)).toThrow(PREFIX);
    expect(() => needReachableWork(Number.NaN, 100)).toThrow(PREFIX);
    expect(() => needReachableTime(100_000 * 60_000, protocol, false)).not.toThrow();
    expect(() => needReachableTime(10_000_000 * 60_000, protocol, false)).toThrow(PREFIX);
    expect(() => needReachableTime(10 * 366 * 86_400_000, protocol, true)).not.toThrow();
    expect(() => needReachableCount(Number.POSITIVE_INFINITY, 10, 'things')).toThrow(`${PREFIX}: ∞ things`);
    expect(() => needReachableCount(10, 10, 'things')).not.toThrow();
  });

  it('what a check estimates ends, and is a number, whatever a number of the target is', () => {
    const loopback = bareTarget('http://127.0.0.1:1');
    const wrong: string[] = [];
    for (const { path } of protocolNumbers()) {
      for (const extreme of [0, 10_000_000, Number.MAX_SAFE_INTEGER]) {
        const overlay = overlayOf(path, extreme);
        if (!overlaySchema.safeParse(overlay).success) continue;
        const numbers = withOverlay(overlay);
        const target = { ...loopback, protocol: numbers };
        for (const check of allChecks) {
          const unsuitableFor = check.unsuitableFor?.(target);
          const told = [
            check.lamports?.(numbers) ?? 0,
            waitSecOf(check, numbers),
            check.exhaustive?.(numbers) === true,
          ];
          if (unsuitableFor === undefined && told.some(Number.isNaN)) wrong.push(`${check.id}: ${path} = ${extreme}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('the cap of a penalty that no check can make up for is not judged, and says why', () => {
    const linear = { ...bareTarget('http://127.0.0.1:1'), protocol: withOverlay({ resync: { beatsMax: 10_000_000 } }) };
    const capped = allChecks.filter(({ unsuitableFor }) =>
      JSON.stringify(unsuitableFor?.(linear))?.includes('missed anchor'),
    );
    expect(capped.map(({ id }) => id)).toEqual(['resync/insufficient-cap', 'resync/challenge-cap']);
    const reason = `${PREFIX}: a penalty of 10,000,000 beats, 100 for each missed anchor, is more than a check computes`;
    expect(capped[0]?.unsuitableFor?.(linear)).toMatchObject({ reason });
  });
});
