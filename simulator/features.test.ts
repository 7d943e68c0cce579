import { describe, expect, it } from 'vitest';
import type { Population, Scenario } from '../scenarios/scenario.js';
import { HOUR_SEC } from '../spec/time.js';
import { smallScenario } from '../test/fixtures/small-scenario.js';
import { advance, type Run, startRun } from './run/run.js';
import { HEARTBEAT, outcomeOf, outcomesOf, SPONSOR } from './world/operations.js';
import { GENESIS_MS } from './world/world.js';

const everybody = { populations: [0], share: 1 };

function end(parts: readonly Partial<Population>[], rest: Partial<Scenario> = {}): Run {
  const scenario = smallScenario(parts, { durationSec: 6 * HOUR_SEC, ...rest });
  const run = startRun(scenario, 1);
  advance(run, scenario.durationSec);
  return run;
}

const refusals = ({ world }: Run, code: string): number => outcomesOf(world.counts, HEARTBEAT, outcomeOf(code));

describe('a scenario that uses no feature', () => {
  it('has none of their state', () => expect(end([{}]).world.features).toBeNull());
});

describe('a key that was revoked', () => {
  const run = end([{ count: 10 }], {
    interventions: [{ kind: 'revoke_keys', name: 'revocation', atSec: HOUR_SEC + 1, affected: everybody }],
  });

  it('is learned of from one refusal, and the agent stops for good', () => {
    expect(refusals(run, 'AUTH_MISSING')).toBe(10);
    expect(run.world.cells.left[0]).toBe(10);
    expect(run.world.cells.freezes[0]).toBe(10);
    expect(run.world.cells.heartbeats[0]).toBe(20);
  });
});

describe('a stall of the anchors', () => {
  const stalled = (catchUp: boolean): Run =>
    end([{ count: 5 }], {
      faults: [{ kind: 'anchor_stall', name: 'stall', atSec: HOUR_SEC + 1, forSec: 2 * HOUR_SEC, catchUp }],
    });

  it('leaves out the anchors of its time', () => {
    // Anchors 0 to 60 come by the first hour, the first after the stall at 3 h + 60 s.
    expect(stalled(false).world.registry.anchorIndex).toBe(359 - 120);
    expect(stalled(false).world.cells.freezes[0]).toBe(0);
  });

  it('or holds them back, and freezes all agents when it ends', () => {
    expect(stalled(true).world.registry.anchorIndex).toBe(359);
    expect(stalled(true).world.cells.freezes[0]).toBe(5);
    expect(stalled(true).world.cells.resyncs[0]).toBe(5);
  });
});

describe('a fault within a longer one of its kind', () => {
  const stall = (atSec: number, forSec: number, catchUp = false) =>
    ({ kind: 'anchor_stall', name: 'stall', atSec, forSec, catchUp }) as const;
  const stalled = (...faults: readonly ReturnType<typeof stall>[]): Run => end([{ count: 5 }], { faults });

  it('of the anchors does not end it', () => {
    const longer = stall(HOUR_SEC + 1, 3 * HOUR_SEC);
    const anchors = stalled(longer).world.registry.anchorIndex;
    expect(anchors).toBe(359 - 180);
    expect(stalled(longer, stall(2 * HOUR_SEC, HOUR_SEC)).world.registry.anchorIndex).toBe(anchors);
    expect(stalled(stall(2 * HOUR_SEC, HOUR_SEC, true), longer).world.registry.anchorIndex).toBe(anchors);
    expect(stalled(longer, stall(3 * HOUR_SEC, 2 * HOUR_SEC)).world.registry.anchorIndex).toBe(359 - 240);
    expect(stalled(longer, stall(3 * HOUR_SEC, 2 * HOUR_SEC, true)).world.registry.anchorIndex).toBe(359);
  });

  it('of payments does not end it', () => {
    const drop = (atSec: number, forSec: number, dropped: number) => {
      const delay = { distribution: 'fixed', meanSec: 1 } as const;
      return {
        kind: 'payments',
        name: `from-${atSec}`,
        atSec,
        forSec,
        rates: { late: 0, delay, dropped, retrySec: 60 },
      } as const;
    };
    const { world } = end([{}], { faults: [drop(1, 4 * HOUR_SEC, 1), drop(HOUR_SEC, HOUR_SEC, 0)] });
    // A heartbeat each half hour gets through in the hour of the fault that drops none, and after the resync at four hours.
    expect(world.cells.heartbeats[0]).toBe(2 + 3);
    expect(world.cells.freezes[0]).toBe(1);
  });
});

describe('a ledger in rates', () => {
  const bought = (late: number, dropped: number): Run => {
    const delay = { distribution: 'fixed', meanSec: 600 } as const;
    const rates = { late, delay, dropped, retrySec: 60 };
    return end([{ count: 4, arrivals: { pattern: 'at', timeSec: 5 } }], {
      faults: [{ kind: 'payments', name: 'ledger', atSec: 1, forSec: 1_000, rates }],
    });
  };
  const sigilAt = (run: Run): number[] => {
    const { agents } = run.world.registry;
    return [0, 1, 2, 3].map((row) => agents.columns.sigilAtBeat[row]!);
  };

  it('delays and drops the payments of SIGILs too', () => {
    expect(sigilAt(bought(0, 0))).toEqual([0, 0, 0, 0]);
    // At 605 s, ten anchors later; dropped again and again until the rates is over, at 1,025 s.
    expect(sigilAt(bought(1, 0))).toEqual([10, 10, 10, 10]);
    expect(sigilAt(bought(0, 1))).toEqual([17, 17, 17, 17]);
    expect(bought(0, 1).world.cells.paymentsTroubled[0]).toBe(4 * 17);
    expect(bought(1, 0).world.feesPaid[0]).toBe(4);
  });
});

describe('the work for a child', () => {
  const bornAtSec = (outages: Population['outages']): number => {
    // 1,000 beats of 101 hashes at 101 hashes a second: 1,000 s, from 600 s on.
    const { world } = end([
      {
        name: 'parent',
        hashesPerSec: 101,
        outages,
        spawning: {
          into: 'child',
          every: { distribution: 'fixed', meanSec: 600 },
          childrenMax: 1,
          depthMax: 9,
          beatsMax: 1_000,
          sponsor: null,
        },
      },
      { name: 'child', arrivals: { pattern: 'spawned' }, spawned: true },
    ]);
    return (world.registry.agents.columns.registeredAtMs[1]! - GENESIS_MS) / 1_000;
  };
  const gone = (upSec: number, downSec: number) =>
    ({ up: { distribution: 'fixed', meanSec: upSec }, down: { distribution: 'fixed', meanSec: downSec } }) as const;

  it('waits for the end of an outage of its own', () => {
    expect(bornAtSec(null)).toBe(1_600);
    expect(bornAtSec(gone(900, 700))).toBe(900 + 700 + 700);
    expect(bornAtSec(gone(900, 100))).toBe(600 + 300 + 100 + 700);
    // It returns at 600 s, and works for 450 s, 450 s and 100 s.
    expect(bornAtSec(gone(450, 150))).toBe(600 + 450 + 150 + 450 + 150 + 100);
  });
});

describe('a sponsored child', () => {
  const family = (cap: number, renew: boolean): Run =>
    end([
      {
        name: 'parent',
        heartbeat: { policy: 'keep_alive', marginSec: 300, spreadSec: 0 },
        spawning: {
          into: 'child',
          every: { distribution: 'fixed', meanSec: 600 },
          childrenMax: 1,
          depthMax: 9,
          beatsMax: 1_000,
          sponsor: { heartbeatsEpochMax: cap, expiresInHours: 2, renew, answerSec: 60, generations: 1 },
        },
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
    ]);

  it('sends heartbeats that its parent pays', () => {
    const { world } = family(100, true);
    const [parent, child] = [0, 3];
    expect(world.cells.spawns[parent]).toBe(1);
    expect(world.cells.heartbeatsSponsored[child]).toBe(world.cells.heartbeats[child]);
    expect(world.cells.heartbeats[child]).toBeGreaterThan(15);
    expect(world.cells.feesLamports[child]).toBe(0);
    const beats = world.cells.heartbeats[parent]! + world.cells.heartbeats[child]!;
    expect(world.cells.feesLamports[parent]).toBe(50_000_000 + 500_000 * beats);
    // Every two hours the promise ends and is made again.
    expect(outcomesOf(world.counts, SPONSOR, 0)).toBe(3);
  });

  it('stops at the cap, and where nobody renews', () => {
    const capped = family(4, true);
    expect(capped.world.cells.heartbeats[3]).toBe(4);
    expect(refusals(capped, 'SPONSOR_CAP_REACHED')).toBe(1);
    const once = family(100, false);
    expect(refusals(once, 'WALLET_REQUIRED')).toBe(1);
    expect(outcomesOf(once.world.counts, SPONSOR, 0)).toBe(1);
  });
});

describe('a subsidy', () => {
  it('lowers the fee by its discount, down to its floor, and for its time', () => {
    const granted = (discountBps: number, floorLamports: number | null, forSec: number | null): number => {
      const affected = { populations: [0], share: 1 };
      const subsidy = {
        kind: 'subsidy',
        name: 'discount',
        atSec: 1,
        affected,
        feeType: 'heartbeat',
        discountBps,
        floorLamports,
        forSec,
      } as const;
      return end([{}], { interventions: [subsidy] }).world.cells.subsidiesLamports[0]!;
    };
    const { heartbeats } = end([{}]).world.cells;
    expect(granted(4_000, null, null)).toBe(200_000 * heartbeats[0]!);
    expect(granted(10_000, null, null)).toBe(495_000 * heartbeats[0]!);
    expect(granted(4_000, 400_000, null)).toBe(100_000 * heartbeats[0]!);
    expect(granted(4_000, null, HOUR_SEC)).toBe(200_000 * 2);
  });
});

describe('a reissued passport', () => {
  const every = { distribution: 'fixed', meanSec: HOUR_SEC } as const;
  const subsidy = (feeType: 'reissuance' | 'sigil', discountBps: number): Partial<Scenario> => ({
    interventions: [
      {
        ...{ kind: 'subsidy', name: 'help', atSec: 1, affected: everybody, feeType, discountBps },
        ...{ floorLamports: null, forSec: null },
      },
    ],
  });

  it('costs its fee once an hour, and is no heartbeat', () => {
    const { world } = end([{ reissue: { every, free: false } }]);
    expect(world.cells.reissues[0]).toBe(5);
    expect([world.feesPaid[2], world.feesLamports[2]]).toEqual([5, 5 * 200_000]);
    expect(world.cells.heartbeats[0]).toBe(end([{}]).world.cells.heartbeats[0]);
  });

  it('costs less under a subsidy, which is counted', () => {
    const { world } = end([{ reissue: { every, free: false } }], subsidy('reissuance', 2_500));
    expect(world.feesLamports[2]).toBe(5 * 150_000);
    expect(world.cells.subsidiesLamports[0]).toBe(5 * 50_000);
  });

  it('keeps the passport of a frozen agent valid for as long as it is paid for', () => {
    const silent = { heartbeat: { policy: 'interval', everySec: 90 * HOUR_SEC, jitter: 0 }, resync: false } as const;
    const { world } = end([{ ...silent, reissue: { every, free: false } }], { durationSec: 40 * HOUR_SEC + 2 });
    expect(world.agents.frozen(0)).toBe(true);
    expect(world.second - world.agents.passportSec(0)).toBeLessThan(HOUR_SEC + 3);
  });

  it('costs nothing where it is read in place of a reissue, also while frozen', () => {
    const silent = { heartbeat: { policy: 'interval', everySec: 90 * HOUR_SEC, jitter: 0 }, resync: false } as const;
    const { world } = end([{ ...silent, reissue: { every, free: true } }], { durationSec: 40 * HOUR_SEC + 2 });
    expect([world.agents.frozen(0), world.feesPaid[2], world.cells.reissues[0]]).toEqual([true, 0, 0]);
    expect(world.second - world.agents.passportSec(0)).toBeLessThan(HOUR_SEC + 3);
  });

  it('is not bought without money, nor by a root without a SIGIL', () => {
    const poor = { budget: { walletLamports: 50_300_000, topUp: null }, reissue: { every, free: false } };
    expect(end([{ ...poor, heartbeat: { policy: 'spam', everySec: 9 * HOUR_SEC } }]).world.cells.reissues[0]).toBe(1);
    const unnamed = { budget: { walletLamports: 40_000_000, topUp: null }, reissue: { every, free: false } };
    expect(end([unnamed]).world.cells.reissues[0]).toBe(0);
  });
});

describe('a subsidy of the SIGIL', () => {
  it('is counted among the fees remitted', () => {
    const late = {
      arrivals: { pattern: 'at', timeSec: 0 },
      budget: { walletLamports: 40_000_000, topUp: null },
    } as const;
    const affected = { populations: [0], share: 1 };
    const help = {
      kind: 'subsidy',
      name: 'help',
      atSec: HOUR_SEC,
      affected,
      feeType: 'sigil',
      discountBps: 5_000,
    } as const;
    const { world } = end([late], { interventions: [{ ...help, floorLamports: null, forSec: null }] });
    expect([world.feesLamports[0], world.cells.subsidiesLamports[0]]).toEqual([25_000_000, 25_000_000]);
  });
});

describe('sponsors of several generations', () => {
  const every = { distribution: 'fixed', meanSec: 600 } as const;
  const bare = { arrivals: { pattern: 'spawned' }, budget: { walletLamports: 0, topUp: null } } as const;
  const heir = { ...bare, spawned: true, sponsored: true, sigil: 'never' } as const;
  const into = (name: string) => ({ into: name, every, childrenMax: 1, depthMax: 9, beatsMax: 9_000 });
  const dynasty = (generations: number, cap = 100): Run => {
    const sponsor = { heartbeatsEpochMax: cap, expiresInHours: null, renew: true, answerSec: 60, generations };
    return end([
      { name: 'root', spawning: { ...into('child'), sponsor } },
      { ...heir, name: 'child', spawning: { ...into('grandchild'), sponsor: null } },
      { ...heir, name: 'grandchild', heartbeat: { policy: 'interval', everySec: 900, jitter: 0 } },
    ]);
  };

  it('pay for grandchildren where they are covered', () => {
    const { world } = dynasty(2);
    const [root, grandchild] = [0, 6];
    expect(world.cells.heartbeatsSponsored[grandchild]).toBeGreaterThan(15);
    expect(world.cells.feesBySponsorsLamports[grandchild]).toBe(500_000 * world.cells.heartbeats[grandchild]!);
    const [child] = [3];
    const paid = world.cells.feesBySponsorsLamports[child]! + world.cells.feesBySponsorsLamports[grandchild]!;
    expect(world.cells.feesForOthersLamports[root]).toBe(paid);
    expect(outcomesOf(world.counts, SPONSOR, 0)).toBe(2);
  });

  it('leave grandchildren to their parents where they are not', () => {
    const { world } = dynasty(1);
    expect(world.cells.heartbeats[6]).toBe(0);
    // The parent has no money, so the grandchild sends none.
    expect(world.cells.heartbeatsSkipped[6]).toBe(1);
  });

  it('stand in for each other when the nearer one has reached its cap', () => {
    const sponsorOf = (cap: number, generations: number) => ({
      ...{ heartbeatsEpochMax: cap, expiresInHours: null, renew: true, answerSec: 60, generations },
    });
    const { world } = end([
      { name: 'root', spawning: { ...into('child'), sponsor: sponsorOf(50, 2) } },
      {
        ...{ name: 'child', arrivals: bare.arrivals, spawned: true, sigil: 'never' },
        spawning: { ...into('grandchild'), sponsor: sponsorOf(4, 1) },
      },
      { ...heir, name: 'grandchild', heartbeat: { policy: 'interval', everySec: 900, jitter: 0 } },
    ]);
    expect(world.cells.feesForOthersLamports[3]).toBe(4 * 500_000);
    expect(world.cells.feesForOthersLamports[0]).toBeGreaterThan(10 * 500_000);
    expect(refusals({ world } as Run, 'SPONSOR_CAP_REACHED')).toBeGreaterThan(0);
  });
});
