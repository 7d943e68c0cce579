import { describe, expect, it } from 'vitest';
import type { AgentLine } from '../../reference/registry/columns/agent-line.js';
import { append } from '../../reference/registry/columns/chunk-lists.js';
import type { Sponsorship } from '../../reference/registry/columns/records.js';
import type { Population } from '../../scenarios/scenario.js';
import { withOverlay } from '../../spec/overlay.js';
import { HOUR_SEC } from '../../spec/time.js';
import { smallScenario } from '../../test/fixtures/small-scenario.js';
import { play } from '../play/kernel.js';
import { INVARIANTS } from '../world/invariant-list.js';
import { createWorld, type World } from '../world/world.js';
import { checkAll } from './full-check.js';
import { InvariantViolation } from './violation.js';

/** Ten agents that are gone now and then for two hours, and beat every 8 minutes: too often by two. */
const part: Partial<Population> = {
  count: 10,
  heartbeat: { policy: 'interval', everySec: 480, jitter: 0.1 },
  outages: { up: { distribution: 'fixed', meanSec: 7_000 }, down: { distribution: 'fixed', meanSec: 7_200 } },
};

function worldAt(second: number): World {
  // Flat fees, so that a forged count changes no fee.
  const flat = { tier1FeeLamports: 500_000, tier2FeeLamports: 500_000, tier3FeeLamports: 500_000 };
  const protocol = withOverlay({ heartbeat: { ...flat, narrowTaskCap: 20 } });
  const world = createWorld(smallScenario([part], { protocol }), 5);
  play(world, second);
  return world;
}

/** A root that makes children, others that complain about it and are right, and reviewers. */
function familyAt(second: number): World {
  const fixed = (meanSec: number) => ({ distribution: 'fixed', meanSec }) as const;
  const spawning = { into: 'brood', every: fixed(600), childrenMax: 9, depthMax: 2, beatsMax: 9_000, sponsor: null };
  const flagging = { every: fixed(3_000), targets: 'parents', assertedClass: 'narrow_task' } as const;
  const beats = { policy: 'interval', everySec: 1_200, jitter: 0 } as const;
  const scenario = smallScenario(
    [
      { name: 'parents', count: 2, misbehaves: true, heartbeat: beats, spawning },
      { name: 'brood', count: 20, arrivals: { pattern: 'spawned' }, spawned: true },
      { name: 'others', count: 3, flagging },
    ],
    { reviews: { delay: fixed(600), accuracy: 1, resolve: null } },
  );
  const world = createWorld(scenario, 5);
  play(world, second);
  return world;
}

/** Plays on for six hours with a full check each hour, and says what was found. */
function violation(world: World): InvariantViolation | undefined {
  return caughtIn(() => {
    for (let hour = 0; hour < 6; hour += 1) {
      checkAll(world);
      play(world, world.second + HOUR_SEC);
    }
  });
}

function caughtIn(run: () => void): InvariantViolation | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof InvariantViolation) return error;
    throw error;
  }
}

describe('invariants', () => {
  it('hold in a run that nobody tampered with, and every one of them is checked', () => {
    const world = worldAt(2 * HOUR_SEC);
    expect(violation(world)).toBeUndefined();
    const lively = familyAt(6 * HOUR_SEC);
    INVARIANTS.forEach(({ name }, i) => {
      expect([name, world.checks[i]! + lively.checks[i]! > 0]).toEqual([name, true]);
    });
  });

  it('have names of their own', () => {
    expect(new Set(INVARIANTS.map(({ name }) => name)).size).toBe(INVARIANTS.length);
  });

  const columns = (world: World) => world.registry.agents.columns;
  const lines = (world: World, change: (line: AgentLine, row: number) => void): void => {
    const { agents } = world.registry;
    for (let row = 0; row < agents.rows; row += 1) change(agents.line, row);
  };
  const overpaid: Sponsorship = {
    parent: 3,
    child: 4,
    createdAtMs: 0,
    state: 'active',
    heartbeatsEpochMax: 5,
    expiresAtMs: null,
    epoch: 0,
    used: 6,
  };
  const book = (world: World): Float64Array => world.registry.feeBook.sums.subarray(7, 14);
  const add = (to: { [at: number]: number }, at: number, amount: number): void => {
    to[at] = (to[at] ?? Number.NaN) + amount;
  };

  it.each<[string, string, (world: World) => unknown]>([
    ['money appears in a wallet', 'lamports-conserved', ({ ledger }) => add(ledger.lamports, 3, 1)],
    [
      'the service loses a lamport',
      'lamports-conserved',
      ({ ledger, serviceAccount }) => add(ledger.lamports, serviceAccount, -1),
    ],
    [
      'a deposit appears in the books',
      'lamports-conserved',
      ({ registry }) => {
        registry.deposits.heldLamports += 1;
      },
    ],
    [
      'a deposit is taken twice',
      'lamports-conserved',
      ({ registry: { deposits } }) => {
        deposits.heldLamports -= 5;
        deposits.forfeitedLamports += 5;
      },
    ],
    ['a share is short of a lamport', 'splits-sum', (world) => add(book(world), 5, -1)],
    ['a fee is booked that nobody paid', 'one-fee-a-payment', (world) => add(book(world), 0, 1)],
    ['a fee is booked too high', 'one-fee-a-payment', (world) => add(book(world), 1, 1)],
    [
      'the interval is forgotten',
      'interval',
      (world) => lines(world, (line, row) => line.setLastHeartbeatBeat(row, -1)),
    ],
    ['a root is deep', 'depth', ({ registry }) => registry.agents.line.setDepth(4, 1)],
    ['a root gets a parent', 'depth', (world) => add(columns(world).parent, 4, 3)],
    [
      'signs of life are forgotten',
      'freeze-not-early',
      (world) => lines(world, (line, row) => line.setLastSyncAnchor(row, -100)),
    ],
    ['the wheel is emptied', 'watched-once', ({ registry }) => void registry.wheel.heads.fill(-1)],
    ['an agent is watched twice', 'watched-once', ({ registry }) => append(registry.wheel, 3, 4)],
    ['a SIGIL is lost', 'sigils-unique', ({ registry }) => registry.sigils.delete(4)],
    ['two SIGILs have one name', 'sigils-unique', ({ registry }) => registry.sigilNames.delete('n-4*agents')],
    [
      'an agent has a class for nothing',
      'sigils-unique',
      ({ registry }) => registry.agents.line.setIdentityClass(4, 0),
    ],
    ['a sponsor pays too often', 'sponsorship-cap', ({ registry }) => registry.sponsorships.byChild.set(4, [overpaid])],
    ['a freeze is not counted', 'counts-agree', ({ cells }) => add(cells.live, 0, 1)],
    ['an agent is counted twice', 'counts-agree', ({ cells }) => add(cells.registered, 0, 1)],
    ['a count is forgotten', 'states-agree', ({ registry }) => registry.agents.line.setEpochHeartbeats(4, 0)],
    [
      'heartbeats are cheap',
      'fee-of-tier',
      ({ registry }) => {
        registry.feeTable.flat = { ...registry.feeTable.flat, heartbeat_tier1: 1 };
      },
    ],
    ['an anchor is skipped', 'anchors-on-time', ({ registry }) => add(registry as never, 'anchorIndex' as never, 1)],
    ['an agent is frozen in silence', 'states-agree', ({ registry }) => registry.agents.line.setStatus(4, 2)],
  ])('%s: %s does not hold', (_name, invariant, tamper) => {
    const world = worldAt(1 * HOUR_SEC);
    tamper(world);
    expect(violation(world)?.invariant).toBe(invariant);
  });

  it('a resync for too few beats is caught', () => {
    // All return from their outage at 14,200 s, and compute for some seconds.
    const world = worldAt(14_150);
    // The registry believes all along that nobody has missed anything, and takes whatever comes.
    const caught = caughtIn(() => {
      for (let second = 14_150; second < 14_500; second += 1) {
        lines(world, (line, row) => line.setLastSyncAnchor(row, world.registry.anchorIndex));
        world.agents.workBeats.fill(1);
        play(world, second + 1);
      }
    });
    expect(caught?.invariant).toBe('penalty-proven');
    expect(caught?.message).toMatch(/resynced with 1 beats, and owes 10000 for 12\d anchors/);
  });

  it('a heartbeat under a sustained complaint is caught', () => {
    const world = familyAt(2 * HOUR_SEC);
    expect(world.features?.sustainedComplaints.some((count) => count > 0)).toBe(true);
    lines(world, (line, row) => line.setComplaints(row, 0));
    expect(caughtIn(() => play(world, world.second + 2 * HOUR_SEC))?.invariant).toBe('complaints-silence');
  });

  it('a child that is too cheap is caught', () => {
    const world = familyAt(1 * HOUR_SEC);
    columns(world).children.fill(0);
    world.registry.childNames.clear();
    expect(caughtIn(() => play(world, world.second + 2 * HOUR_SEC))?.invariant).toBe('price-of-a-child');
  });

  it('an agent that runs on a sign of life from nowhere is caught', () => {
    // All go into their outage now, and would be frozen an hour later.
    const world = worldAt(7_000);
    lines(world, (line, row) => line.setLastSyncAnchor(row, 900));
    expect(violation(world)?.invariant).toBe('freeze-not-late');
  });

  it('a heartbeat of a frozen agent is caught, with the trail of the agent', () => {
    const world = worldAt(7_000 + 61 * 60 + 60);
    expect(world.agents.frozen(0)).toBe(true);
    lines(world, (line, row) => line.setStatus(row, 1));
    // No full check comes in between: the accepted heartbeat itself must show it.
    const caught = caughtIn(() => play(world, world.second + 3 * HOUR_SEC));
    if (caught === undefined) throw new Error('nothing was caught');
    const { invariant, seed, second, trail, message } = caught;
    expect([invariant, seed]).toEqual(['frozen-are-silent', 5]);
    expect(message).toContain(`invariant frozen-are-silent does not hold at ${second} s with seed 5: agent`);
    expect(trail.at(-1)).toBe(`${second} s: heartbeat accepted, 500000 lamports`);
    expect(trail.at(-2)).toContain('freeze accepted');
    expect(trail.length).toBeLessThanOrEqual(12);
  });

  it('a heartbeat over the cap is caught', () => {
    const world = worldAt(1 * HOUR_SEC);
    const caught = (): void => {
      for (let i = 0; i < 100; i += 1) {
        lines(world, (line, row) => line.setEpochHeartbeats(row, 0));
        play(world, world.second + 600);
      }
    };
    expect(caught).toThrow('invariant epoch-cap does not hold');
  });
});
