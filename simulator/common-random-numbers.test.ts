import { describe, expect, it } from 'vitest';
import type { Population, Scenario } from '../scenarios/scenario.js';
import { parseScenario } from '../scenarios/schema.js';
import { describeProblem } from '../spec/document.js';
import { HOUR_SEC } from '../spec/time.js';
import { smallScenario } from '../test/fixtures/small-scenario.js';
import { draftText, type ScenarioDraft, swarmDraft } from './modes/swarm-scenario.js';
import { advance, type Run, startRun } from './run/run.js';
import { INIT } from './world/operations.js';

const SEED = 5;

/** A run with every agent by its identity: population and member of a root, then the rank among siblings at each birth. */
interface Played {
  readonly run: Run;
  readonly agents: ReadonlyMap<string, number>;
  /** By identity: every event as text. */
  readonly events: ReadonlyMap<string, readonly string[]>;
}

function playedWith(scenario: Scenario): Played {
  const run = startRun(scenario, SEED);
  const { world } = run;
  const log: [agent: number, text: string][] = [];
  const born: number[] = [];
  world.observer = (second, agent, what, outcome, lamports) => {
    log.push([agent, `${second} ${what} ${outcome} ${lamports}`]);
    if (what === INIT) born.push(agent);
  };
  advance(run, scenario.durationSec);
  const names = new Map<number, string>();
  const ranks = new Map<number, number>();
  for (const agent of born) {
    const parent = world.features?.parent[agent] ?? -1;
    const rank = ranks.get(parent) ?? 0;
    ranks.set(parent, rank + 1);
    const population = world.cells.populations[world.agents.cell(agent)]!;
    // A cell has the population with an option applied.
    const index = scenario.populations.findIndex(({ name }) => name === population.name);
    const first = scenario.populations.slice(0, index).reduce((sum, { count }) => sum + count, 0);
    names.set(agent, parent < 0 ? `${population.name}/${agent - first}` : `${names.get(parent)}>${rank}`);
  }
  const events = new Map<string, string[]>();
  for (const [agent, text] of log) {
    const name = names.get(agent);
    if (name !== undefined) events.set(name, [...(events.get(name) ?? []), text]);
  }
  return { run, agents: new Map([...names].map(([agent, name]) => [name, agent])), events };
}

/** The keys of all agents that both runs have, by identity; the key decides every draw. */
function commonKeys(one: Played, other: Played): readonly [name: string, one: unknown, other: unknown][] {
  return [...one.agents].flatMap(([name, agent]) => {
    const counterpart = other.agents.get(name);
    if (counterpart === undefined) return [];
    return [[name, one.run.world.streams.keyOf(agent), other.run.world.streams.keyOf(counterpart)] as const].map(
      (each) => [...each] as [string, unknown, unknown],
    );
  });
}

function resolved(draft: ScenarioDraft): Scenario {
  const parsed = parseScenario(draftText(draft), 'draft.yaml');
  if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
  return parsed.value;
}

/** Additions to any scenario, each of which leaves the draws of all other agents as they were. */
const additions: readonly (readonly [name: string, add: (draft: ScenarioDraft) => ScenarioDraft])[] = [
  [
    'an agent in every population',
    (draft) => ({ ...draft, populations: draft.populations.map((each) => ({ ...each, count: each.count + 1 })) }),
  ],
  [
    'a population before the others that makes children too',
    (draft) => {
      const parent = draft.populations.find(({ spawning }) => spawning !== undefined);
      const [first] = draft.populations;
      const added = { ...(parent ?? first!), name: 'added', arrivals: { pattern: 'at', time: '0s' }, count: 3 };
      const budget = { wallet: '9 SOL' };
      return { ...draft, populations: [{ ...added, budget, sigil: 'at_birth' }, ...draft.populations] };
    },
  ],
  [
    'faults before the others',
    (draft) => {
      const outage = { kind: 'outage', name: 'added-outage', at: '30m', for: '20m', share: 0.5 };
      const payments = { kind: 'payments', name: 'added-payments', at: '50m', for: '60m', late: 0.3 };
      return { ...draft, faults: [outage, payments, ...draft.faults] };
    },
  ],
];

describe.each(additions)('%s', (_name, add) => {
  it('leaves the draws of all other agents as they were, in random scenarios', () => {
    let compared = 0;
    let children = 0;
    for (let index = 0; index < 15; index += 1) {
      const draft = swarmDraft(SEED, index);
      const keys = commonKeys(playedWith(resolved(draft)), playedWith(resolved(add(draft))));
      expect(keys.filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other))).toEqual([]);
      compared += keys.length;
      children += keys.filter(([name]) => name.includes('>')).length;
    }
    expect(compared).toBeGreaterThan(300);
    expect(children).toBeGreaterThan(30);
  });
});

const drawn = (meanSec: number) => ({ distribution: 'exponential', meanSec }) as const;

/** Agents that nothing couples: families have room, nobody complains, and faults last for all alike. */
const parents: Partial<Population> = {
  name: 'parents',
  count: 6,
  heartbeat: { policy: 'interval', everySec: 1_500, jitter: 0.4 },
  budget: { walletLamports: 5_000_000_000, topUp: null },
  outages: { up: drawn(20_000), down: drawn(3_000) },
  lifetime: drawn(200_000),
  spawning: {
    into: 'children',
    every: drawn(9_000),
    childrenMax: 4,
    depthMax: 3,
    beatsMax: 9_000,
    sponsor: null,
  },
};
const children: Partial<Population> = {
  name: 'children',
  count: 2_000,
  arrivals: { pattern: 'spawned' },
  spawned: true,
  sigil: 'never',
  heartbeat: { policy: 'keep_alive', marginSec: 200, spreadSec: 900 },
  budget: { walletLamports: 1_000_000_000, topUp: null },
  outages: { up: drawn(30_000), down: drawn(3_000) },
  spawning: { into: 'children', every: drawn(20_000), childrenMax: 2, depthMax: 3, beatsMax: 9_000, sponsor: null },
};
const uncoupled = (before: readonly Partial<Population>[], more: number, rest: Partial<Scenario> = {}): Scenario =>
  smallScenario([...before, { ...parents, count: 6 + more }, children], {
    durationSec: 30 * HOUR_SEC,
    faults: [
      ...(rest.faults ?? []),
      {
        kind: 'outages',
        name: 'region',
        up: drawn(20_000),
        down: drawn(2_000),
        affected: { populations: [before.length, before.length + 1], share: 0.5 },
      },
      {
        kind: 'payments',
        name: 'ledger',
        atSec: 5 * HOUR_SEC,
        forSec: 6 * HOUR_SEC,
        rates: { late: 0.3, delay: drawn(300), dropped: 0.2, retrySec: 90 },
      },
    ],
    interventions: [
      {
        kind: 'subsidy',
        name: 'pilot',
        atSec: 8 * HOUR_SEC,
        affected: { populations: [before.length + 1], share: 0.5 },
        feeType: 'heartbeat',
        discountBps: 3_000,
        floorLamports: null,
        forSec: null,
      },
      {
        kind: 'revoke_keys',
        name: 'leak',
        atSec: 20 * HOUR_SEC,
        affected: { populations: [before.length], share: 0.3 },
      },
    ],
  });

describe('where nothing couples agents, their events stay the same', () => {
  const base = playedWith(uncoupled([], 0));

  it.each([
    ['another root', uncoupled([], 1)],
    ['another population', uncoupled([{ ...parents, name: 'others' }], 0)],
    [
      'another fault of others',
      uncoupled([{ ...parents, name: 'others', spawning: null }], 0, {
        faults: [
          {
            kind: 'outage',
            name: 'elsewhere',
            atSec: HOUR_SEC,
            forSec: 999,
            affected: { populations: [0], share: 0.9 },
          },
        ],
      }),
    ],
  ])('with %s', (_name, scenario) => {
    const other = playedWith(scenario);
    expect(base.events.size).toBeGreaterThan(25);
    expect(other.events.size).toBeGreaterThan(base.events.size);
    for (const [name, events] of base.events) expect([name, other.events.get(name)]).toEqual([name, events]);
  });
});
