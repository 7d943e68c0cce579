import { describe, expect, it } from 'vitest';
import { HOUR_SEC } from '../../spec/time.js';
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
