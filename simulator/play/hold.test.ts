import { describe, expect, it } from 'vitest';
import type { Hold } from '../../scenarios/disturbance.js';
import type { Population } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { withOverlay } from '../../spec/overlay.js';
import { DAY_SEC } from '../../spec/time.js';
import { lastOf, played, samplesOf, smallScenario } from '../../test/fixtures/small-scenario.js';

/** One tier for all heartbeats of the run. */
const protocol = withOverlay({ heartbeat: { tier1HeartbeatsMax: 900 } });

const hold: Hold = {
  kind: 'hold',
  name: 'hold',
  atSec: 0,
  everySec: DAY_SEC,
  measure: 'heartbeat_revenue',
  target: 99_000_000,
  populations: [0, 1],
  numbers: ['heartbeat.tier1FeeLamports'],
  gain: 1,
  factorMin: 0.01,
  factorMax: 100,
};

/** 10 × 48 and 5 × 36 heartbeats a day: 660 in all. */
const two: readonly Partial<Population>[] = [
  { name: 'often', count: 10, heartbeat: { policy: 'interval', everySec: 1_800, jitter: 0 } },
  { name: 'seldom', count: 5, heartbeat: { policy: 'interval', everySec: 2_400, jitter: 0 } },
];

const run = (change: Partial<Hold>, days = 6, populations = two) =>
  played(
    smallScenario(populations, {
      protocol,
      durationSec: days * DAY_SEC,
      interventions: [{ ...hold, ...change }],
    }),
  );

describe('a fee that holds revenue', () => {
  it('reaches its fixed point after one period: the target over the number of heartbeats', () => {
    const result = run({});
    expect(result.held_numbers).toEqual([
      {
        intervention: 'hold',
        at_ms: DAY_SEC * 1_000,
        measured: 330_000_000,
        factor: 0.3,
        set: { 'heartbeat.tier1FeeLamports': 150_000 },
      },
    ]);
    expect(samplesOf(result, 'tier1_fee_lamports').slice(23, 27)).toEqual([500_000, 500_000, 150_000, 150_000]);
    expect(samplesOf(result, 'tier3_fee_lamports')[26]).toBe(200_000);
    // 5 days at the target after one of 660 heartbeats at 500,000 lamports.
    const sigils = 15 * 50_000_000;
    expect(lastOf(result, 'fees_lamports')).toBe(sigils + 330_000_000 + 5 * 99_000_000);
  });

  it('comes nearer by the same share in each period with a gain below 1', () => {
    const factors = run({ gain: 0.5 }, 8).held_numbers?.map(({ factor }) => factor) ?? [];
    expect(factors).toHaveLength(7);
    factors.forEach((factor, k) => {
      expect(factor).toBeCloseTo(0.3 ** (1 - 0.5 ** (k + 1)), 4);
    });
  });

  it('measures one group, and answers with the numbers that are named', () => {
    const numbers = ['sigil.narrowTaskFeeLamports', 'reissue.feeLamports'];
    const { held_numbers: held } = run({ populations: [1], target: 45_000_000, numbers });
    // 180 heartbeats of 500,000 lamports, whatever a SIGIL costs: the factor halves for ever.
    expect(held?.map(({ measured, factor }) => [measured, factor])).toEqual([
      [90_000_000, 0.5],
      [90_000_000, 0.25],
      [90_000_000, 0.125],
      [90_000_000, 0.0625],
      [90_000_000, 0.03125],
    ]);
    expect(held?.[1]?.set).toEqual({ 'sigil.narrowTaskFeeLamports': 12_500_000, 'reissue.feeLamports': 50_000 });
  });

  it('counts all fees as revenue, SIGILs too', () => {
    expect(run({ measure: 'revenue' }, 2).held_numbers?.[0]?.measured).toBe(330_000_000 + 15 * 50_000_000);
  });

  it('stays within its bounds, also where nothing is earned', () => {
    expect(run({ factorMin: 0.5 }).held_numbers?.map(({ factor }) => factor)).toEqual([0.5]);
    const silent = run({ factorMax: 4, populations: [0] }, 3, [
      { arrivals: { pattern: 'at', timeSec: 2.5 * DAY_SEC } },
    ]);
    expect(silent.held_numbers?.map(({ measured, factor }) => [measured, factor])).toEqual([[0, 4]]);
  });

  it('goes on from a number that something else has changed', () => {
    const result = played(
      smallScenario(two, {
        protocol,
        durationSec: 5 * DAY_SEC,
        interventions: [
          hold,
          { kind: 'protocol', name: 'p', atSec: 2 * DAY_SEC + 1, set: { heartbeat: { tier1FeeLamports: 300_000 } } },
        ],
      }),
    );
    const fees = result.held_numbers?.map(({ set }) => set['heartbeat.tier1FeeLamports']);
    expect(fees).toEqual([150_000, 150_000]);
  });

  it('leaves out a change by which numbers would contradict each other', () => {
    const result = run({ numbers: ['dms.missedAnchorsMax'], gain: -1, target: 1_000_000_000_000 });
    // A hundredth of 60 is below the 48 of the warning.
    expect(result.held_numbers).toEqual([]);
    expect(result.manifest.no_effect).toContainEqual({ key: 'interventions.0', text: 'no number changed' });
  });
});

describe('a fee that holds revenue of agents whose demand answers it', () => {
  // Revenue of N agents a day is N × 86,400 / every × at^e × fee^(1 - e).
  it.each([
    [0.5, 10_000_000],
    [0.25, 4_000_000],
    [2, 10_000_000],
  ])('is at the fixed point of demand with elasticity %f', (elasticity, aDay) => {
    const [count, everySec, atLamports] = [20, 2_400, 500_000];
    const buyers = {
      policy: 'elastic',
      everySec,
      atLamports,
      elasticity,
      shortestSec: 660,
      longestSec: 86_400,
    } as const;
    // With an elasticity above 1 a lower fee earns more.
    const gain = elasticity > 1 ? -0.5 : 1;
    const change = { target: count * aDay, gain, populations: [0] };
    const alive = withOverlay({
      heartbeat: { tier1HeartbeatsMax: 4_000, tier2HeartbeatsMax: 5_000, narrowTaskCap: 5_000 },
      dms: { missedAnchorsMax: 1_500 },
    });
    const result = played(
      smallScenario([{ count, heartbeat: buyers }], {
        ...{ protocol: alive, durationSec: 30 * DAY_SEC, interventions: [{ ...hold, ...change }] },
      }),
    );
    const fixed = ((aDay * everySec) / DAY_SEC / atLamports ** elasticity) ** (1 / (1 - elasticity));
    const fee = lastOf(result, 'tier1_fee_lamports');
    expect(Math.abs(fee / fixed - 1)).toBeLessThan(0.06);
  });
});

describe('a fee that holds availability', () => {
  // 12 heartbeats a day: frozen half of the time, until the fee is so low that money for one comes within 61 minutes.
  const poor: Partial<Population> = { count: 20, heartbeat: { policy: 'budget', dayLamports: 6_000_000 } };

  it('falls until agents are active as long as they shall be, and rests there', () => {
    const held = run({ measure: 'availability', target: 1, gain: -1, populations: [0] }, 20, [poor]).held_numbers ?? [];
    const fees = held.map(({ set }) => set['heartbeat.tier1FeeLamports'] ?? 0);
    expect(held[0]?.measured).toBeGreaterThan(0.4);
    expect(held[0]?.measured).toBeLessThan(0.65);
    expect(fees).toEqual(fees.toSorted((a, b) => b - a));
    expect(fees.at(-1)).toBeLessThanOrEqual((6_000_000 * 61) / 1_440);
    expect(held.length).toBeLessThan(15);
  });
});

describe('the file', () => {
  const text = (intervention: string): string => `format: 1
name: held
question: Is it held?
duration: 3d
populations:
  - name: workers
    count: 2
    class: narrow_task
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 1 SOL }
    hash_rate: 1M hashes/s
interventions:
  - ${intervention}
measures: { every: 1d }
`;
  const problems = (intervention: string): readonly string[] => {
    const read = parseScenario(text(intervention), 'held.yaml');
    return read.ok ? [] : read.problems.map(({ line, key, message }) => `${line} ${key} ${message}`);
  };

  it('takes a target alone', () => {
    const read = parseScenario(
      text('{ kind: hold, every: 1d, target: { measure: revenue, per_day: 0.5 SOL } }'),
      'h.yaml',
    );
    expect(read).toMatchObject({
      ok: true,
      value: {
        interventions: [
          {
            ...{ kind: 'hold', name: 'hold', atSec: 0, everySec: DAY_SEC, measure: 'revenue', target: 500_000_000 },
            ...{ populations: [0], gain: 1, factorMin: 0.01, factorMax: 100 },
            numbers: ['heartbeat.tier1FeeLamports', 'heartbeat.tier2FeeLamports', 'heartbeat.tier3FeeLamports'],
          },
        ],
      },
    });
  });

  it.each([
    ['target: { measure: revenue, per_day: 0 SOL }', '13 interventions.0.target.per_day must be above zero'],
    [
      'target: { measure: uptime, share: 1 }',
      '13 interventions.0.target.measure must be revenue, heartbeat_revenue or availability',
    ],
    [
      'target: { measure: availability, share: 0.9 }, numbers: [heartbeat.tier1FeeLamport]',
      '13 interventions.0.numbers.0 "heartbeat.tier1FeeLamport" is no number of the protocol; did you mean heartbeat.tier1FeeLamports?',
    ],
    [
      'target: { measure: availability, share: 0.9 }, numbers: [anchor.intervalSec]',
      '13 interventions.0.numbers.0 anchor.intervalSec cannot change in the middle of a run',
    ],
    [
      'target: { measure: availability, share: 0.9 }, gain: 0',
      '13 interventions.0.gain must not be zero: nothing would answer',
    ],
    [
      'target: { measure: availability, share: 0.9 }, populations: [idlers]',
      '13 interventions.0.populations.0 "idlers" is not a population here; known: workers',
    ],
    [
      'target: { measure: availability, share: 0.9 }, factor_min: 2',
      '13 interventions.0.factor_min must be at most 1, the factor at first',
    ],
  ])('refuses %s', (rest, problem) => expect(problems(`{ kind: hold, every: 1d, ${rest} }`)).toEqual([problem]));
});
