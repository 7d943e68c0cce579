import { describe, expect, it } from 'vitest';
import { measureNames } from '../../scenarios/measures.js';
import type { Population } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { withOverlay } from '../../spec/overlay.js';
import { DAY_SEC } from '../../spec/time.js';
import { lastOf, played, samplesOf, smallScenario } from '../../test/fixtures/small-scenario.js';

/** One fee for every heartbeat of the run. */
const protocol = withOverlay({
  heartbeat: { tier1HeartbeatsMax: 4_000, tier2HeartbeatsMax: 5_000, narrowTaskCap: 5_000 },
});
const FEE = 500_000;
const days = (count: number, everySec = 3_600) => ({
  ...{ protocol, durationSec: count * DAY_SEC },
  measures: { everySec, names: measureNames },
});

/** Agents that earn nothing but their part of a sum, and pay 36 heartbeats a day. */
const entrants = (sharedDayLamports: number, aboveLamports = 0): Partial<Population> => ({
  name: 'entrants',
  count: 300,
  arrivals: { pattern: 'entry', fromSec: 0, gapSec: DAY_SEC / 6, everySec: DAY_SEC, aboveLamports },
  heartbeat: { policy: 'interval', everySec: 2_400, jitter: 0 },
  budget: { walletLamports: 3_000_000_000, topUp: null },
  economics: { liveDayLamports: 0, heartbeatLamports: 0, gigahashLamports: 0, sharedDayLamports },
});
const COST = 36 * FEE;

describe('entry by expected profit', () => {
  it.each([
    [0, 15],
    [0, 30],
    [6_000_000, 20],
  ])('goes on until a day earns the threshold of %i lamports: to %i agents', (above, size) => {
    const shared = size * (COST + above);
    const result = played(smallScenario([entrants(shared, above)], days(14, DAY_SEC)));
    const registered = samplesOf(result, 'registered');
    const last = registered.at(-1) ?? 0;
    // Entrants see the period before, so those of a day or two come too many.
    expect(last).toBeGreaterThanOrEqual(size);
    expect(last).toBeLessThan(size + 3 * 6);
    expect(registered.at(-1)).toBe(registered.at(-4));
    expect(lastOf(result, 'stayed_out')).toBeGreaterThan(20);
  });

  it('without a reason to stay out is a Poisson process, draw by draw', () => {
    const rich = entrants(1e12);
    const poisson = { ...rich, arrivals: { pattern: 'poisson', fromSec: 0, gapSec: DAY_SEC / 6 } } as const;
    const [free, plain] = [rich, poisson].map((each) => played(smallScenario([each], days(5))));
    expect(free?.manifest.event_hash).toBe(plain?.manifest.event_hash);
  });

  it('is tried where nobody is present, and knows of no SIGIL', () => {
    const result = played(smallScenario([entrants(0)], days(10)));
    // On the first day nothing is known; from the second on the profit is that of 36 heartbeats without income.
    const registered = samplesOf(result, 'registered');
    expect(registered[24]).toBeGreaterThan(3);
    expect(registered.at(-1)).toBe(registered[24]);
  });

  it('follows the best option of a population that has some', () => {
    const both = { ...entrants(0), economics: { liveDayLamports: 0, heartbeatLamports: 0, gigahashLamports: 0 } };
    const { adapts: _, ...loser } = { ...both, adapts: undefined };
    const base = smallScenario([loser]).populations[0] as Population;
    const winner = { ...base, economics: { ...base.economics, liveDayLamports: COST * 2 } };
    const options = [
      { name: 'loses', leaves: false, population: base },
      { name: 'wins', leaves: false, population: winner },
    ];
    const start = { kind: 'shares', of: [0.9, 0.1] } as const;
    const result = played(smallScenario([{ ...loser, adapts: { options, start, revision: null } }], days(10)));
    expect(lastOf(result, 'stayed_out')).toBe(0);
    expect(lastOf(result, 'registered')).toBeGreaterThan(40);
  });
});

describe('an income that is shared', () => {
  it('is paid in full while an agent is live, half to each of two groups alike', () => {
    const part = { ...entrants(8_640_000), arrivals: { pattern: 'at', timeSec: 0 }, count: 8 } as const;
    const result = played(
      smallScenario([{ ...part, classes: { narrow_task: 0.5, autonomous: 0.5, orchestrator: 0 } }], days(3)),
    );
    expect(lastOf(result, 'income_lamports')).toBeCloseTo(3 * 8_640_000, 3);
    const agents = lastOf(result, 'registered', 'autonomous');
    expect(lastOf(result, 'income_lamports', 'autonomous')).toBeCloseTo((3 * 8_640_000 * agents) / 8, 3);
  });

  it('goes to those that are live: of two agents the other one has all of it while one is frozen', () => {
    // The late one arrives at noon of the first day; the first one is frozen from its 61st anchor on and does not come back.
    const shared = 8_640_000;
    const silent: Partial<Population> = {
      ...entrants(shared),
      ...{ count: 2, arrivals: { pattern: 'trace', timesSec: [0, DAY_SEC / 2] }, resync: false },
      heartbeat: { policy: 'interval', everySec: 90_000, jitter: 0 },
    };
    const income = samplesOf(played(smallScenario([silent], days(1))), 'income_lamports');
    // Each is live for 61 anchors after its arrival, at 100 lamports a second.
    expect(income[1]).toBeCloseTo(360_000, 3);
    expect(income[2]).toBeCloseTo(366_000, 3);
    expect(income[12]).toBeCloseTo(366_000, 3);
    expect(income[24]).toBeCloseTo(2 * 366_000, 3);
  });
});

describe('the file', () => {
  const read = (arrivals: string) =>
    parseScenario(
      `format: 1
name: entry
question: Who comes?
duration: 3d
populations:
  - name: entrants
    count: 20
    class: narrow_task
    arrivals: ${arrivals}
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 1 SOL }
    hash_rate: 1M hashes/s
    economics: { shared_day: 2 SOL }
measures: { every: 1d }
`,
      'entry.yaml',
    );

  it('has a rate, a period and a threshold', () => {
    expect(read('{ pattern: entry, rate: 12 per day, every: 1d, above: 0.01 SOL }')).toMatchObject({
      ok: true,
      value: {
        populations: [
          {
            arrivals: { pattern: 'entry', fromSec: 0, gapSec: 7_200, everySec: DAY_SEC, aboveLamports: 10_000_000 },
            economics: { sharedDayLamports: 2_000_000_000 },
          },
        ],
      },
    });
  });

  it('is refused without a period', () => {
    const refused = read('{ pattern: entry, rate: 12 per day }');
    expect(refused.ok ? [] : refused.problems.map(({ line, key, message }) => `${line} ${key} ${message}`)).toEqual([
      '9 populations.0.arrivals.every is missing: must be a duration in whole seconds such as 14d, 6h, 90s or 1h30m, above zero',
    ]);
  });
});
