import { describe, expect, it } from 'vitest';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';
import { feeShares } from '../../spec/vocabulary.js';
import { lastOf, liveliest, played, samplesOf, smallScenario } from '../../test/fixtures/small-scenario.js';

const MIN = 60;
const fixed = (meanSec: number) => ({ distribution: 'fixed', meanSec }) as const;
const affected = { populations: [0], share: 1 };

describe('availability', () => {
  const end = (part: Partial<Population>, rest: Partial<Scenario> = {}) => {
    const often = { policy: 'interval', everySec: 10 * MIN, jitter: 0 } as const;
    const result = played(smallScenario([{ heartbeat: often, ...part }], rest));
    return { available: lastOf(result, 'availability_share'), uptime: lastOf(result, 'uptime_share') };
  };
  // Up for five hours, down for half an hour: four outages in a day, none long enough for a freeze.
  const outages = { up: fixed(5 * HOUR_SEC), down: fixed(30 * MIN) };
  const regional = (atSec: number) =>
    ({ faults: [{ kind: 'outage', name: 'region', atSec, forSec: 30 * MIN, affected }] }) as const;

  it('is uptime without outages, of one kind or both, where they overlap once', () => {
    expect(end({})).toEqual({ available: 1, uptime: 1 });
    expect(end({ outages })).toEqual({ available: 22 / 24, uptime: 1 });
    expect(end({}, regional(2 * HOUR_SEC))).toEqual({ available: 23.5 / 24, uptime: 1 });
    expect(end({ outages }, regional(2 * HOUR_SEC))).toEqual({ available: 21.5 / 24, uptime: 1 });
    // From 5 h and from 5 h 15 min on.
    expect(end({ outages }, regional(5 * HOUR_SEC + 15 * MIN))).toEqual({ available: 21.75 / 24, uptime: 1 });
  });

  it('leaves time after departure out, which uptime does not', () => {
    const { available, uptime } = end({ outages, lifetime: fixed(11 * HOUR_SEC) });
    expect(available).toBe(10 / 11);
    expect(uptime).toBeLessThan(0.6);
  });

  it('is what sampling every second finds, through freezes, faults and departures, and does not depend on sampling', () => {
    const part: Partial<Population> = {
      heartbeat: { policy: 'interval', everySec: 20 * MIN, jitter: 0.5 },
      outages: {
        up: { distribution: 'exponential', meanSec: HOUR_SEC },
        down: { distribution: 'exponential', meanSec: HOUR_SEC },
      },
      hashesPerSec: 20_000,
      lifetime: fixed(11 * HOUR_SEC),
    };
    const recurring = {
      kind: 'outages',
      name: 'again',
      up: fixed(2 * HOUR_SEC),
      down: fixed(40 * MIN),
      affected,
    } as const;
    const scenario = (everySec: number, seed: number) =>
      played(
        smallScenario([part], {
          durationSec: DAY_SEC / 2,
          faults: [recurring],
          measures: { everySec, names: ['frozen', 'offline', 'departed', 'freezes', 'availability_share'] },
        }),
        seed,
      );
    const often = [1, 2].map((seed) => scenario(1, seed));
    for (const [i, result] of often.entries()) {
      const [frozen, offline, departed] = ['frozen', 'offline', 'departed'].map((name) => samplesOf(result, name));
      const lived = departed!.filter((gone) => gone === 0).length - 1;
      const available = departed!.filter((gone, at) => at > 0 && gone + frozen![at]! + offline![at]! === 0).length;
      expect(lastOf(result, 'availability_share')).toBeCloseTo(available / lived, 3);
      const seldom = scenario(DAY_SEC / 2, i + 1);
      expect(lastOf(seldom, 'availability_share')).toBe(lastOf(result, 'availability_share'));
      expect(seldom.manifest.event_hash).toBe(result.manifest.event_hash);
    }
    expect(often.reduce((sum, result) => sum + lastOf(result, 'freezes'), 0)).toBeGreaterThan(0);
  });
});

/** Of operations, contributors, development, treasury and referral in the first year (4.5). */
const SPLIT = [0.3, 0.3, 0.15, 0.15, 0.1];

describe('the shares of the fees', () => {
  const sharesOf = (result: ReturnType<typeof played>, group?: string) =>
    feeShares.map((share) => lastOf(result, `fees_to_${share}_lamports`, group));

  it('are the split of 4.5 of a SIGIL and of each heartbeat', () => {
    const result = played(smallScenario([{}]));
    const fees = 50_000_000 + 500_000 * lastOf(result, 'heartbeats');
    expect(sharesOf(result)).toEqual(SPLIT.map((share) => Math.round(fees * share)));
  });

  it('are rounded down to the lamport, and treasury has the rest', () => {
    const subsidy = {
      kind: 'subsidy',
      name: 'help',
      atSec: 1,
      affected,
      feeType: 'heartbeat',
      discountBps: 3_334,
    } as const;
    const result = played(
      smallScenario([{}], { interventions: [{ ...subsidy, floorLamports: 333_303, forSec: null }] }),
    );
    const beats = lastOf(result, 'heartbeats');
    expect(sharesOf(result)).toEqual(
      [99_990, 99_990, 49_995, 49_998, 33_330].map((of, i) => of * beats + 50_000_000 * SPLIT[i]!),
    );
  });

  it('add up to the fees in every group, and are those of who paid', () => {
    const result = played(liveliest());
    for (const group of [undefined, 'mixed', 'others', 'narrow_task', 'autonomous', 'orchestrator']) {
      const sum = sharesOf(result, group).reduce((total, share) => total + share, 0);
      expect(sum).toBe(lastOf(result, 'fees_lamports', group));
    }
    expect(feeShares.map((share) => result.totals[`fees_to_${share}_lamports`])).toEqual(sharesOf(result));
  });
});
