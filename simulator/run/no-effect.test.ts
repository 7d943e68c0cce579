import { describe, expect, it } from 'vitest';
import type { Intervention } from '../../scenarios/disturbance.js';
import { parseExpectation } from '../../scenarios/expectation.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';
import { inParts } from '../../test/fixtures/in-parts.js';
import { played, smallScenario } from '../../test/fixtures/small-scenario.js';

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
const sponsor = { heartbeatsEpochMax: 50, expiresInHours: null, renew: true, answerSec: 60, generations: 1 };
const spawning = { into: 'children', every: fixed(600), childrenMax: 1, depthMax: 1, beatsMax: 9_000, sponsor: null };
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

const notes = (parts: readonly Partial<Population>[], rest: Partial<Scenario> = {}): string[] =>
  (played(smallScenario(parts, rest)).manifest.no_effect ?? []).map(({ key, text }) => `${key}: ${text}`);

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
    ['interventions.0: no agent was granted less', [{}], { interventions: [subsidy(0, { feeType: 'heartbeat' })] }],
    [
      'interventions.0: no agent was granted less',
      [{}],
      { interventions: [subsidy(9, { feeType: 'heartbeat', floorLamports: 1e9 })] },
    ],
    [
      'interventions.0: no agent was granted less than it would have had to pay for its next sigil: a root buys',
      [{}],
      { interventions: [subsidy(9, { feeType: 'sigil' })] },
    ],
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
