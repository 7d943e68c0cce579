/**
 * Whether the ends of each interval of a scenario belong to it, second by second: the rows of the table in section 6 of docs/model.md.
 * Anchors are a second apart here, so that an agent can send a heartbeat each second.
 */

import { describe, expect, it } from 'vitest';
import { firstHeartbeatSec, nextHeartbeatSec } from '../scenarios/behaviours/heartbeat-policy.js';
import type { Intervention, ScenarioFault } from '../scenarios/disturbance.js';
import type { Population, Scenario } from '../scenarios/scenario.js';
import { withOverlay } from '../spec/overlay.js';
import { lastOf, played, samplesOf, smallScenario } from '../test/fixtures/small-scenario.js';
import { advance, startRun } from './run/run.js';
import { EVENT_NAMES, outcomeName } from './world/operations.js';

interface Seen {
  readonly second: number;
  readonly agent: number;
  readonly what: string;
  readonly outcome: string;
  readonly lamports: number;
}

const everySecond = withOverlay({ anchor: { intervalSec: 1 }, heartbeat: { intervalBeatsMin: 1 } });
const fixed = (meanSec: number) => ({ distribution: 'fixed', meanSec }) as const;
const everybody = { populations: [0], share: 1 };
/** Sends a heartbeat in each second from 1 on, whatever the reply. */
const eager: Partial<Population> = { heartbeat: { policy: 'spam', everySec: 1 } };

function eventsOf(parts: readonly Partial<Population>[], rest: Partial<Scenario> = {}): readonly Seen[] {
  const scenario = smallScenario(parts, {
    ...{ durationSec: 70, protocol: everySecond, measures: { everySec: 70, names: [] } },
    ...rest,
  });
  const run = startRun(scenario, 1);
  const seen: Seen[] = [];
  run.world.observer = (second, agent, what, outcome, lamports) =>
    seen.push({ second, agent, what: EVENT_NAMES[what] as string, outcome: outcomeName(outcome), lamports });
  advance(run, scenario.durationSec);
  return seen;
}

const secondsOf = (events: readonly Seen[], is: (event: Seen) => boolean): readonly number[] =>
  events.filter(is).map(({ second }) => second);
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
const isBeat = ({ what }: Seen): boolean => what === 'heartbeat';
/** The seconds from 1 to 69 in which the eager agent sends nothing. */
const silent = (events: readonly Seen[]): readonly number[] => {
  const sent = new Set(secondsOf(events, isBeat));
  return range(1, 69).filter((second) => !sent.has(second));
};

const outage: ScenarioFault = { kind: 'outage', name: 'cut', atSec: 20, forSec: 10, affected: everybody };
const drops: ScenarioFault = {
  ...{ kind: 'payments', name: 'ledger', atSec: 20, forSec: 10 },
  rates: { late: 0, delay: fixed(1), dropped: 1, retrySec: 1 },
};
const stall = (catchUp: boolean): ScenarioFault => ({
  ...{ kind: 'anchor_stall', name: 'stall', atSec: 20, forSec: 10, catchUp },
});
const subsidy = (forSec: number | null): Intervention => ({
  ...{ kind: 'subsidy', name: 'help', atSec: 20, affected: everybody, feeType: 'heartbeat' },
  ...{ discountBps: 5_000, floorLamports: null, forSec },
});

describe('a time with at and for', () => {
  it('begins in its first second and ends before its last: a subsidy', () => {
    const cheap = (forSec: number | null) =>
      secondsOf(eventsOf([eager], { interventions: [subsidy(forSec)] }), (e) => isBeat(e) && e.lamports === 250_000);
    expect([cheap(10), cheap(1), cheap(null)]).toEqual([range(20, 29), [20], range(20, 69)]);
  });

  it('the same: an outage of a fault, one that recurs, and one of its own', () => {
    expect(silent(eventsOf([eager], { faults: [outage] }))).toEqual(range(20, 29));
    const recurring = { kind: 'outages', name: 'r', up: fixed(20), down: fixed(10), affected: everybody } as const;
    const twice = [...range(20, 29), ...range(50, 59)];
    expect(silent(eventsOf([eager], { faults: [recurring] }))).toEqual(twice);
    expect(silent(eventsOf([{ ...eager, outages: { up: fixed(20), down: fixed(10) } }]))).toEqual(twice);
  });

  it('the same: a fault of payments', () => {
    const events = eventsOf([eager], { faults: [drops] });
    expect(secondsOf(events, ({ what }) => what === 'payment-dropped')).toEqual(range(20, 29));
  });

  it('the other way round for anchors, which come first in their second: a stall', () => {
    const held = (events: readonly Seen[]) => secondsOf(events, ({ what }) => what === 'anchor-stall');
    expect(held(eventsOf([eager], { faults: [stall(false)] }))).toEqual(range(21, 30));
    expect(held(eventsOf([eager], { faults: [stall(true)] }))).toEqual(range(21, 30));
    // No beat passes meanwhile, so each heartbeat after that of second 20 is too soon; anchors that are caught up with come in second 30.
    const refused = (events: readonly Seen[]) =>
      secondsOf(events, (e) => isBeat(e) && e.outcome === 'HEARTBEAT_TOO_SOON');
    expect(refused(eventsOf([eager], { faults: [stall(false)] }))).toEqual(range(21, 30));
    expect(refused(eventsOf([eager], { faults: [stall(true)] }))).toEqual(range(21, 29));
  });

  it('affects agents that registered before its first second', () => {
    const late = [{ ...eager, arrivals: { pattern: 'at', timeSec: 20 } }] as const;
    expect(silent(eventsOf(late, { faults: [outage] }))).toEqual(range(1, 20));
    expect(secondsOf(eventsOf(late, { interventions: [subsidy(null)] }), ({ what }) => what === 'subsidy')).toEqual([]);
    // A fault of payments is one of the ledger: it affects the SIGIL of an arrival in its first second.
    expect(secondsOf(eventsOf(late, { faults: [drops] }), ({ what }) => what === 'sigil')).toEqual([30]);
  });

  it('begins and ends before whatever agents do in the same second', () => {
    const parent: Partial<Population> = {
      ...{ name: 'parent', hashesPerSec: 101 * 50 },
      spawning: { into: 'child', every: fixed(10), childrenMax: 1, depthMax: 9, beatsMax: 1_000, sponsor: null },
    };
    const child: Partial<Population> = { name: 'child', spawned: true, arrivals: { pattern: 'spawned' } };
    // 1,000 beats at 50 a second: the work begins in second 10, before the fault, and the child is born in the second in which it ends.
    const born = eventsOf([parent, child], { faults: [drops] });
    expect(secondsOf(born, ({ what, agent }) => agent === 1 && what === 'sigil')).toEqual([30]);
    expect(born.some(({ what }) => what === 'payment-dropped')).toBe(false);
    const again = { every: fixed(30), free: true };
    const faults: readonly ScenarioFault[] = [
      { kind: 'outages', name: 'r', up: fixed(30), down: fixed(10), affected: everybody },
    ];
    expect(secondsOf(eventsOf([{ reissue: again }], { faults }), ({ what }) => what === 'passport')).toEqual([40]);
  });
});

describe('a time that begins with one second', () => {
  it('begins with the calls of that second: revoked keys, numbers that change, arrivals, departures', () => {
    const revoked = eventsOf([eager], {
      interventions: [{ kind: 'revoke_keys', name: 'k', atSec: 20, affected: everybody }],
    });
    expect(secondsOf(revoked, isBeat)).toEqual(range(1, 20));
    expect(secondsOf(revoked, ({ outcome }) => outcome === 'AUTH_MISSING')).toEqual([20]);
    const set = { heartbeat: { tier1FeeLamports: 7_000 } };
    const changed = eventsOf([eager], { interventions: [{ kind: 'protocol', name: 'p', atSec: 20, set }] });
    expect(secondsOf(changed, ({ lamports }) => lamports === 7_000)).toEqual(range(20, 69));
    expect(secondsOf(eventsOf([{ ...eager, lifetime: fixed(20) }]), isBeat)).toEqual(range(1, 19));
    const arrivals = { pattern: 'uniform', fromSec: 20, overSec: 10 } as const;
    const arrived = secondsOf(eventsOf([{ count: 300, arrivals }]), ({ what }) => what === 'register');
    expect([...new Set(arrived)]).toEqual(range(20, 29));
  });

  it('begins with the anchor of that second: an epoch, a freeze', () => {
    const protocol = withOverlay({ heartbeat: { epochBeats: 20, narrowTaskCap: 5 } }, everySecond);
    const paid = secondsOf(eventsOf([eager], { protocol }), (e) => isBeat(e) && e.outcome === 'accepted');
    expect(paid).toEqual([...range(1, 5), ...range(20, 24), ...range(40, 44), ...range(60, 64)]);
    const silentAgent = { heartbeat: { policy: 'interval', everySec: 900, jitter: 0 } } as const;
    expect(secondsOf(eventsOf([silentAgent]), ({ what }) => what === 'freeze')).toEqual([61]);
  });

  it('a top-up pays in the second of its arrival', () => {
    const budget = {
      walletLamports: 50_000_000,
      topUp: { belowLamports: 0, amountLamports: 500_000, afterSec: 10, timesMax: 1 },
    };
    expect(secondsOf(eventsOf([{ ...eager, budget }]), (e) => isBeat(e) && e.outcome === 'accepted')).toEqual([11]);
  });
});

describe('a time that ends by the service', () => {
  /** The outcomes of a heartbeat that is sent after this many seconds. */
  const outcomeAt = (
    gap: number,
    parts: (target: Partial<Population>) => readonly Partial<Population>[],
    rest: object,
  ) =>
    eventsOf(parts({ name: 'target', heartbeat: { policy: 'trace', gapsSec: [gap] } }), rest).find(
      (e) => e.agent === 0 && isBeat(e),
    )?.outcome;

  it('a sustained complaint ends before its last second', () => {
    const flagging = { every: fixed(10), targets: 'target', assertedClass: 'orchestrator' } as const;
    const reviews = { delay: fixed(10), accuracy: 1, resolve: fixed(15) };
    const outcomes = [19, 20, 34, 35].map((gap) =>
      outcomeAt(
        gap,
        (target) => [
          { ...target, misbehaves: true },
          { name: 'reporter', flagging, lifetime: fixed(15) },
        ],
        { reviews },
      ),
    );
    expect(outcomes).toEqual(['accepted', 'HEARTBEAT_REFUSED', 'HEARTBEAT_REFUSED', 'accepted']);
  });

  it('a sponsorship includes its last second', () => {
    const sponsor = { heartbeatsEpochMax: 50, expiresInHours: 1, renew: false, answerSec: 1, generations: 1 };
    const spawning = { into: 'child', every: fixed(10), childrenMax: 1, depthMax: 9, beatsMax: 1_000, sponsor };
    const outcomes = [3_600, 3_601].map((gap) => {
      const child: Partial<Population> = {
        ...{ name: 'child', spawned: true, sponsored: true, sigil: 'never', arrivals: { pattern: 'spawned' } },
        ...{ budget: { walletLamports: 0, topUp: null }, heartbeat: { policy: 'trace', gapsSec: [gap] } },
      };
      const parent = { heartbeat: { policy: 'keep_alive', marginSec: 600, spreadSec: 0 }, spawning } as const;
      const protocol = withOverlay({ dms: { missedAnchorsMax: 100 } });
      const events = eventsOf([parent, child], {
        durationSec: 4_000,
        protocol,
        measures: { everySec: 4_000, names: [] },
      });
      const at = secondsOf(events, ({ what, agent }) => agent === 1 && what === 'init')[0] as number;
      return events.find((e) => e.agent === 1 && e.second === at + gap && isBeat(e))?.outcome;
    });
    expect(outcomes).toEqual(['accepted', 'WALLET_REQUIRED']);
  });

  it('a passport that counts in samples is valid before the second in which it ends', () => {
    const valid = (everySec: number) =>
      samplesOf(
        played(
          smallScenario([{ heartbeat: { policy: 'interval', everySec: 80_000, jitter: 0 }, resync: false }], {
            ...{ durationSec: 7_200, protocol: withOverlay({ passport: { validityHours: 1 } }) },
            measures: { everySec, names: ['passports_valid'] },
          }),
        ),
        'passports_valid',
      ).slice(0, 2);
    expect([valid(3_599), valid(3_600)]).toEqual([
      [0, 1],
      [0, 0],
    ]);
  });
});

describe('a run', () => {
  it('begins with second 0 and ends before the second of its duration, whose sample sees all before', () => {
    const scenario = smallScenario([eager], {
      ...{ durationSec: 30, protocol: everySecond },
      measures: { everySec: 10, names: ['heartbeats'] },
    });
    expect(samplesOf(played(scenario), 'heartbeats')).toEqual([0, 9, 19, 29]);
    expect(lastOf(played({ ...scenario, durationSec: 29 }), 'heartbeats')).toBe(28);
  });
});

describe('the hours of a policy', () => {
  const view = { epoch: 0 } as Parameters<typeof nextHeartbeatSec>[4];
  const drawing = (u: number) => ({ uniform: () => u }) as Parameters<typeof nextHeartbeatSec>[3];
  const far = 1_000_000;

  it.each([0, 0.999_999])('begin in their first second and end before their last (draw %d)', (u) => {
    const daily = { policy: 'daily', fromSec: 100, forSec: 30, everySec: 10, marginSec: 0 } as const;
    const next = (nowSec: number) => nextHeartbeatSec(daily, nowSec, far, drawing(u), view);
    // The last heartbeat of a day is at 129 s at the latest: from 120 s on, the next is one of the next day's first ten seconds.
    expect([next(100), next(119)]).toEqual([110, 129]);
    const woken = 100 + 86_400 + (u === 0 ? 0 : 9);
    expect([next(120), next(129)]).toEqual([woken, woken]);
    const demand = { policy: 'on_demand', everySec: 100, forSec: 30, beatSec: 10 } as const;
    const called = (nowSec: number) => nextHeartbeatSec(demand, nowSec, far, drawing(u), view);
    expect([called(119), called(120)]).toEqual([129, 200 + (u === 0 ? 0 : 9)]);
  });

  it('hold a day that is shorter than the pace', () => {
    const short = { policy: 'daily', fromSec: 0, forSec: 30, everySec: 3_600, marginSec: 0 } as const;
    expect(nextHeartbeatSec(short, 0, far, drawing(0.999_999), view)).toBe(86_400 + 29);
  });

  it('place the first heartbeat after the arrival, never in its second', () => {
    const interval = { policy: 'interval', everySec: 10, jitter: 0 } as const;
    const first = (u: number) => firstHeartbeatSec(interval, 50, far, drawing(u), view);
    expect([first(0), first(0.999_999)]).toEqual([51, 60]);
  });
});

describe('intervals that meet', () => {
  it('a later subsidy of the same fee replaces an earlier one for good', () => {
    const long: Intervention = { ...subsidy(40), name: 'long' };
    const short: Intervention = { ...subsidy(5), name: 'short', atSec: 30 } as Intervention;
    const events = eventsOf([eager], { interventions: [long, short] });
    expect(secondsOf(events, (e) => isBeat(e) && e.lamports === 250_000)).toEqual(range(20, 34));
  });

  it('a stall that follows another at once continues it: only the end of the last one catches up', () => {
    const pair = (first: boolean, last: boolean): readonly ScenarioFault[] => [
      { kind: 'anchor_stall', name: 'a', atSec: 20, forSec: 10, catchUp: first },
      { kind: 'anchor_stall', name: 'b', atSec: 30, forSec: 10, catchUp: last },
    ];
    const paid = (faults: readonly ScenarioFault[]) =>
      secondsOf(eventsOf([eager], { faults }), (e) => isBeat(e) && e.outcome === 'accepted').filter((s) => s > 20);
    expect(paid(pair(true, false))[0]).toBe(41);
    expect(paid(pair(false, true))[0]).toBe(40);
  });

  it('a refused agent tries again after the beats that it lacks, at their nominal pace, while a stall lasts', () => {
    const tries = (atSec: number) => {
      const events = eventsOf([{ heartbeat: { policy: 'trace', gapsSec: [3_600, 3_600] } }], {
        ...{ durationSec: 14_000, protocol: withOverlay({}), measures: { everySec: 14_000, names: [] } },
        faults: [{ kind: 'anchor_stall', name: 'stall', atSec, forSec: 7_000, catchUp: false }],
      });
      return secondsOf(events, (e) => isBeat(e) && e.outcome === 'HEARTBEAT_TOO_SOON');
    };
    // The heartbeat of second 3,600 is accepted, and the next is due an hour later. No beat has passed by then, or four have.
    expect(tries(3_601).slice(0, 3)).toEqual([7_200, 7_800, 8_400]);
    expect(tries(3_841).slice(0, 3)).toEqual([7_200, 7_560, 7_920]);
  });

  it('a sponsor that was away answers each ask of its child when it returns', () => {
    const sponsor = { heartbeatsEpochMax: 50, expiresInHours: 1, renew: true, answerSec: 300, generations: 1 };
    const spawning = { into: 'child', every: fixed(10), childrenMax: 1, depthMax: 9, beatsMax: 1_000, sponsor };
    const child: Partial<Population> = {
      ...{ name: 'child', spawned: true, sponsored: true, sigil: 'never', arrivals: { pattern: 'spawned' } },
      ...{ budget: { walletLamports: 0, topUp: null }, heartbeat: { policy: 'interval', everySec: 700, jitter: 0 } },
    };
    const parent = { heartbeat: { policy: 'keep_alive', marginSec: 600, spreadSec: 0 }, spawning } as const;
    const events = eventsOf([parent, child], {
      ...{ durationSec: 9_000, protocol: withOverlay({ dms: { missedAnchorsMax: 200 } }) },
      measures: { everySec: 9_000, names: [] },
      faults: [{ ...outage, atSec: 3_000, forSec: 5_000 } as ScenarioFault],
    });
    const asked = secondsOf(events, ({ agent, outcome }) => agent === 1 && outcome === 'WALLET_REQUIRED');
    expect(asked.length).toBeGreaterThan(5);
    const answered = asked.map((second) => Math.max(8_000, second + 300));
    expect(secondsOf(events, (e) => e.what === 'sponsor' && e.second > 3_000)).toEqual(answered);
  });
});
