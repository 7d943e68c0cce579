import { describe, expect, it } from 'vitest';
import type { Intervention } from '../../scenarios/disturbance.js';
import { parseExpectation } from '../../scenarios/expectation.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';
import { inParts } from '../../test/fixtures/in-parts.js';
import { onePopulation, played, smallScenario } from '../../test/fixtures/small-scenario.js';

const fixed = (meanSec: number) => ({ distribution: 'fixed', meanSec }) as const;
const affected = { populations: [0], share: 1 };
const wallet = (walletLamports: number) => ({ walletLamports, topUp: null });
type Subsidy = Extract<Intervention, { kind: 'subsidy' }>;
const subsidy = (atSec: number, rest: Partial<Subsidy>): Subsidy => ({
  kind: 'subsidy',
  name: 'help',
  feeType: 'heartbeat',
  ...{ atSec, affected, discountBps: 5_000, floorLamports: null, forSec: null },
  ...rest,
});
const sponsor = { heartbeatsEpochMax: 10, expiresInHours: null, renew: true, answerSec: 600, generations: 1 };
const limits = { childrenMax: 1, depthMax: 1_000, beatsMax: Number.MAX_SAFE_INTEGER };
const spawning = { into: 'children', every: fixed(600), ...limits, sponsor: null };
const child: Partial<Population> = {
  name: 'children',
  spawned: true,
  sigil: 'never',
  arrivals: { pattern: 'spawned' },
};
const expected = (text: string) => {
  const parsed = parseExpectation(text, { groups: [], durationSec: DAY_SEC });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
};

/** Agents that imitate a better option, of which only some are there at first. */
const choosing = (of: readonly number[]): Partial<Population> => ({
  adapts: {
    options: ['a', 'b', 'c'].map((name) => ({ name, leaves: name === 'c', population: onePopulation })),
    start: { kind: 'shares', of },
    revision: {
      rule: { by: 'imitation', noise: 0, mutation: 0 },
      ...{ everySec: HOUR_SEC, rate: 1, sees: 'options', outsideLamports: 0 },
    },
  },
});

const withinOutage: Partial<Scenario> = {
  faults: [{ kind: 'outage', name: 'a', atSec: HOUR_SEC, forSec: 2 * HOUR_SEC, affected }],
  interventions: [subsidy(2 * HOUR_SEC, { forSec: 1_800 })],
};

const notes = (parts: readonly Partial<Population>[], rest: Partial<Scenario> = {}): string[] =>
  (played(smallScenario(parts, rest)).manifest.no_effect ?? []).map(({ key, text }) => `${key}: ${text}`);

describe('options of agents that choose', () => {
  it('are named that no agent had, and a rule by which none took another', () => {
    expect(notes([choosing([1, 0, 0])])).toEqual([
      'populations.0.adapts.options.b: no agent had it',
      'populations.0.adapts.options.c: no agent had it',
      'populations.0.adapts.by: no agent took another option',
    ]);
  });
});

describe('keys without effect', () => {
  it.each<[string, readonly Partial<Population>[], Partial<Scenario>]>([
    ['populations.0.arrivals: no agent arrived', [{ arrivals: { pattern: 'at', timeSec: 2 * DAY_SEC } }], {}],
    [
      'populations.0.budget.wallet: 40000000 lamports bought no SIGIL, which costs 50000000',
      [{ budget: wallet(40_000_000) }],
      {},
    ],
    ['populations.0.heartbeat: none could be paid for', [{ budget: wallet(50_000_000) }], {}],
    ['populations.0.outages: none began', [{ outages: { up: fixed(9 * DAY_SEC), down: fixed(60) } }], {}],
    ['populations.0.lifetime: no agent departed', [{ lifetime: fixed(9 * DAY_SEC) }], {}],
    ['populations.0.reissue: no passport', [{ reissue: { every: fixed(9 * DAY_SEC), free: true } }], {}],
    [
      'populations.0.spawning: no child was made: at its hash rate the work for the first takes 101000 s',
      [{ spawning, hashesPerSec: 1 }, child],
      {},
    ],
    [
      'populations.0.spawning.sponsor: no heartbeat of a descendant',
      [{ spawning: { ...spawning, sponsor } }, child],
      {},
    ],
    [
      'populations.0.flagging: no complaint',
      [{ flagging: { every: fixed(9 * DAY_SEC), targets: 'agents', assertedClass: 'narrow_task' } }],
      {},
    ],
    ['populations.0.misbehaves: no complaint was reviewed', [{ misbehaves: true }], {}],
    ['populations.0.forges: no proof of work', [{ forges: true }], {}],
    ['reviews: there was no complaint', [{}], { reviews: { delay: fixed(60), accuracy: 1, resolve: null } }],
    [
      'faults.0: no agent was cut off',
      [{ arrivals: { pattern: 'at', timeSec: 2 * HOUR_SEC } }],
      { faults: [{ kind: 'outage', name: 'a', atSec: HOUR_SEC, forSec: 60, affected }] },
    ],
    ['populations.1.count: the population has no agents', [{}, { name: 'others', count: 0 }], {}],
    [
      'populations.0.budget.top_up: no wallet ran low',
      [
        {
          budget: { walletLamports: 1e9, topUp: { belowLamports: 5, amountLamports: 5, afterSec: 5, timesMax: null } },
        },
      ],
      {},
    ],
    [
      'populations.0.budget.top_up: no wallet ran low in time for money to arrive',
      [
        {
          budget: {
            walletLamports: 60_000_000,
            topUp: { belowLamports: 59e6, amountLamports: 5, afterSec: 2 * DAY_SEC, timesMax: null },
          },
        },
      ],
      {},
    ],
    ['populations.0.difficulty: no agent had beats to compute', [{ difficulty: 200 }], {}],
    ['populations.0.resync: no agent learned that it was frozen', [{ resync: false }], {}],
    [
      'populations.0.economics.gigahash: no work was computed',
      [{ economics: { liveDayLamports: 5, heartbeatLamports: 5, gigahashLamports: 5 } }],
      {},
    ],
    [
      'populations.1.count_ends_growth: the count prevented no birth',
      [{ spawning }, { ...child, count: 9, countEndsGrowth: true }],
      {},
    ],
    [
      'populations.0.flagging.asserts: the service takes a complaint',
      [{ flagging: { every: fixed(HOUR_SEC), targets: 'others', assertedClass: 'orchestrator' } }, { name: 'others' }],
      {},
    ],
    [
      'reviews: no review was due before the end',
      [{ flagging: { every: fixed(HOUR_SEC), targets: 'others', assertedClass: 'narrow_task' } }, { name: 'others' }],
      { reviews: { delay: fixed(9 * DAY_SEC), accuracy: 1, resolve: fixed(60) } },
    ],
    [
      'reviews.resolve: no complaint was sustained',
      [{ flagging: { every: fixed(HOUR_SEC), targets: 'others', assertedClass: 'narrow_task' } }, { name: 'others' }],
      { reviews: { delay: fixed(60), accuracy: 1, resolve: fixed(60) } },
    ],
    [
      'faults.0.retry: no payment is dropped',
      [{}],
      {
        faults: [
          {
            ...{ kind: 'payments', name: 'a', atSec: 1, forSec: DAY_SEC },
            rates: { late: 1, delay: fixed(9), dropped: 0, retrySec: 9 },
          },
        ],
      },
    ],
    [
      'faults.0: no anchor was held back',
      [{}],
      { faults: [{ kind: 'anchor_stall', name: 'a', atSec: 61, forSec: 9, catchUp: false }] },
    ],
    [
      'faults.0: no payment',
      [{}],
      {
        faults: [
          {
            kind: 'payments',
            name: 'a',
            atSec: 1,
            forSec: DAY_SEC,
            rates: { late: 0, delay: fixed(9), dropped: 0, retrySec: 9 },
          },
        ],
      },
    ],
    [
      'interventions.0: no number changed',
      [{}],
      { interventions: [{ kind: 'protocol', name: 'a', atSec: 9, set: { dms: { missedAnchorsMax: 60 } } }] },
    ],
    [
      'interventions.0: no key',
      [{ arrivals: { pattern: 'at', timeSec: HOUR_SEC } }],
      { interventions: [{ kind: 'revoke_keys', name: 'a', atSec: 9, affected }] },
    ],
    ['interventions.0: no agent paid less', [{}], { interventions: [subsidy(0, { feeType: 'heartbeat' })] }],
    [
      'interventions.0: no agent paid less',
      [{}],
      { interventions: [subsidy(9, { feeType: 'heartbeat', floorLamports: 1e9 })] },
    ],
    [
      'interventions.0: no agent paid less than without it for a sigil: a root buys',
      [{}],
      { interventions: [subsidy(9, { feeType: 'sigil' })] },
    ],
    ['interventions.0: no agent paid less than without it for a heartbeat', [{}], withinOutage],
    [
      'interventions.0: no agent paid less than without it for a heartbeat',
      [{ heartbeat: { policy: 'budget', dayLamports: 500_000 } }],
      withinOutage,
    ],
    [
      'interventions.0.floor: no discounted heartbeat fee came below it',
      [{}],
      { interventions: [subsidy(9, { floorLamports: 9 })] },
    ],
    [
      'interventions.0.set.heartbeat.tier1FeeLamports: it is 500000 already',
      [{}],
      {
        interventions: [
          {
            ...{ kind: 'protocol', name: 'p', atSec: 9 },
            set: { heartbeat: { tier1FeeLamports: 500_000 }, dms: { missedAnchorsMax: 50 } },
          },
        ],
      },
    ],
    [
      'populations.0.budget.top_up.times: no agent came to this many',
      [
        {
          budget: {
            walletLamports: 60_000_000,
            topUp: { belowLamports: 59e6, amountLamports: 1e9, afterSec: 5, timesMax: 2 },
          },
        },
      ],
      {},
    ],
    ...(
      [
        ['children_max: no parent came to it', { childrenMax: 9_999 }, {}],
        ['depth_max: no parent at this depth', { depthMax: 1 }, {}],
        ['beats_max: no child that a parent wanted cost more', { beatsMax: 9_000 }, {}],
        ['sponsor.cap: no descendant came to it', {}, { heartbeatsEpochMax: 9_999 }],
        ['sponsor.expires: no heartbeat came after', {}, { expiresInHours: 48 }],
        ['sponsor.renew: no sponsorship ended', {}, { renew: false }],
        ['sponsor.answer: no descendant asked', {}, { answerSec: 60 }],
        ['sponsor.generations: only children', {}, { generations: 2 }],
      ] as const
    ).map(([key, own, terms]): [string, readonly Partial<Population>[], Partial<Scenario>] => [
      `populations.0.spawning.${key}`,
      [
        { spawning: { ...spawning, ...own, sponsor: { ...sponsor, ...terms } } },
        { ...child, sponsored: true, budget: wallet(0) },
      ],
      {},
    ]),
    ['measures.every: is longer than the run', [{}], { measures: { everySec: 2 * DAY_SEC, names: [] } }],
    [
      'expectations.0: spawns is 0 in any case: this scenario has no spawning',
      [{}],
      { expectations: [expected('spawns < 9')] },
    ],
  ])('are named with the reason: %s', (note, parts, rest) => {
    expect(notes(parts, rest)).toEqual([expect.stringContaining(note)]);
  });

  it('are none where what they are about happens once', () => {
    const late = { arrivals: { pattern: 'at', timeSec: 0 }, budget: wallet(30_000_000) } as const;
    expect(notes([late], { interventions: [subsidy(9, { feeType: 'sigil' })] })).toEqual([]);
    expect(notes([{ spawning: { ...spawning, sponsor } }, { ...child, sponsored: true, budget: wallet(0) }])).toEqual(
      [],
    );
    expect(notes([{}], { faults: [{ kind: 'anchor_stall', name: 'a', atSec: 59, forSec: 9, catchUp: true }] })).toEqual(
      [],
    );
  });

  it('are the same in one thread and in several', () => {
    const scenario = smallScenario(
      [
        { count: 100, budget: wallet(40_000_000) },
        { name: 'others', count: 30 },
      ],
      {
        interventions: [subsidy(9, { feeType: 'sigil', affected: { populations: [1], share: 1 } })],
      },
    );
    const { no_effect: alone } = played(scenario).manifest;
    expect(alone?.map(({ key }) => key)).toEqual(['populations.0.budget.wallet', 'interventions.0']);
    expect(inParts(scenario, 3).result.manifest.no_effect).toEqual(alone);
  });
});
