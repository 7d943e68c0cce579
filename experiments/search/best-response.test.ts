import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseScenario } from '../../scenarios/schema.js';
import { protocol } from '../../spec/protocol.js';
import { armText } from '../sweep/plan.js';
import { type Confirmed, cheapest, dominatedPrices, planResponse, verdicts, withoutCap } from './best-response.js';
import { type PriceName, policyFamily } from './policy-families.js';
import { policyNames } from './policy-names.js';
import { parseSearch } from './search-file.js';

const scenario = {
  format: 1,
  name: 'four',
  question: 'What would they rather do?',
  duration: '2d',
  populations: [
    {
      name: 'workers',
      count: 4,
      class: 'autonomous',
      heartbeat: { policy: 'keep_alive', margin: '5m' },
      budget: { wallet: '1 SOL' },
      hash_rate: '1M hashes/s',
      reissue: { every: { distribution: 'fixed', mean: '20h' } },
    },
  ],
  measures: { every: '6h' },
};
const responding = { scenario, population: 'workers', count: 4, protocol };
const familyOf = (name: (typeof policyNames)[number]) => {
  const family = policyFamily(responding, name);
  if ('reason' in family) throw new Error(family.reason);
  return family;
};

describe('policies', () => {
  it.each(policyNames)('%s makes a scenario that is taken, at every corner of its numbers', (name) => {
    const { ranges, settingsAt, base } = familyOf(name);
    for (let corner = 0; corner < 2 ** ranges.length; corner += 1) {
      const point = ranges.map((_, d) => (corner >> d) & 1);
      const made = armText(base, settingsAt(point));
      if ('reason' in made) throw new Error(made.reason);
      expect(parseScenario(made.text, name)).toMatchObject({ ok: true });
    }
  });

  it('keep the number of agents in a ring, and price the work of all', () => {
    const { settingsAt, base, groups } = familyOf('sponsoring');
    expect(groups).toEqual(['workers', 'members']);
    const made = armText(base, settingsAt([1, 0.5]));
    if ('reason' in made) throw new Error(made.reason);
    const parsed = parseScenario(made.text, 'ring.yaml');
    if (!parsed.ok) throw new Error('no scenario');
    const { populations } = parsed.value;
    expect(populations.map(({ count }) => count)).toEqual([1, 3]);
    expect(populations.map(({ economics }) => economics.gigahashLamports)).toEqual([1_000, 1_000]);
  });

  it.each([
    [
      'more than one population',
      { ...responding, scenario: { ...scenario, populations: [...scenario.populations, { name: 'others' }] } },
      'is for a population that is alone in its scenario',
    ],
    ['one agent', { ...responding, count: 1 }, 'is for two agents and more'],
  ])('of sponsoring are not for %s', (_, others, reason) => {
    expect(policyFamily(others, 'sponsoring')).toEqual({ reason });
  });
});

/** A policy that leads the life, or does not, at so much in each of four runs. */
const confirmed = (pays: readonly PriceName[] | null, costs: readonly number[], excess = 0): Confirmed => ({
  search: { family: { pays } } as Confirmed['search'],
  lives: excess === 0,
  excess,
  costs,
});

describe('a best response', () => {
  const beats = confirmed(['heartbeat', 'sigil'], [10, 12, 11, 13]);
  const frozen = confirmed(['sigil'], [7, 9, 8.1, 10]);
  const dead = confirmed(['sigil'], [0, 0, 0, 0], 0.4);
  const ring = confirmed(['heartbeat'], [9.9, 12.1, 11, 13]);

  it('is the cheapest policy of those that lead the life', () => {
    expect(cheapest([beats, frozen, dead, ring])).toBe(frozen);
    expect(verdicts([beats, frozen, dead]).map(({ verdict }) => verdict)).toEqual([
      'dominated',
      'best',
      'another life',
    ]);
    expect(verdicts([dead]).map(({ verdict }) => verdict)).toEqual(['another life']);
  });

  it('dominates by the interval of paired differences alone', () => {
    const [more] = verdicts([beats, frozen]);
    expect(more).toMatchObject({ verdict: 'dominated', more: { paired: true, n: [4, 4] } });
    // The means differ by nothing that four runs could show.
    expect(verdicts([ring, beats]).map(({ verdict }) => verdict)).toEqual(['best', 'no difference shown']);
  });

  it('shows a price as dominated by a policy that pays the same others without it', () => {
    expect(
      dominatedPrices([beats, frozen, dead, ring]).map(({ price, paying, avoiding }) => [price, paying, avoiding]),
    ).toEqual([['heartbeat', beats, frozen]]);
    expect(dominatedPrices([beats, dead])).toEqual([]);
    // Unknown costs of the scenario's own policy are no evidence.
    expect(dominatedPrices([confirmed(null, [20, 21, 22, 23]), frozen])).toEqual([]);
  });

  it('is looked for without the cap of a class where none is found', () => {
    expect(withoutCap('narrow_task')).toEqual({ 'protocol.heartbeat.narrowTaskCap': 100_000_000 });
  });
});

describe('a file of a best response', () => {
  const file = (rest: string): string => `format: 1
name: rather
question: What would they rather do?
scenario: four.yaml
find: best_response
${rest}`;
  const problemsOf = (rest: string): readonly string[] => {
    const text = file(rest);
    const parsed = parseSearch(text, 'rather.yaml');
    const source = { file: 'rather.yaml', text, scenarioFile: 'four.yaml', scenarioText: stringify(scenario) };
    const planned = !parsed.ok
      ? parsed
      : parsed.value.find === 'best_response'
        ? planResponse(parsed.value, source)
        : null;
    return planned?.ok === false ? planned.problems.map(({ line, key, message }) => `${line}: ${key}: ${message}`) : [];
  };

  it.each([
    ['population: workers\nlife: [uptime_share > 90 %]', []],
    ['population: bees\nlife: [uptime_share > 90 %]', ['6: population: is not in four.yaml; known: workers']],
    ['population: workers\nlife: [uptime_share.workers > 90 %]', ['7: life.0: is about the population: name no group']],
    ['population: workers\nlife: [speed > 3]', [expect.stringMatching(/^7: life\.0: "speed" is not a measure/)]],
    [
      'population: workers\nlife: [freezes < 3]\npolicies: [idling]',
      [expect.stringMatching(/^8: policies\.0: must be one of as_it_is, interval/)],
    ],
    [
      'population: workers\nlife: [freezes < 3]\nclasses: [bee]',
      ['8: classes.0: must be one of narrow_task, autonomous, orchestrator'],
    ],
    [
      'population: workers\nlife: [freezes < 3]\ngoals: [freezes < 3]',
      [expect.stringMatching(/^8: goals: is not a key that is known here; known: format, .*, life, /)],
    ],
  ])('%s', (rest, problems) => {
    expect(problemsOf(rest)).toEqual(problems);
  });

  it('of another kind is refused with the kinds that there are', () => {
    const parsed = parseSearch(file('').replace('best_response', 'gold'), 'rather.yaml');
    expect(parsed).toMatchObject({
      ok: false,
      problems: [{ line: 5, key: 'find', message: 'must be one of numbers, best_response' }],
    });
  });
});
