import { describe, expect, it } from 'vitest';
import type { AgentRow } from '../../results/simulation-result.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { withOverlay } from '../../spec/overlay.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';
import { inOne, inParts } from '../../test/fixtures/in-parts.js';
import { lastOf, onePopulation, played, samplesOf, smallScenario } from '../../test/fixtures/small-scenario.js';

describe('measures of agents that depart', () => {
  // Ten leave after five hours, and freeze an hour later; five stay, of which none is ever frozen.
  const result = played(
    smallScenario([
      { name: 'leavers', count: 10, lifetime: { distribution: 'fixed', meanSec: 5 * HOUR_SEC } },
      { name: 'stayers', count: 5 },
    ]),
  );
  const at = (hour: number, name: string, group?: string): number => samplesOf(result, name, group)[hour] as number;

  it('tell those who departed from those who are frozen', () => {
    expect(['registered', 'present', 'departed', 'frozen', 'frozen_present'].map((name) => at(12, name))).toEqual([
      ...[15, 5, 10, 10, 0],
    ]);
    expect(at(12, 'frozen_share')).toBeCloseTo(10 / 15);
    expect(at(12, 'frozen_share_of_present')).toBe(0);
  });

  it('count uptime until departure', () => {
    expect(lastOf(result, 'life_uptime_share')).toBe(1);
    expect(lastOf(result, 'uptime_share', 'leavers')).toBeLessThan(0.3);
    expect(lastOf(result, 'frozen_days')).toBe(0);
    expect(lastOf(result, 'frozen_share_of_present', 'leavers')).toBe(0);
  });
});

describe('measures of freezes', () => {
  // Half of the agents send one heartbeat alone.
  const result = played(
    smallScenario([
      { name: 'steady', count: 4 },
      { name: 'silent', count: 4, resync: false, heartbeat: { policy: 'interval', everySec: 86_400, jitter: 0 } },
    ]),
  );

  it('tell those who were never frozen, and the time frozen', () => {
    expect(lastOf(result, 'never_frozen')).toBe(4);
    expect(lastOf(result, 'never_frozen_share', 'silent')).toBe(0);
    const { totals } = result;
    expect(totals['never_frozen_share']).toBe(0.5);
    expect(totals['first_freeze_p50_ms']).toBeGreaterThan(3_600_000);
    expect(lastOf(result, 'frozen_days') + lastOf(result, 'live_days')).toBeCloseTo(8);
    expect(lastOf(result, 'frozen_days', 'steady')).toBe(0);
  });

  it('tell whose passport is valid: a freeze does not end it before its 24 hours', () => {
    const bought = played(
      smallScenario([{ heartbeat: { policy: 'interval', everySec: 40 * HOUR_SEC, jitter: 0 }, resync: false }], {
        durationSec: 50 * HOUR_SEC,
        measures: { everySec: HOUR_SEC, names: ['frozen', 'passports_valid', 'frozen_passports_valid'] },
      }),
    );
    const sum = (name: string): number => samplesOf(bought, name).reduce((total, value) => total + value, 0);
    // From the SIGIL at second 0, at the samples of 1 h to 23 h; frozen from the 61st anchor on.
    expect(samplesOf(bought, 'passports_valid').slice(0, 26)).toEqual([
      0,
      ...Array.from({ length: 23 }, () => 1),
      0,
      0,
    ]);
    expect(sum('frozen_passports_valid')).toBe(22);
    expect(sum('frozen')).toBe(49);
  });
});

describe('breakdowns', () => {
  it('tell refusals by code for each population and class', () => {
    const spam = { policy: 'spam', everySec: 120 } as const;
    const result = played(
      smallScenario([
        { name: 'spammers', count: 2, heartbeat: spam },
        { name: 'steady', count: 2 },
      ]),
    );
    const refused = result.manifest.operations.by_kind.find(({ kind }) => kind === 'heartbeat')?.refused;
    expect(result.refusals).toEqual([
      {
        population: 'spammers',
        class: 'narrow_task',
        operation: 'heartbeat',
        code: 'HEARTBEAT_TOO_SOON',
        count: refused?.['HEARTBEAT_TOO_SOON'],
      },
    ]);
  });

  it('tell what sponsors paid for whom', () => {
    const every = { distribution: 'fixed', meanSec: 600 } as const;
    const sponsor = { heartbeatsEpochMax: 50, expiresInHours: null, renew: true, answerSec: 60, generations: 1 };
    const result = played(
      smallScenario([
        {
          name: 'parents',
          spawning: { into: 'children', every, childrenMax: 2, depthMax: 1, beatsMax: 9_000, sponsor },
        },
        {
          name: 'children',
          count: 2,
          arrivals: { pattern: 'spawned' },
          budget: { ...onePopulation.budget, walletLamports: 0 },
          ...{ spawned: true, sponsored: true, sigil: 'never' },
        },
      ]),
    );
    const [paid, ...more] = result.sponsored_fees;
    expect(more).toEqual([]);
    expect(paid).toMatchObject({
      sponsor: { population: 'parents', class: 'narrow_task' },
      sponsored: { population: 'children', class: 'narrow_task' },
      heartbeats: lastOf(result, 'heartbeats', 'children'),
      lamports: lastOf(result, 'fees_by_sponsors_lamports', 'children'),
    });
    expect(paid?.lamports).toBe(500_000 * (paid?.heartbeats ?? 0));
    expect(lastOf(result, 'fees_for_others_lamports', 'parents')).toBe(paid?.lamports);
    expect(lastOf(result, 'fees_for_others_lamports', 'children')).toBe(0);
  });
});

describe('income', () => {
  // A lamport a second; a heartbeat every 50 minutes; the switch freezes a day later than the last of them.
  const earner = {
    heartbeat: { policy: 'interval', everySec: 3_000, jitter: 0 },
    economics: { liveDayLamports: 86_400, heartbeatLamports: 0, gigahashLamports: 0 },
  } as const;
  const protocol = withOverlay({ dms: { missedAnchorsMax: 1_500 } });
  const earned = (part: Partial<Population>, rest: Partial<Scenario> = {}) => {
    const scenario = smallScenario([{ ...earner, ...part }], { durationSec: 2 * DAY_SEC, protocol, ...rest });
    const { result, agents } = inOne(scenario);
    return { lamports: lastOf(result, 'income_lamports'), rows: agents as readonly AgentRow[], result };
  };

  it('ends with the departure, not with the freeze that follows', () => {
    const lifetime = { distribution: 'fixed', meanSec: HOUR_SEC } as const;
    const { lamports, result } = earned({ lifetime });
    expect([lamports, lastOf(result, 'freezes')]).toEqual([3_600, 1]);
    expect(earned({ lifetime, count: 7 }).lamports).toBe(7 * 3_600);
    // By the switch of the specification too, and where an agent that departs is frozen already.
    expect(earned({ lifetime }, { protocol: withOverlay({}) }).lamports).toBe(3_600);
    const silent = { heartbeat: { policy: 'interval', everySec: 3 * DAY_SEC, jitter: 0 }, resync: false } as const;
    const late = { distribution: 'fixed', meanSec: DAY_SEC } as const;
    expect(earned({ ...silent, lifetime: late }, { protocol: withOverlay({}) }).lamports).toBe(61 * 60);
  });

  it('ends with the call by which an agent learns that its key is revoked', () => {
    const interventions = [
      { kind: 'revoke_keys', name: 'k', atSec: HOUR_SEC, affected: { populations: [0], share: 1 } },
    ] as const;
    const { lamports, rows } = earned({ count: 5 }, { interventions });
    const until = rows.map(({ departed_ms: ms }) => (ms as number) / 1_000);
    expect(until.every((sec) => sec >= HOUR_SEC && sec < HOUR_SEC + 3_000)).toBe(true);
    expect(lamports).toBe(until.reduce((sum, sec) => sum + sec, 0));
  });

  it('is that of live days where nobody departs, and is the same in parts', () => {
    const { lamports, result } = earned({ count: 3 });
    expect([lamports, lastOf(result, 'live_days')]).toEqual([3 * 2 * 86_400, 6]);
    const some = smallScenario([
      { ...earner, count: 130, lifetime: { distribution: 'exponential', meanSec: HOUR_SEC } },
    ]);
    expect(lastOf(inParts(some, 3).result, 'income_lamports')).toBe(lastOf(inOne(some).result, 'income_lamports'));
  });
});

describe('an agent that has departed', () => {
  it('is none of those that cannot pay, and its wallet gets no more money', () => {
    const budget = {
      walletLamports: 50_500_000,
      topUp: { belowLamports: 0, amountLamports: 500_000, afterSec: 9 * HOUR_SEC, timesMax: null },
    };
    const dry = samplesOf(
      played(smallScenario([{ budget, lifetime: { distribution: 'fixed', meanSec: 5_400 } }])),
      'dry',
    );
    expect(dry.slice(0, 4)).toEqual([0, 1, 0, 0]);
    // A parent that leaves pays for its child from what it has: 10 heartbeats.
    const sponsor = { heartbeatsEpochMax: 99, expiresInHours: null, renew: true, answerSec: 60, generations: 1 };
    const every = { distribution: 'fixed', meanSec: 600 } as const;
    const result = played(
      smallScenario(
        [
          {
            ...{ name: 'parent', heartbeat: { policy: 'interval', everySec: 80_000, jitter: 0 } },
            budget: {
              walletLamports: 55_000_000,
              topUp: { belowLamports: 0, amountLamports: 9e6, afterSec: 0, timesMax: null },
            },
            spawning: { into: 'child', every, childrenMax: 1, depthMax: 9, beatsMax: 9_000, sponsor },
            lifetime: { distribution: 'fixed', meanSec: HOUR_SEC },
          },
          {
            ...{ name: 'child', spawned: true, sponsored: true, sigil: 'never', arrivals: { pattern: 'spawned' } },
            ...{
              budget: { walletLamports: 0, topUp: null },
              heartbeat: { policy: 'interval', everySec: 900, jitter: 0 },
            },
          },
        ],
        { protocol: withOverlay({ dms: { missedAnchorsMax: 2_000, warningAnchors: 48 } }) },
      ),
    );
    expect([lastOf(result, 'heartbeats', 'child'), lastOf(result, 'top_ups_lamports')]).toEqual([10, 0]);
  });
});
