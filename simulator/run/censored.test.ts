import { describe, expect, it } from 'vitest';
import type { SimulationResult } from '../../results/simulation-result.js';
import { played, smallScenario } from '../../test/fixtures/small-scenario.js';

function grown(count: number, childrenMax: number, countEndsGrowth = false): SimulationResult {
  const every = { distribution: 'fixed', meanSec: 3_600 } as const;
  const spawning = { into: 'children', every, childrenMax, depthMax: 1, beatsMax: 9_999, sponsor: null };
  const children = { name: 'children', count, countEndsGrowth, spawned: true, sigil: 'never' } as const;
  return played(
    smallScenario([
      { name: 'parents', count: 2, spawning },
      { ...children, arrivals: { pattern: 'spawned' } },
    ]),
  );
}

describe('growth that the count of a population ends', () => {
  it('is told with its time and the births that it prevented, and fails the run', () => {
    const { manifest, expectations } = grown(5, 4);
    const [first, ...more] = manifest.censored;
    expect(more).toEqual([]);
    expect(first).toMatchObject({ population: 'children', count: 5, births_prevented: 2, allowed: false });
    expect(first?.at_ms).toBeGreaterThan(2 * 3_600_000);
    expect(expectations).toEqual([
      { text: 'births prevented by the count of children = 0', measured: 2, holds: false },
    ]);
  });

  it('is told and fails nothing where the scenario allows it', () => {
    const { manifest, expectations } = grown(5, 4, true);
    expect(manifest.censored).toMatchObject([{ births_prevented: 2, allowed: true }]);
    expect(expectations).toEqual([]);
  });

  it('is none where parents want no more children', () => {
    const { manifest, expectations } = grown(8, 4);
    expect([manifest.censored, expectations]).toEqual([[], []]);
  });
});
