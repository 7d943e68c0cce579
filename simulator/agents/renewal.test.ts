import { describe, expect, it } from 'vitest';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { DAY_SEC } from '../../spec/time.js';
import { smallScenario } from '../../test/fixtures/small-scenario.js';
import { advance, startRun } from '../run/run.js';
import { HEARTBEAT, outcomeOf, outcomesOf, SPONSOR } from '../world/operations.js';
import { GENESIS_MS } from '../world/world.js';

const FEE = 500_000;
const every = (sec: number) => ({ policy: 'trace', gapsSec: [sec] }) as const;

type Part = Partial<Population> & { readonly sponsor?: object | null };

/** A line of descent, one agent in each generation, from a root down to a leaf that has a heartbeat every half hour while it can. */
function lineage(root: Part, middle: Part, depth: number, rest: Partial<Scenario> = {}) {
  const names = ['root', ...Array.from({ length: depth - 1 }, (_, i) => `m${i + 1}`), 'leaf'];
  const populations = names.map((name, i): Partial<Population> => {
    const { sponsor = {}, ...part } = i === 0 ? root : i === depth ? {} : middle;
    const wallet = part.budget?.walletLamports ?? (i === 0 ? 5_000_000_000 : 0);
    return {
      ...{ name, hashesPerSec: 1e9, heartbeat: every(1_800) },
      ...(i === 0 ? {} : { arrivals: { pattern: 'spawned' } as const, spawned: true, sigil: 'never' as const }),
      budget: { walletLamports: wallet, topUp: null },
      sponsored: i > 0 && wallet === 0,
      ...part,
      spawning:
        i === depth
          ? null
          : {
              into: names[i + 1] as string,
              every: { distribution: 'fixed', meanSec: 600 },
              ...{ childrenMax: 1, depthMax: 9, beatsMax: 1e9 },
              sponsor: sponsor && {
                ...{ heartbeatsEpochMax: 5_000, expiresInHours: 2, generations: depth - i, renew: true, answerSec: 60 },
                ...sponsor,
              },
            },
    };
  });
  const run = startRun(smallScenario(populations, { durationSec: DAY_SEC, ...rest }), 1);
  const { world } = run;
  const sent: { readonly sec: number; readonly payer: string }[] = [];
  world.observer = (sec, agent, what, outcome) => {
    if (agent === depth && what === HEARTBEAT && outcome === 0)
      sent.push({ sec, payer: names[world.subject] as string });
  };
  advance(run, world.scenario.durationSec);
  const { registeredAtMs } = world.registry.agents.columns;
  return { world, sent, bornSec: (registeredAtMs[world.agents.row(depth)]! - GENESIS_MS) / 1_000 };
}

/**
 * The heartbeats of an agent that is sponsored for two hours from its birth on, and again by an ancestor that answers within a minute. The
 * first sponsorship pays for four. The heartbeat after it is refused; it is accepted 61 s later, and three more before the next end.
 */
function expectedSecs(bornSec: number, endSec: number): number[] {
  const nth = (n: number): number =>
    n < 4 ? 1_800 * (n + 1) : 9_061 + 7_261 * Math.floor((n - 4) / 4) + 1_800 * ((n - 4) % 4);
  return Array.from({ length: endSec / 1_000 }, (_, n) => bornSec + nth(n)).filter((sec) => sec < endSec);
}

const affected = (depth: number) => ({ populations: Array.from({ length: depth - 1 }, (_, i) => i + 1), share: 1 });
const rich = { budget: { walletLamports: 1_000_000_000, topUp: null } } as const;

describe.each([2, 3])('a descendant %i generations below the only ancestor that renews', (depth) => {
  // How many heartbeats the nearest ancestor pays, until its sponsorship ends or it is frozen, before the root has to.
  it.each<[string, Part, number, Partial<Scenario>]>([
    ['its parents have no wallet', {}, 0, {}],
    ['its parents have no money', { budget: { walletLamports: 1, topUp: null } }, 0, {}],
    ['its parents do not renew', { ...rich, sponsor: { renew: false } }, 4, {}],
    ['its parents sponsor nobody', { ...rich, sponsor: null }, 0, {}],
    ['its parents are frozen', { ...rich, heartbeat: every(9 * DAY_SEC), resync: false }, 1, {}],
    ['its parents have departed', { ...rich, lifetime: { distribution: 'fixed', meanSec: 3_000 } }, 2, {}],
    [
      'the keys of its parents are revoked',
      rich,
      2,
      { interventions: [{ kind: 'revoke_keys', name: 'revoke', atSec: 4_000, affected: affected(depth) }] },
    ],
  ])('lives to the end, and the root pays: %s', (_name, middle, byParent, rest) => {
    const { world, sent, bornSec } = lineage({}, middle, depth, rest);
    expect(sent.map(({ sec }) => sec)).toEqual(expectedSecs(bornSec, DAY_SEC));
    expect(sent.map(({ payer }) => payer)).toEqual(sent.map((_, i) => (i < byParent ? `m${depth - 1}` : 'root')));
    const leaf = depth * 3;
    expect(world.cells.feesBySponsorsLamports[leaf]).toBe(FEE * sent.length);
    expect(world.cells.freezes[leaf]).toBe(0);
  });

  it('stops with the last heartbeat of its first sponsorship where the root does not renew', () => {
    const { sent, bornSec } = lineage({ sponsor: { renew: false } }, {}, depth);
    expect(sent.at(-1)?.sec).toBe(bornSec + 7_200);
  });
});

describe('ancestors without a wallet', () => {
  it('are never asked, nor offer to sponsor', () => {
    const { world } = lineage({}, {}, 3);
    expect(outcomesOf(world.counts, SPONSOR, outcomeOf('WALLET_REQUIRED'))).toBe(0);
  });
});

describe('a descendant whose sponsors are short of money', () => {
  const topUp = { belowLamports: 0, amountLamports: 20 * FEE, afterSec: 1_200, timesMax: null };

  it('waits for the one whose top-up is on its way, not for a nearer one that gets none', () => {
    const root = { budget: { walletLamports: 50_000_000 + 10 * FEE, topUp } };
    const { world, sent } = lineage(root, { budget: { walletLamports: 1, topUp: null } }, 2);
    expect(sent.at(-1)?.sec).toBeGreaterThan(DAY_SEC - 3_661);
    expect(world.cells.freezes[6]).toBe(0);
  });

  it('waits for a top-up that comes before the next epoch frees a cap', () => {
    const root = { budget: { walletLamports: 50_000_000 + 10 * FEE, topUp }, sponsor: { expiresInHours: null } };
    const { world, sent } = lineage(root, { ...rich, sponsor: { heartbeatsEpochMax: 2, expiresInHours: null } }, 2);
    expect(sent.slice(0, 3).map(({ payer }) => payer)).toEqual(['m1', 'm1', 'root']);
    expect(world.cells.freezes[6]).toBe(0);
  });
});
