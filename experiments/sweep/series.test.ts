import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SweepRun } from '../../results/sweep-result.js';
import { describeProblem } from '../../spec/document.js';
import { planSweep } from './plan.js';
import { sampleTimes, seriesDifferences, seriesMeans } from './series.js';

const scenarioText = readFileSync(new URL('../../test/fixtures/small.yaml', import.meta.url), 'utf8').replace(
  'every: 1h',
  'every: 2d',
);
const HEAD = 'format: 1\nname: try\nquestion: What if?\nscenario: small.yaml\nreplicates: 3\n';
const DESIGN = 'design: { kind: grid, factors: { populations.workers.count: [5, 10] } }\nmeasures: [freezes]\n';
const planned = (rest: string) =>
  planSweep({ file: 'try.yaml', text: HEAD + DESIGN + rest, scenarioFile: 'small.yaml', scenarioText, version: '1' });
function plan(rest: string) {
  const parsed = planned(rest);
  if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
  return parsed.value;
}
const problems = (rest: string): readonly string[] => {
  const parsed = planned(rest);
  return parsed.ok ? [] : parsed.problems.map(describeProblem);
};
const run = (arm: number, seed: number, ...series: readonly (readonly (number | null)[])[]): SweepRun => ({
  ...{ arm, replicate: seed, seed, event_hash: 'e', values: [0], not_held: [], series },
});
// The samples are at 0, 2 and 3 days.
const RUNS = [
  run(0, 1, [0, 1, 10], [null, 0.5, 1]),
  run(0, 2, [0, 2, 20], [null, 0.5, null]),
  run(0, 3, [0, 3, 30], [null, 0.5, 0]),
  run(1, 1, [1, 2, 14], [null, 0, 1]),
  run(1, 2, [1, 4, 24], [null, 0, 1]),
  run(1, 3, [1, 6, 34], [null, 0, 1]),
];
const SERIES = 'series: [freezes, uptime_share.workers]\n';

describe('the series of a sweep', () => {
  it('are sampled until the end, which need not be a whole number of samples away', () => {
    expect(sampleTimes({ durationSec: 10, measures: { everySec: 4, names: [] } })).toEqual([0, 4, 8, 10]);
    expect(sampleTimes({ durationSec: 8, measures: { everySec: 4, names: [] } })).toEqual([0, 4, 8]);
    expect(sampleTimes({ durationSec: 3, measures: { everySec: 4, names: [] } })).toEqual([0, 3]);
  });

  it("are means with Student's bands: t is 4.303 with two degrees of freedom", () => {
    const points = [...seriesMeans(plan(SERIES), RUNS)];
    const at = (arm: number, measure: string, days: number) =>
      points.find((each) => each.arm === arm && each.measure === measure && each.time_ms === days * 86_400_000);
    const half = (4.302_653 * 1) / Math.sqrt(3);
    expect(at(0, 'freezes', 2)).toMatchObject({ n: 3, mean: 2, unit: '', group: null, less_arm: null });
    expect(at(0, 'freezes', 2)?.low).toBeCloseTo(2 - half, 5);
    expect(at(0, 'freezes', 2)?.high).toBeCloseTo(2 + half, 5);
    expect(at(0, 'freezes', 0)).toMatchObject({ mean: 0, low: 0, high: 0 });
    // A run without a value is not counted, and a moment without any value is not there.
    expect(at(0, 'uptime_share', 3)).toMatchObject({ n: 2, mean: 0.5, group: 'workers', unit: 'share' });
    expect(at(0, 'uptime_share', 0)).toBeUndefined();
  });

  it('are compared with the first arm in pairs of the same seed', () => {
    const points = [...seriesDifferences(plan(SERIES), RUNS.toReversed())];
    const freezes = points.filter(({ measure }) => measure === 'freezes');
    expect(freezes.map(({ mean }) => mean)).toEqual([1, 2, 4]);
    expect(freezes.map(({ arm, less_arm, n }) => [arm, less_arm, n])).toEqual([1, 1, 1].map((arm) => [arm, 0, 3]));
    // The pairs differ by 1, 2 and 3, and at the end each by 4: there the band has no width.
    const half = 4.302_653 / Math.sqrt(3);
    expect(freezes[1]?.high).toBeCloseTo(2 + half, 5);
    expect([freezes[2]?.low, freezes[2]?.high]).toEqual([4, 4]);
    expect(points.filter(({ measure }) => measure === 'uptime_share').map(({ n }) => n)).toEqual([3, 2]);
  });

  it('are not compared without common seeds, and a failed run is not counted', () => {
    expect([...seriesDifferences(plan(`${SERIES}common_random_numbers: false\n`), RUNS)]).toEqual([]);
    const failed = RUNS.map((each) => (each.seed === 3 && each.arm === 1 ? { ...each, error: 'x' } : each));
    expect(new Set([...seriesDifferences(plan(SERIES), failed)].map(({ n }) => n))).toEqual(new Set([2, 1]));
  });

  it.each([
    ['series: [freezes at 1d]\n', 'try.yaml:8: series.0: is over all times: leave out at'],
    ['series: [freeze]\n', /^try.yaml:8: series.0: column 1: "freeze" is not a measure/],
  ])('%j is refused with its line and key', (rest, message) => {
    expect(problems(rest)).toEqual([expect.stringMatching(message)]);
  });

  it('are refused where they would not fit into memory', () => {
    const many = HEAD.replace('replicates: 3', 'replicates: 1000000') + DESIGN + SERIES;
    const parsed = planSweep({ file: 'try.yaml', text: many, scenarioFile: 'small.yaml', scenarioText, version: '1' });
    expect(parsed.ok ? [] : parsed.problems.map(describeProblem)).toEqual([
      'try.yaml:8: series: keeps 12000000 numbers, and at most 10000000 are: list fewer measures, or sample less often (measures.every of the scenario)',
    ]);
  });
});
