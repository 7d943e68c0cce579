import { describe, expect, it } from 'vitest';
import type { TraitDistribution } from '../../scenarios/behaviours/trait.js';
import type { Population } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { played, smallScenario } from '../../test/fixtures/small-scenario.js';
import { hashesPerSecOf, heartbeatPolicyOf, walletLamportsOf } from './traits.js';
import { createWorld } from './world.js';

const COUNT = 4_000;
const worldOf = (part: Partial<Population>, seed = 1) => createWorld(smallScenario([{ count: COUNT, ...part }]), seed);
const agents = Array.from({ length: COUNT }, (_, agent) => agent);

/** The greatest distance between the shares of values below each and those of a distribution (Kolmogorov-Smirnov). */
function distance(values: readonly number[], shareBelow: (value: number) => number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.max(...sorted.map((value, i) => Math.abs((i + 0.5) / sorted.length - shareBelow(value))));
}

// 1.63 / sqrt(n): one sample of a hundred is farther away.
const CRITICAL = 1.63 / Math.sqrt(COUNT);

describe('numbers that are drawn for each agent', () => {
  it.each<[TraitDistribution, (x: number) => number]>([
    [{ distribution: 'pareto', mean: 3e6, shape: 1.5 }, (x) => 1 - (1e6 / x) ** 1.5],
    [{ distribution: 'weibull', mean: 1e6, shape: 1 }, (x) => 1 - Math.exp(-x / 1e6)],
    // A shape of 2 is the Rayleigh distribution: its mean is scale × √π / 2.
    [{ distribution: 'weibull', mean: 1e6, shape: 2 }, (x) => 1 - Math.exp(-(((x * Math.sqrt(Math.PI)) / 2e6) ** 2))],
  ])('have the distribution %j', (distribution, shareBelow) => {
    const world = worldOf({ traits: { hashesPerSec: distribution } });
    expect(
      distance(
        agents.map((agent) => hashesPerSecOf(world, agent)),
        shareBelow,
      ),
    ).toBeLessThan(CRITICAL);
  });

  it('have the quartiles of a lognormal distribution: the median is mean / e^(sigma² / 2)', () => {
    const world = worldOf({ traits: { walletLamports: { distribution: 'lognormal', mean: 1e9, sigma: 1 } } });
    const wallets = agents.map((agent) => walletLamportsOf(world, agent));
    const below = (z: number): number =>
      wallets.filter((each) => each < 1e9 * Math.exp(z - 0.5)).length / wallets.length;
    for (const [z, share] of [
      [-0.6745, 0.25],
      [0, 0.5],
      [0.6745, 0.75],
      [1.6449, 0.95],
    ] as const)
      expect(Math.abs(below(z) - share)).toBeLessThan(CRITICAL);
    expect(wallets.every((each) => Number.isInteger(each))).toBe(true);
  });

  it('are the same whenever they are asked for, and do not depend on each other or on other draws', () => {
    const of = (traits: Population['traits']) => {
      const world = worldOf({ traits: traits ?? {}, heartbeat: thrifty });
      return agents.map((agent) => [
        ...[hashesPerSecOf(world, agent), walletLamportsOf(world, agent), hashesPerSecOf(world, agent)],
        heartbeatPolicyOf(world, agent),
      ]);
    };
    const thrifty = { policy: 'thrifty', everySec: 900, worthLamports: 4e5, marginSec: 300 } as const;
    const pareto = { distribution: 'pareto', mean: 1e6, shape: 2 } as const;
    const [rates, wallets, all] = [
      of({ hashesPerSec: pareto }),
      of({ walletLamports: pareto }),
      of({ hashesPerSec: pareto, walletLamports: pareto, worthLamports: pareto }),
    ];
    expect(all.map(([rate]) => rate)).toEqual(rates.map(([rate]) => rate));
    expect(all.map(([rate, , again]) => [rate, again])).toEqual(all.map(([rate]) => [rate, rate]));
    expect(all.map(([, wallet]) => wallet)).toEqual(wallets.map(([, wallet]) => wallet));
    expect(new Set(all.map(([, , , policy]) => JSON.stringify(policy))).size).toBeGreaterThan(COUNT / 2);
    expect(rates[0]?.[3]).toEqual(thrifty);
  });

  it('decide what an agent can pay and how long it works', () => {
    // A SIGIL costs 50,000,000 lamports: with a mean of twice that and a shape of 1, e^-0.5 of all can pay it.
    const poor = { walletLamports: { distribution: 'weibull', mean: 100_000_000, shape: 1 } } as const;
    const { totals, manifest } = played(
      smallScenario([{ count: COUNT, traits: poor, heartbeat: { policy: 'interval', everySec: 80_000, jitter: 0 } }], {
        durationSec: 3_600,
      }),
    );
    const bought = manifest.operations.by_kind.find(({ kind }) => kind === 'sigil')?.accepted ?? 0;
    expect(totals['agents']).toBe(COUNT);
    expect(Math.abs(bought / COUNT - Math.exp(-0.5))).toBeLessThan(CRITICAL);
  });
});

describe('the file', () => {
  const text = (rate: string, wallet = '1 SOL', worth = '0.001 SOL'): string => `format: 1
name: traits
question: Who can pay?
duration: 1d
populations:
  - name: workers
    count: 20
    class: narrow_task
    heartbeat: { policy: thrifty, every: 30m, margin: 5m, worth: ${worth} }
    budget: { wallet: ${wallet} }
    hash_rate: ${rate}
measures: { every: 1d }
`;
  const read = (...texts: Parameters<typeof text>) => parseScenario(text(...texts), 'traits.yaml');

  it('with a fixed distribution is the scenario with the number itself', () => {
    const fixed = (mean: string): string => `{ distribution: fixed, mean: ${mean} }`;
    const plain = read('2M hashes/s');
    expect(read(fixed('2M hashes/s'), fixed('1 SOL'), fixed('0.001 SOL'))).toEqual(plain);
    expect(plain).not.toHaveProperty('value.populations.0.traits');
  });

  it('has distributions beside their means', () => {
    expect(
      read(
        '{ distribution: lognormal, mean: 2M hashes/s, sigma: 1 }',
        '{ distribution: pareto, mean: 1 SOL, shape: 1.5 }',
        '{ distribution: weibull, mean: 500 lamports, shape: 2 }',
      ),
    ).toMatchObject({
      ok: true,
      value: {
        populations: [
          {
            ...{
              hashesPerSec: 2_000_000,
              budget: { walletLamports: 1_000_000_000 },
              heartbeat: { worthLamports: 500 },
            },
            traits: {
              hashesPerSec: { distribution: 'lognormal', mean: 2_000_000, sigma: 1 },
              walletLamports: { distribution: 'pareto', mean: 1_000_000_000, shape: 1.5 },
              worthLamports: { distribution: 'weibull', mean: 500, shape: 2 },
            },
          },
        ],
      },
    });
  });

  it('is refused with the place and all forms', () => {
    const refused = read(
      '{ distribution: pareto, mean: 2M hashes/s, shape: 1 }',
      '{ distribution: pareto, mean: 0 SOL, shape: 2 }',
    );
    expect(refused.ok ? [] : refused.problems.map(({ line, key, message }) => [line, key, message])).toEqual([
      [11, 'populations.0.hash_rate.shape', 'must be a number from 1.1 to 20'],
    ]);
    const zero = read('2M hashes/s', '{ distribution: pareto, mean: 0 SOL, shape: 2 }');
    expect(zero.ok ? [] : zero.problems.map(({ line, key, message }) => `${line} ${key} ${message}`)).toEqual([
      '10 populations.0.budget.wallet.mean must be above zero',
    ]);
  });
});
