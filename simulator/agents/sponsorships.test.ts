// Agents that choose whether to sponsor their children, and children that choose whether to be sponsored.
import { describe, expect, it } from 'vitest';
import type { Adaptation } from '../../scenarios/adaptation.js';
import type { Population } from '../../scenarios/scenario.js';
import { HOUR_SEC } from '../../spec/time.js';
import { onePopulation, smallScenario } from '../../test/fixtures/small-scenario.js';
import { advance, startRun } from '../run/run.js';
import { optionOf } from '../world/adaptation.js';
import { ACCEPTED, HEARTBEAT, outcomesOf, SPONSOR, UNSPONSOR } from '../world/operations.js';

const PARENTS = 4;
const REVISION = 6 * HOUR_SEC;
const sponsor = { heartbeatsEpochMax: 1_000, expiresInHours: null, renew: false, answerSec: 60, generations: 1 };

function adapts(base: Population, options: Readonly<Record<string, Partial<Population>>>): Adaptation {
  const rule = { by: 'best_response', noise: 0, mutation: 0 } as const;
  return {
    options: Object.entries(options).map(([name, keys]) => ({ name, leaves: false, population: { ...base, ...keys } })),
    start: { kind: 'shares', of: [0.5, 0.5] },
    revision: { rule, everySec: REVISION, rate: 1, sees: 'options', outsideLamports: 0 },
  };
}

const income = (liveDayLamports: number): Partial<Population> => ({
  economics: { liveDayLamports, heartbeatLamports: 0, gigahashLamports: 0 },
});

/** Parents with a child each, a day of which the heartbeats and their payers are noted. */
function family(
  ofParents: (base: Population) => Partial<Population>,
  ofChildren: (base: Population) => Partial<Population>,
) {
  const base: Population = {
    ...onePopulation,
    ...{ name: 'parents', count: PARENTS, hashesPerSec: 1e9 },
    heartbeat: { policy: 'interval', everySec: 1_800, jitter: 0.3 },
    spawning: {
      ...{ into: 'children', every: { distribution: 'fixed', meanSec: 600 }, childrenMax: 1, depthMax: 1 },
      ...{ beatsMax: 1e9, sponsor },
    },
  };
  const born: Population = {
    ...onePopulation,
    ...{ name: 'children', count: PARENTS, hashesPerSec: 1e9, sigil: 'never', arrivals: { pattern: 'spawned' } },
    ...{ spawned: true, sponsored: true, budget: { walletLamports: 0, topUp: null } },
  };
  const run = startRun(
    smallScenario([
      { ...base, ...ofParents(base) },
      { ...born, ...ofChildren(born) },
    ]),
    1,
  );
  const { world } = run;
  const sent: { readonly sec: number; readonly child: number; readonly payer: number }[] = [];
  /** The events of parents, without those of sponsorships. */
  const own: string[] = [];
  world.observer = (sec, agent, what, outcome) => {
    if (agent < PARENTS && what !== SPONSOR && what !== UNSPONSOR) own.push(`${sec} ${agent} ${what} ${outcome}`);
    if (agent >= PARENTS && what === HEARTBEAT && outcome === ACCEPTED)
      sent.push({ sec, child: agent, payer: world.subject });
  };
  advance(run, world.scenario.durationSec);
  const options = Array.from({ length: 2 * PARENTS }, (_, agent) => optionOf(world, agent));
  return { world, options, sent, own, after: sent.filter(({ sec }) => sec > REVISION) };
}

const without = (base: Population): Partial<Population> => ({
  spawning: base.spawning && { ...base.spawning, sponsor: null },
});

describe('parents that choose whether to sponsor', () => {
  it('end their sponsorships where not to sponsor pays better, and no heartbeat is sponsored from then on', () => {
    const { world, options, sent, after } = family(
      (base) => ({ adapts: adapts(base, { pays: {}, keeps: { ...without(base), ...income(1) } }) }),
      () => ({}),
    );
    expect(options.slice(0, PARENTS)).toEqual([1, 1, 1, 1]);
    const sponsored = new Set(sent.map(({ payer }) => payer)).size;
    expect(sponsored).toBeGreaterThan(0);
    expect(sponsored).toBeLessThan(PARENTS);
    expect(outcomesOf(world.counts, UNSPONSOR, ACCEPTED)).toBe(sponsored);
    expect(after).toEqual([]);
  });

  it('sponsor children that had stopped where to sponsor pays better', () => {
    const { world, options, sent, after } = family(
      (base) => ({ adapts: adapts(base, { pays: income(9e9), keeps: without(base) }) }),
      () => ({}),
    );
    expect(options.slice(0, PARENTS)).toEqual([0, 0, 0, 0]);
    expect(outcomesOf(world.counts, SPONSOR, ACCEPTED)).toBe(PARENTS);
    expect(outcomesOf(world.counts, UNSPONSOR, ACCEPTED)).toBe(0);
    const before = new Set(sent.filter(({ sec }) => sec <= REVISION).map(({ child }) => child));
    expect(before.size).toBeLessThan(PARENTS);
    expect(new Set(after.map(({ child }) => child)).size).toBe(PARENTS);
    expect(after.every(({ child, payer }) => world.features?.parent[child] === payer)).toBe(true);
  });
});

describe('children with money that choose whether to be sponsored', () => {
  const funded = { sponsored: false, budget: { walletLamports: 1_000_000_000, topUp: null } };

  it('let their parents pay where that pays better, from the next heartbeat that is not planned yet', () => {
    const { world, options, after } = family(
      () => ({}),
      (base) => ({ ...funded, adapts: adapts({ ...base, ...funded }, { own: {}, asks: { sponsored: true } }) }),
    );
    expect(options.slice(PARENTS)).toEqual([1, 1, 1, 1]);
    const later = after.filter(({ sec }) => sec > REVISION + HOUR_SEC);
    expect(later.length).toBeGreaterThan(PARENTS);
    expect(later.every(({ child, payer }) => world.features?.parent[child] === payer)).toBe(true);
  });

  it('pay for themselves where that pays better', () => {
    const { options, after } = family(
      () => ({}),
      (base) => ({
        ...funded,
        adapts: adapts({ ...base, ...funded }, { own: income(9e9), asks: { sponsored: true } }),
      }),
    );
    expect(options.slice(PARENTS)).toEqual([0, 0, 0, 0]);
    expect(after.filter(({ sec }) => sec > REVISION + HOUR_SEC).every(({ child, payer }) => child === payer)).toBe(
      true,
    );
  });
});

it('what parents do of their own is the same, second by second, whatever their children choose', () => {
  const funded = { sponsored: false, budget: { walletLamports: 1_000_000_000, topUp: null } };
  const ofChildren = (options?: Readonly<Record<string, Partial<Population>>>) =>
    family(
      () => ({}),
      (base) => ({
        ...funded,
        ...(options === undefined ? {} : { adapts: adapts({ ...base, ...funded }, options) }),
      }),
    );
  const alone = ofChildren();
  expect(alone.own.length).toBeGreaterThan(100);
  for (const more of [{}, income(9e9)]) {
    const chosen = ofChildren({ own: more, asks: { sponsored: true } });
    expect(chosen.own).toEqual(alone.own);
    expect(chosen.sent.some(({ child, payer }) => child !== payer)).toBe(true);
  }
});
