import { describe, expect, it } from 'vitest';
import type { Intervention } from '../../scenarios/disturbance.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { withOverlay } from '../../spec/overlay.js';
import { HOUR_SEC } from '../../spec/time.js';
import { smallScenario } from '../../test/fixtures/small-scenario.js';
import { advance, type Run, startRun } from '../run/run.js';

function end(parts: readonly Partial<Population>[], rest: Partial<Scenario> = {}): Run {
  const scenario = smallScenario(parts, { durationSec: 12 * HOUR_SEC, ...rest });
  const run = startRun(scenario, 1);
  advance(run, scenario.durationSec);
  return run;
}

/** Money for a SIGIL and three heartbeats, less one lamport. */
const poor: Partial<Population> = { budget: { walletLamports: 51_499_999, topUp: null } };
const change = (set: Extract<Intervention, { kind: 'protocol' }>['set']): Intervention => {
  return { kind: 'protocol', name: 'cut', atSec: 4 * HOUR_SEC, set };
};
const subsidy = (feeType: 'heartbeat' | 'sigil', discountBps: number): Intervention => ({
  kind: 'subsidy',
  name: 'help',
  atSec: 4 * HOUR_SEC,
  affected: { populations: [0], share: 1 },
  feeType,
  discountBps,
  floorLamports: null,
  forSec: null,
});

describe('an agent without money for its next call', () => {
  it('stays away while nothing changes', () => {
    const { world } = end([poor]);
    expect([world.cells.heartbeats[0], world.cells.dry[0], world.cells.resyncs[0]]).toEqual([2, 1, 0]);
  });

  it.each([
    ['a fee cut', change({ heartbeat: { tier1FeeLamports: 40_000 } })],
    ['a subsidy', subsidy('heartbeat', 9_200)],
  ])('comes back with %s that lets it pay, resyncs and goes on', (_name, intervention) => {
    const { world } = end([poor], { interventions: [intervention] });
    // 499,999 lamports pay 12 heartbeats of 40,000.
    expect([world.cells.heartbeats[0], world.cells.dry[0], world.cells.resyncs[0]]).toEqual([2 + 12, 1, 1]);
  });

  it.each([
    ['a fee cut', change({ heartbeat: { tier1FeeLamports: 500_000 } })],
    ['a subsidy of another fee', subsidy('sigil', 9_999)],
  ])('does not come back with %s that does not', (_name, intervention) => {
    const { world } = end([poor], { interventions: [intervention] });
    expect([world.cells.heartbeats[0], world.cells.resyncs[0]]).toEqual([2, 0]);
  });

  it('buys its SIGIL once a subsidy lets it', () => {
    const bought = (discountBps: number): number => {
      const broke = { budget: { walletLamports: 30_000_000, topUp: null } };
      return end([broke], { interventions: [subsidy('sigil', discountBps)] }).world.feesPaid[0]!;
    };
    expect(bought(5_000)).toBe(1);
    expect(bought(1_000)).toBe(0);
  });

  it('comes back with an epoch whose first heartbeats cost less', () => {
    const protocol = withOverlay({
      heartbeat: {
        ...{ epochBeats: 300, tier1HeartbeatsMax: 1, tier2HeartbeatsMax: 2 },
        ...{ tier1FeeLamports: 100_000, tier2FeeLamports: 900_000, tier3FeeLamports: 900_000 },
      },
    });
    const { world } = end([{ budget: { walletLamports: 50_350_000, topUp: null } }], { protocol });
    // One heartbeat in each of the three epochs of five hours.
    expect(world.cells.heartbeats[0]).toBe(3);
  });

  it('comes back as a sponsored child when its parent can pay the lower fee', () => {
    const every = { distribution: 'fixed', meanSec: 600 } as const;
    const sponsor = { heartbeatsEpochMax: 100, expiresInHours: null, renew: true, answerSec: 60, generations: 1 };
    const beatsOfChild = (interventions: readonly Intervention[]): number => {
      const { world } = end(
        [
          {
            name: 'parent',
            heartbeat: { policy: 'keep_alive', marginSec: 600, spreadSec: 0 },
            budget: { walletLamports: 52_600_000, topUp: null },
            spawning: { into: 'child', every, childrenMax: 1, depthMax: 9, beatsMax: 1_000, sponsor },
          },
          {
            name: 'child',
            arrivals: { pattern: 'spawned' },
            heartbeat: { policy: 'interval', everySec: 900, jitter: 0 },
            budget: { walletLamports: 0, topUp: null },
            spawned: true,
            sponsored: true,
            sigil: 'never',
          },
        ],
        { interventions },
      );
      return world.cells.heartbeats[3]!;
    };
    const alone = beatsOfChild([]);
    expect(alone).toBeLessThan(6);
    expect(beatsOfChild([change({ heartbeat: { tier1FeeLamports: 1_000 } })])).toBeGreaterThan(alone + 20);
  });
});
