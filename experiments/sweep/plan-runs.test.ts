import { describe, expect, it } from 'vitest';
import type { SweepMeasure, SweepRun } from '../../results/sweep-result.js';
import { normalQuantile } from '../statistics/distributions.js';
import { drawsOf } from '../statistics/draws.js';
import type { ComparedArm } from './compare.js';
import { plannedRuns } from './plan-runs.js';

const measures: SweepMeasure[] = [
  { measure: 'frozen_share', group: null, time_ms: 1_000, unit: 'share' },
  { measure: 'heartbeats', group: null, time_ms: 1_000, unit: '' },
];
/** An arm with the values of both measures by run; the second one does not vary. */
const armOf = (name: string, arm: number, values: readonly number[], seeds = 0): ComparedArm => ({
  arm: { name, measures },
  runs: values.map((value, replicate) => ({
    ...{ arm, replicate, seed: seeds + replicate, event_hash: '0' },
    values: [value, 7],
  })) as unknown as SweepRun[],
});
const all = (): boolean => true;
const wanted = { difference: { value: 1, relative: false }, power: 0.8, level: 0.05 };

// Standard deviations of 2 in each arm; pairs differ by 1 and 3 in turn, which has a standard deviation of 1.0541 with ten pairs.
const a = [-2, 2, -2, 2, -2, 2, -2, 2, -2, 2];
const b = a.map((value, i) => value + 2 + (i % 4 < 2 ? 1 : -1));

describe('the runs that show a difference', () => {
  it('are few in pairs that go together, and those of the textbook without', () => {
    const [share, heartbeats] = plannedRuns([[armOf('a', 0, a), armOf('b', 1, b)]], all, wanted);
    expect(share?.sds[0]).toBeCloseTo(2.108, 3);
    expect(share?.sd_of_pairs).toBeCloseTo(1.033, 3);
    // G*Power: pairs with d = 1 / 1.033 = 0.968 need 11; groups with a pooled d of 0.425 or so need some 90.
    expect(share?.paired?.runs).toBe(11);
    expect(share?.independent.runs).toBeGreaterThan(70);
    expect(share?.paired?.runs_cautious).toBeGreaterThan(11);
    expect(heartbeats).toMatchObject({ paired: { runs: 2 }, independent: { runs: 2 }, sd_of_pairs: 0 });
  });

  it('are of independent arms alone where no seed is shared', () => {
    const [share] = plannedRuns([[armOf('a', 0, a), armOf('b', 1, b, 100)]], all, wanted);
    expect(share).toMatchObject({ paired: null, sd_of_pairs: null, pilot: [10, 10] });
  });

  it('take a share of the mean of the first arm', () => {
    const level = armOf(
      'a',
      0,
      a.map((value) => value + 50),
    );
    const other = armOf(
      'b',
      1,
      b.map((value) => value + 50),
    );
    const [share] = plannedRuns([[level, other]], ({ measure }) => measure === 'frozen_share', {
      ...wanted,
      difference: { value: 0.02, relative: true },
    });
    expect(share?.difference).toBe(1);
    expect(share?.paired?.runs).toBe(11);
  });

  it('leave out a share of nothing', () => {
    const relative = { ...wanted, difference: { value: 0.1, relative: true } };
    expect(plannedRuns([[armOf('a', 0, [0, 0, 0]), armOf('b', 1, [1, 2, 3])]], all, relative)).toHaveLength(1);
  });

  it('keep their word: of 2,000 experiments of that size four fifths show the difference', () => {
    const [share] = plannedRuns([[armOf('a', 0, a), armOf('b', 1, b)]], all, wanted);
    const n = share?.paired?.runs ?? 0;
    const uniform = drawsOf(20_261, 'power');
    const normal = (): number => normalQuantile(uniform());
    let shown = 0;
    for (let trial = 0; trial < 2_000; trial += 1) {
      const differences = Array.from({ length: n }, () => 1 + (share?.sd_of_pairs ?? 0) * normal());
      const mean = differences.reduce((sum, each) => sum + each, 0) / n;
      const sd = Math.sqrt(differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (n - 1));
      // The 97.5 % quantile of Student's t with ten degrees of freedom.
      if (Math.abs((mean * Math.sqrt(n)) / sd) > 2.2281) shown += 1;
    }
    // Eleven are the least that reach 0.8, so a little more.
    expect(shown / 2_000).toBeGreaterThan(0.78);
    expect(shown / 2_000).toBeLessThan(0.88);
  });
});
