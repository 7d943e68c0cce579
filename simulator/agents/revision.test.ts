import { describe, expect, it } from 'vitest';
import type { Adaptation, RevisionPlan } from '../../scenarios/adaptation.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';
import { lastOf, onePopulation, played, smallScenario } from '../../test/fixtures/small-scenario.js';
import { advance, type Run, startRun } from '../run/run.js';
import { optionOf } from '../world/adaptation.js';
import { REGISTER, SWITCH } from '../world/operations.js';

const SOL = 1_000_000_000;

type Option = Partial<Population> | 'leaves';

/** A population of options that differ in these keys. */
function choosing(
  count: number,
  options: Readonly<Record<string, Option>>,
  start: Adaptation['start'],
  revision: Partial<RevisionPlan> | null,
  rest: Partial<Population> = {},
): Partial<Population> {
  const base = { ...onePopulation, name: 'workers', count, ...rest };
  const plan: RevisionPlan = {
    rule: { by: 'imitation', noise: 0, mutation: 0 },
    everySec: DAY_SEC,
    rate: 1,
    sees: 'options',
    outsideLamports: 0,
    ...revision,
  };
  return {
    ...base,
    adapts: {
      options: Object.entries(options).map(([name, keys]) => ({
        name,
        leaves: keys === 'leaves',
        population: keys === 'leaves' ? base : { ...base, ...keys },
      })),
      start,
      revision: revision === null ? null : plan,
    },
  };
}

const income = (liveDay: number): Partial<Population> => ({
  economics: { liveDayLamports: liveDay * SOL, heartbeatLamports: 0, gigahashLamports: 0 },
});
const shares = (...of: number[]): Adaptation['start'] => ({ kind: 'shares', of });
const counts = (...of: number[]): Adaptation['start'] => ({ kind: 'counts', of });

function end(scenario: Scenario, seed = 1): Run {
  const run = startRun(scenario, seed);
  advance(run, scenario.durationSec);
  return run;
}

/** How many agents of the first population have each option, arrived or not. */
function sizes({ world }: Run, options: number): number[] {
  const found = Array.from({ length: options }, () => 0);
  for (let agent = 0; agent < world.agents.size; agent += 1) found[optionOf(world, agent) as number]! += 1;
  return found;
}

describe('agents that keep their option', () => {
  const fixed = (start: Adaptation['start'], seed = 1): Run =>
    end(
      smallScenario([choosing(1_000, { a: {}, b: { resync: false }, c: 'leaves' }, start, null)], { durationSec: 60 }),
      seed,
    );

  it('have it by exact counts', () => {
    expect(sizes(fixed(counts(300, 500, 200)), 3)).toEqual([300, 500, 200]);
    expect(fixed(counts(300, 500, 200)).world.registry.agents.rows).toBe(800);
  });

  it('or by shares, within four standard deviations', () => {
    const [a = 0, b = 0, c = 0] = sizes(fixed(shares(0.3, 0.7, 0), 4), 3);
    expect(Math.abs(a - 300)).toBeLessThan(4 * Math.sqrt(1_000 * 0.3 * 0.7));
    expect([a + b, c]).toEqual([1_000, 0]);
  });

  it('have it whatever the counts of others: another split changes the option of one agent', () => {
    const [one, other] = [fixed(counts(300, 500, 200)).world, fixed(counts(301, 499, 200)).world];
    const changed = Array.from({ length: 1_000 }, (_, i) => i).filter((i) => optionOf(one, i) !== optionOf(other, i));
    expect(changed).toHaveLength(1);
  });
});

describe('an adaptive population of which all options are alike', () => {
  const plain = { count: 40, heartbeat: { policy: 'interval', everySec: 700, jitter: 0.5 } } as const;
  const alike = choosing(
    40,
    { a: {}, b: {} },
    shares(0.5, 0.5),
    { rule: { by: 'imitation', noise: 1, mutation: 0.5 }, everySec: HOUR_SEC },
    plain,
  );
  const eventsOf = (population: Partial<Population>): readonly string[] => {
    const run = startRun(smallScenario([{ ...onePopulation, name: 'workers', ...population }]), 3);
    const events: string[] = [];
    run.world.observer = (...event) => {
      if (event[2] !== SWITCH) events.push(event.join(' '));
    };
    advance(run, DAY_SEC);
    return events;
  };

  it('makes the events of a population without options', () => {
    expect(eventsOf(alike)).toEqual(eventsOf(plain));
  });

  it('has its totals, while agents switch', () => {
    const [one, other] = [plain, alike].map((part) => played(smallScenario([{ name: 'workers', ...part }]), 3));
    expect(lastOf(other!, 'switches')).toBeGreaterThan(100);
    const own = other!.series.filter(
      ({ name, group }) => group === undefined && !/^(switches|profit_day|present_share)/.test(name),
    );
    for (const { name, values } of own)
      expect([name, values]).toEqual([
        name,
        one!.series.find((each) => each.name === name && each.group === undefined)?.values,
      ]);
  });

  it('has sums over options that are those of the population', () => {
    const result = played(smallScenario([alike]), 3);
    for (const name of [
      'registered',
      'present',
      'frozen',
      'heartbeats',
      'fees_lamports',
      'live_days',
      'frozen_days',
      'switches',
    ]) {
      const sum = lastOf(result, name, 'workers/a') + lastOf(result, name, 'workers/b');
      expect(sum, name).toBeCloseTo(lastOf(result, name, 'workers'), 9);
    }
    expect(lastOf(result, 'present_share', 'workers/a') + lastOf(result, 'present_share', 'workers/b')).toBeCloseTo(
      1,
      12,
    );
  });
});

describe('the payoff of an option', () => {
  it('is profit without SIGILs for each agent-day of the period', () => {
    // The poor pay 48 heartbeats a day at the fee of tier 1, and have no income; the rich would have to pay 5 SOL a day to be as poor.
    const scenario = smallScenario(
      [
        choosing(20, { rich: income(5), poor: income(0) }, counts(1, 19), {
          rule: { by: 'best_response', noise: 0, mutation: 0 },
        }),
      ],
      { durationSec: DAY_SEC + 60 },
    );
    expect(sizes(end(scenario), 2)).toEqual([20, 0]);
  });

  it('is not known of an option that nobody has', () => {
    const scenario = smallScenario(
      [
        choosing(20, { rich: income(5), poor: income(0) }, counts(0, 20), {
          rule: { by: 'best_response', noise: 0, mutation: 0 },
        }),
      ],
      { durationSec: 3 * DAY_SEC },
    );
    expect(sizes(end(scenario), 2)).toEqual([0, 20]);
    const [option] = scenario.populations;
    const plan = { ...option!.adapts!.revision!, rule: { by: 'best_response', noise: 0, mutation: 0.1 } } as const;
    const mutating = { ...scenario, populations: [{ ...option!, adapts: { ...option!.adapts!, revision: plan } }] };
    expect(sizes(end(mutating), 2)[0]).toBeGreaterThan(10);
  });
});

describe('logit', () => {
  it('has shares of its closed form', () => {
    // Incomes of 0.01, 0.02 and 0.03 SOL a day, and equal costs: weights 1, e and e² at a noise of 0.01 SOL.
    const size = 3_000;
    const options = { a: income(0.01), b: income(0.02), c: income(0.03) };
    const rule = { by: 'logit', noise: 0.01 * SOL, mutation: 0 } as const;
    const scenario = smallScenario([choosing(size, options, shares(1 / 3, 1 / 3, 1 / 3), { rule })], {
      durationSec: DAY_SEC + 60,
      measures: { everySec: DAY_SEC, names: ['present'] },
    });
    const found = sizes(end(scenario), 3);
    const sum = 1 + Math.E + Math.E ** 2;
    [1 / sum, Math.E / sum, Math.E ** 2 / sum].forEach((share, option) => {
      expect(Math.abs(found[option]! / size - share)).toBeLessThan(4 * Math.sqrt((share * (1 - share)) / size));
    });
  });
});

describe('the replicator', () => {
  it('has the shares of its equation, revision after revision', () => {
    // An advantage of 0.01 SOL a day, a quarter of the noise, of which half of the agents hear each time.
    const [size, days] = [1_000, 6];
    const rule = { by: 'replicator', noise: 0.04 * SOL, mutation: 0 } as const;
    const options = { poor: income(0.02), rich: income(0.03) };
    const scenario = smallScenario(
      [
        choosing(
          size,
          options,
          counts(800, 200),
          { rule, rate: 0.5 },
          { heartbeat: { policy: 'interval', everySec: 3_400, jitter: 0 } },
        ),
      ],
      {
        durationSec: days * DAY_SEC + 60,
        measures: { everySec: 7 * DAY_SEC, names: ['present'] },
      },
    );
    let rich = 0.2;
    for (let day = 0; day < days; day += 1) rich += 0.5 * rich * (1 - rich) * 0.25;
    expect(Math.abs(sizes(end(scenario), 2)[1]! / size - rich)).toBeLessThan(0.05);
  });
});

describe('agents that leave', () => {
  const leaving = (outside: number, rule: RevisionPlan['rule']['by'], start: Adaptation['start']): Run =>
    end(
      smallScenario(
        [
          choosing(50, { stay: income(0.1), leave: 'leaves' }, start, {
            rule: { by: rule, noise: 0, mutation: 0 },
            outsideLamports: outside * SOL,
          }),
        ],
        { durationSec: 3 * DAY_SEC },
      ),
    );

  it('do so where outside is better, whether or not anybody has', () => {
    expect(leaving(0.2, 'best_response', shares(1, 0)).world.cells.left).toEqual(Float64Array.of(0, 0, 0, 50, 0, 0));
    expect(leaving(0.01, 'best_response', shares(1, 0)).world.cells.left[3]).toBe(0);
  });

  it('are imitated by others once one has, or stays out', () => {
    expect(leaving(0.2, 'imitation', counts(50, 0)).world.cells.left[3]).toBe(0);
    expect(leaving(0.2, 'imitation', counts(40, 10)).world.cells.left[3]).toBeGreaterThan(10);
    expect(leaving(0.2, 'imitation', counts(40, 10)).world.registry.agents.rows).toBe(40);
  });
});

describe('an agent that compares itself with one other', () => {
  const options = { poor: income(0.01), rich: income(0.02) };
  const scenario = (sees: RevisionPlan['sees']): Scenario =>
    smallScenario([choosing(400, options, counts(200, 200), { sees })], { durationSec: DAY_SEC + 60 });

  it('meets a better one in proportion to their share, as by mean payoffs where all of an option earn alike', () => {
    for (const sees of ['options', 'agents'] as const) {
      const [poor = 0] = sizes(end(scenario(sees)), 2);
      // Each of 200 meets one of 200 among 399.
      const chance = 200 / 399;
      expect(Math.abs(200 - poor - 200 * chance)).toBeLessThan(4 * Math.sqrt(200 * chance * (1 - chance)));
    }
  });

  it('has payoffs that sum to the profit of all without SIGILs', () => {
    const parts = choosing(
      60,
      { a: {}, b: { heartbeat: { policy: 'interval', everySec: 3_900, jitter: 0 } } },
      shares(0.5, 0.5),
      { sees: 'agents', rule: { by: 'imitation', noise: 1_000_000, mutation: 0.1 }, everySec: 2 * HOUR_SEC },
      { economics: { liveDayLamports: 20_000_000, heartbeatLamports: 300, gigahashLamports: 1_000 } },
    );
    const run = startRun(smallScenario([parts]), 5);
    advance(run, DAY_SEC);
    const { features, cells, agents, registry } = run.world;
    const { earnedLamports } = features!.adaptation!;
    const rate = 20_000_000 / DAY_SEC;
    let sum = 0;
    for (let agent = 0; agent < agents.size; agent += 1)
      sum += earnedLamports[agent]! + (agents.frozen(agent) ? 0 : rate * DAY_SEC);
    const fees = cells.sigilFeesLamports.reduce((all, each) => all + each, 0);
    const profit = played(smallScenario([parts]), 5);
    expect(registry.agents.rows).toBe(60);
    expect(sum).toBeCloseTo(lastOf(profit, 'profit_lamports') + fees, 0);
    expect(lastOf(profit, 'freezes')).toBeGreaterThan(100);
  });
});

describe('an option that an agent takes', () => {
  const both = (options: Readonly<Record<string, Option>>, rest: Partial<Scenario> = {}): Run => {
    const rule = { by: 'best_response', noise: 0, mutation: 0.5 } as const;
    return end(smallScenario([choosing(20, options, shares(0.5, 0.5), { rule, everySec: 2 * HOUR_SEC })], rest));
  };

  it('brings what it adds, once', () => {
    const every = { distribution: 'fixed', meanSec: HOUR_SEC } as const;
    const run = both({ a: {}, b: { reissue: { every, free: false } } });
    const [a, b] = [run.world.cells.reissues[0]!, run.world.cells.reissues[3]!];
    expect(a).toBe(0);
    // Less than one an hour for each of the agents that have it.
    const days = run.world.cells.presentSec[3]! + run.world.cells.registered[3]! * DAY_SEC;
    expect(b).toBeGreaterThan(0.3 * (days / HOUR_SEC));
    expect(b).toBeLessThanOrEqual(days / HOUR_SEC);
  });

  it('wakes an agent that had stopped for good', () => {
    const late = { heartbeat: { policy: 'interval', everySec: 4_000, jitter: 0 } } as const;
    const run = both({ stops: { ...late, resync: false }, returns: late });
    expect(run.world.cells.resyncs[3]).toBeGreaterThan(50);
    const stopped = end(smallScenario([{ count: 20, ...late, resync: false }]));
    expect(stopped.world.cells.resyncs[0]).toBe(0);
  });

  it('is drawn anew for agents that arrive later', () => {
    const run = startRun(
      smallScenario([
        choosing(
          30,
          { a: {}, b: {} },
          shares(0, 1),
          {},
          { arrivals: { pattern: 'uniform', fromSec: 0, overSec: 20 * HOUR_SEC } },
        ),
      ]),
      1,
    );
    const seen: number[] = [];
    run.world.observer = (_, agent, what) => {
      if (what === REGISTER) seen.push(optionOf(run.world, agent) as number);
    };
    advance(run, DAY_SEC);
    expect(seen).toEqual(Array.from({ length: 30 }, () => 1));
  });
});
