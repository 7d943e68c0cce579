import { describe, expect, it } from 'vitest';
import type { Population } from '../../scenarios/scenario.js';
import { withOverlay } from '../../spec/overlay.js';
import { DAY_SEC } from '../../spec/time.js';
import { lastOf, played, samplesOf, smallScenario } from '../../test/fixtures/small-scenario.js';
import { play } from '../play/kernel.js';
import { createWorld, type World } from '../world/world.js';

/** When a silent agent that registered at second 0 is frozen: at anchor 61, with which it has missed more than 60. */
const FREEZE_SEC = 61 * 60;
const SIGIL = 50_000_000;
const SILENT: Partial<Population> = { heartbeat: { policy: 'interval', everySec: 3_000 * DAY_SEC, jitter: 0 } };
const KEEP_ALIVE: Partial<Population> = { heartbeat: { policy: 'keep_alive', marginSec: 60, spreadSec: 0 } };

function worldOf(part: Partial<Population>, untilSec: number): World {
  const world = createWorld(smallScenario([part]), 1);
  play(world, untilSec);
  return world;
}

function refusals(result: ReturnType<typeof played>, kind: string): Readonly<Record<string, number>> | undefined {
  return result.manifest.operations.by_kind.find((count) => count.kind === kind)?.refused;
}

describe('the dead man switch', () => {
  it('freezes with the 61st missed anchor, and not a second before', () => {
    expect(worldOf(SILENT, FREEZE_SEC).agents.frozen(0)).toBe(false);
    expect(worldOf(SILENT, FREEZE_SEC + 1).agents.frozen(0)).toBe(true);
  });

  it('an agent that sends a heartbeat a minute before every deadline is never frozen', () => {
    const result = played(smallScenario([KEEP_ALIVE]));
    // 60 min after each sign of life: at 3600 s, 7200 s and so on up to 82,800 s.
    expect(lastOf(result, 'heartbeats')).toBe(23);
    expect(lastOf(result, 'freezes')).toBe(0);
    expect(lastOf(result, 'uptime_share')).toBe(1);
  });

  it('a heartbeat in the very second of the 61st anchor comes too late', () => {
    const result = played(smallScenario([{ heartbeat: { policy: 'keep_alive', marginSec: 0, spreadSec: 0 } }]));
    expect(lastOf(result, 'heartbeats')).toBe(0);
    expect(lastOf(result, 'freezes')).toBeGreaterThan(20);
    expect(refusals(result, 'heartbeat')).toEqual({ AGENT_FROZEN: lastOf(result, 'freezes') });
  });

  it('a warning shows when more than 48 anchors were missed', () => {
    const scenario = smallScenario([SILENT], {
      durationSec: 3_720,
      measures: { everySec: 60, names: ['warning', 'active', 'frozen'] },
    });
    const result = played(scenario);
    // A sample is taken before the anchor of its second: anchor 49 shows at minute 50.
    expect(samplesOf(result, 'warning').indexOf(1)).toBe(50);
    expect(samplesOf(result, 'frozen').indexOf(1)).toBe(62);
    expect(samplesOf(result, 'active').lastIndexOf(1)).toBe(49);
  });
});

describe('resync', () => {
  // An agent that works for an hour and is down for two, in turn.
  const outages: Population['outages'] = {
    up: { distribution: 'fixed', meanSec: 3_600 },
    down: { distribution: 'fixed', meanSec: 7_200 },
  };
  const part: Partial<Population> = { outages, heartbeat: { policy: 'interval', everySec: 1_200, jitter: 0 } };

  it('brings a frozen agent back after the work that its hash rate needs', () => {
    // 100 beats a second; the gap is over 100 anchors, so 10,000 beats: 100 s after the return at 10,800 s.
    const world = worldOf({ ...part, hashesPerSec: 10_100 }, 10_900);
    expect([world.agents.frozen(0), world.agents.workBeats[0]]).toEqual([true, 10_000]);
    play(world, 10_901);
    expect(world.agents.frozen(0)).toBe(false);
    expect(world.agents.syncAnchor(0)).toBe(181);
    expect(world.cells.resyncs[0]).toBe(1);
  });

  it('goes on after the next outage when there was no time to finish', () => {
    // 10,000 beats take 4,000 s: an hour up to second 14,400, and the rest from second 21,600.
    const world = worldOf({ ...part, hashesPerSec: 252.5 }, 21_600 + 400);
    expect(world.agents.frozen(0)).toBe(true);
    play(world, 21_600 + 401);
    expect(world.agents.frozen(0)).toBe(false);
  });

  it('does not happen where the population does not resync', () => {
    const result = played(smallScenario([{ ...part, resync: false }]));
    expect([lastOf(result, 'freezes'), lastOf(result, 'resyncs'), lastOf(result, 'frozen')]).toEqual([1, 0, 1]);
    expect(refusals(result, 'heartbeat')).toEqual({ AGENT_FROZEN: 1 });
  });

  it('is refused when an outage made the gap larger than what was computed, and tried again', () => {
    // Computes from the freeze at 3660 s on, but is down for 20 min from 3690 s on: its receipt has too few beats.
    const late: Population['outages'] = {
      up: { distribution: 'fixed', meanSec: FREEZE_SEC + 30 },
      down: { distribution: 'fixed', meanSec: 1_200 },
    };
    const result = played(
      smallScenario(
        [
          {
            ...part,
            outages: late,
            hashesPerSec: 10_100,
            heartbeat: { policy: 'keep_alive', marginSec: 0, spreadSec: 0 },
          },
        ],
        {
          durationSec: 7_200,
        },
      ),
    );
    expect(refusals(result, 'resync')).toEqual({ INVALID_RECEIPT: 1 });
    expect(lastOf(result, 'resyncs')).toBe(1);
  });
});

describe('money', () => {
  it('an agent whose wallet holds a SIGIL and three heartbeats sends three', () => {
    const budget = { walletLamports: SIGIL + 3 * 500_000, topUp: null };
    const result = played(smallScenario([{ ...KEEP_ALIVE, budget }]));
    expect(lastOf(result, 'heartbeats')).toBe(3);
    expect([lastOf(result, 'heartbeats_skipped'), lastOf(result, 'dry'), lastOf(result, 'frozen')]).toEqual([1, 1, 1]);
    expect([lastOf(result, 'fees_lamports'), lastOf(result, 'wallet_lamports')]).toEqual([51_500_000, 0]);
    expect(refusals(result, 'heartbeat')).toEqual({});
  });

  it('one that cannot pay its SIGIL stops for good', () => {
    const result = played(smallScenario([{ ...KEEP_ALIVE, budget: { walletLamports: SIGIL - 1, topUp: null } }]));
    expect(result.manifest.operations.by_kind.map(({ kind }) => kind)).toEqual(['register', 'init']);
    expect([lastOf(result, 'fees_lamports'), lastOf(result, 'dry'), lastOf(result, 'frozen')]).toEqual([0, 1, 1]);
  });

  it('a top-up comes after its time, as often as it may', () => {
    const topUp = { belowLamports: 0, amountLamports: 500_000, afterSec: 1_800, timesMax: 2 };
    const result = played(smallScenario([{ ...KEEP_ALIVE, budget: { walletLamports: SIGIL, topUp } }]));
    // The wallet is empty at 3600 s, and the money comes at 5400 s, after the freeze at 3660 s: the agent resyncs first.
    expect(lastOf(result, 'top_ups_lamports')).toBe(1_000_000);
    expect(lastOf(result, 'heartbeats')).toBe(2);
    expect(lastOf(result, 'heartbeats_skipped')).toBe(3);
    expect(lastOf(result, 'freezes')).toBeGreaterThanOrEqual(2);
    expect(lastOf(result, 'wallet_lamports')).toBe(0);
  });

  it('a top-up that comes at once is spent in the same second', () => {
    const topUp = { belowLamports: 0, amountLamports: 500_000, afterSec: 0, timesMax: null };
    const result = played(smallScenario([{ ...KEEP_ALIVE, budget: { walletLamports: SIGIL, topUp } }]));
    expect([lastOf(result, 'heartbeats'), lastOf(result, 'heartbeats_skipped')]).toEqual([23, 0]);
  });

  it('the tiers of an epoch are paid in turn', () => {
    const protocol = withOverlay({ heartbeat: { tier1HeartbeatsMax: 2, tier2HeartbeatsMax: 5 } });
    const result = played(smallScenario([KEEP_ALIVE], { protocol }));
    expect(lastOf(result, 'fees_lamports')).toBe(SIGIL + 2 * 500_000 + 3 * 300_000 + 18 * 200_000);
    expect(refusals(result, 'heartbeat')).toEqual({});
  });
});

describe('refusals that an agent learns from', () => {
  it('too soon: it comes back at the beat that the reply names', () => {
    const world = worldOf({ heartbeat: { policy: 'interval', everySec: 240, jitter: 0 } }, 3_600);
    const accepted = world.cells.heartbeats[0]!;
    const refused = world.cells.heartbeatsRefused[0]!;
    // The first heartbeat is in the first 240 s, and 10 anchors lie between two heartbeats, with one refusal in between.
    expect(accepted).toBe(6);
    expect(refused).toBe(6);
  });

  it('over the cap: it waits for the next epoch, is frozen meanwhile, and resyncs', () => {
    const protocol = withOverlay({ heartbeat: { narrowTaskCap: 4, epochBeats: 200 } });
    const part: Partial<Population> = { heartbeat: { policy: 'interval', everySec: 600, jitter: 0 } };
    // Seven epochs of 200 minutes.
    const result = played(smallScenario([part], { protocol, durationSec: 84_000 }));
    expect(lastOf(result, 'heartbeats')).toBe(28);
    expect(refusals(result, 'heartbeat')).toEqual({ VOLUME_CAP_REACHED: 7, AGENT_FROZEN: 6 });
    expect([lastOf(result, 'freezes'), lastOf(result, 'resyncs')]).toEqual([7, 6]);
  });
});

describe('arrivals', () => {
  it('come at a moment, spread over a span, or one after the other', () => {
    const scenario = smallScenario(
      [
        { name: 'moment', count: 5, arrivals: { pattern: 'at', timeSec: 7_200 } },
        { name: 'span', count: 1_000, arrivals: { pattern: 'uniform', fromSec: 3_600, overSec: 36_000 } },
        { name: 'stream', count: 400, arrivals: { pattern: 'poisson', fromSec: 0, gapSec: 432 } },
        { name: 'late', count: 3, arrivals: { pattern: 'at', timeSec: DAY_SEC } },
      ],
      { measures: { everySec: 3_600, names: ['registered'] } },
    );
    const result = played(scenario);
    expect(samplesOf(result, 'registered', 'moment').indexOf(5)).toBe(3);
    const span = samplesOf(result, 'registered', 'span');
    expect([span[1], span[11]]).toEqual([0, 1_000]);
    // Binomial(1000, 1/2): four deviations.
    expect(Math.abs(span[6]! - 500)).toBeLessThan(64);
    // Poisson(200) by the end of the day: four deviations.
    expect(Math.abs(lastOf(result, 'registered', 'stream') - 200)).toBeLessThan(57);
    expect(lastOf(result, 'registered', 'late')).toBe(0);
    expect(result.manifest.agents).toBe(lastOf(result, 'registered'));
  });
});
