import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SweepRun } from '../../results/sweep-result.js';
import { describeProblem } from '../../spec/document.js';
import { compareArms } from './compare.js';
import { planSweep, replicateSeed, type SweepPlan, seedOfRun } from './plan.js';
import { isNarrow, summarize } from './summary.js';

const scenarioText = readFileSync(new URL('../../test/fixtures/small.yaml', import.meta.url), 'utf8');
const HEAD = 'format: 1\nname: try\nquestion: What if?\nscenario: small.yaml\nreplicates: 3\n';
const DESIGN =
  'design: { kind: grid, factors: { populations.workers.count: [5, 10] } }\nmeasures: [freezes, fees_lamports at 1d]\n';

const planned = (rest: string, until: SweepPlan['inputs']['until'] = []) =>
  planSweep({ file: 'try.yaml', text: HEAD + rest, scenarioFile: 'small.yaml', scenarioText, version: '1', until });
function plan(rest: string, until: SweepPlan['inputs']['until'] = []): SweepPlan {
  const parsed = planned(rest, until);
  if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
  return parsed.value;
}
const problems = (rest: string): readonly string[] => {
  const parsed = planned(rest);
  return parsed.ok ? [] : parsed.problems.map(describeProblem);
};
const run = (arm: number, replicate: number, values: readonly number[], rest: Partial<SweepRun> = {}): SweepRun => ({
  ...{ arm, replicate, seed: replicate, event_hash: 'e', values, not_held: [] },
  ...rest,
});

describe('a sweep', () => {
  it('has an arm for each row of its design, with its own scenario', () => {
    const { arms } = plan(DESIGN);
    expect(arms.map(({ name }) => name)).toEqual(['count=5', 'count=10']);
    expect(arms.map(({ scenario }) => scenario.populations[0]?.count)).toEqual([5, 10]);
    expect(arms[0]?.measures).toEqual([
      { measure: 'freezes', group: null, time_ms: 3 * 86_400_000, unit: '' },
      { measure: 'fees_lamports', group: null, time_ms: 86_400_000, unit: 'lamports' },
    ]);
  });

  it('without a design or measures has one arm, and every measure of every group', () => {
    const [arm, none] = plan('').arms;
    expect(none).toBeUndefined();
    expect(arm?.name).toBe('unchanged');
    expect(new Set(arm?.measures.map(({ group }) => group))).toEqual(
      new Set([null, 'narrow_task', 'orchestrator', 'workers']),
    );
  });

  it('shares seeds between arms, unless it is told not to', () => {
    const [common, apart] = [plan(DESIGN), plan(`${DESIGN}common_random_numbers: false\n`)];
    expect(seedOfRun(common, 0, 2)).toBe(seedOfRun(common, 1, 2));
    expect(seedOfRun(apart, 0, 2)).not.toBe(seedOfRun(apart, 1, 2));
  });

  it('never has a seed in common with a sweep of another seed', () => {
    const seeds = Array.from({ length: 20 }, (_, seed) =>
      Array.from({ length: 50 }, (_r, r) => replicateSeed(seed, r, null)),
    );
    expect(new Set(seeds.flat()).size).toBe(1_000);
    expect(seeds.flat().every(Number.isSafeInteger)).toBe(true);
  });

  it.each([
    [
      'replicate: 3\n',
      /^try.yaml:6: replicate: is not a key that is known here; known: .*; did you mean replicates\?$/,
    ],
    ['design: { kind: full }\n', 'try.yaml:6: design.kind: must be one of grid, zip, table, latin_hypercube, sobol'],
    [
      'design: { kind: latin-hypercube, points: 3, factors: { seed: { from: 1, to: 2 } } }\n',
      /^try.yaml:6: design.kind: must be .*; did you mean latin_hypercube\?$/,
    ],
    [
      'design: { factors: { seed: [1] } }\n',
      'try.yaml:6: design.kind: is missing: it must be one of grid, zip, table, latin_hypercube, sobol',
    ],
    [
      'design: { kind: sobol, points: 3, factors: { seed: { from: 1, to: 2, scale: liner } } }\n',
      'try.yaml:6: design.factors.seed.scale: must be linear or log; did you mean linear?',
    ],
    [
      'design: { kind: zip, factors: { a.b: [1], c.d: [1, 2] } }\n',
      'try.yaml:6: design.factors: must be lists of the same length',
    ],
    [
      'design: { kind: grid, factors: { populations.bees.count: [1] } }\n',
      'try.yaml:6: design.factors.populations.bees.count: arm 0 (unchanged): populations.bees.count: there is no bees in populations; known: workers',
    ],
    [
      'design: { kind: grid, factors: { populations.workers.count: [1, -1] } }\n',
      'try.yaml:6: design.factors.populations.workers.count: arm 1 (count=-1): populations.0.count: must be a whole number from 0 to 10000000',
    ],
    [
      'design: { kind: table, rows: [{ set: { seed: 2 } }, { set: { seed: 2 } }] }\n',
      'try.yaml:6: design: has two arms that are the same: unchanged',
    ],
    [
      'design:\n  kind: table\n  rows:\n    - set: { seed: 2 }\n    - set:\n        populations.workers.class: clerk\n',
      /^try.yaml:11: design.rows.1.set.populations.workers.class: arm 1 \(.*\): populations.0.class: must be one of narrow_task/,
    ],
    ['measures: [frozen_shar]\n', /^try.yaml:6: measures.0: .*; did you mean frozen_share\?$/],
    ['measures: [freezing]\n', /^try.yaml:6: measures.0: column 1: "freezing" is not a measure; known: .*/],
    ['expectations: [frozen_share < 5%]\n', /^try.yaml:6: expectations.0: must have the form mean\(frozen_share\)/],
    [
      'expectations: [mean(frozen_share) < 5% in other]\n',
      'try.yaml:6: expectations.0: there is no arm other; known: unchanged',
    ],
    [
      'expectations: [mean(frozen_share) < 5% after 1d]\n',
      'try.yaml:6: expectations.0: names many moments: write at, not after',
    ],
  ])('with a mistake says what to do: %j', (rest, problem) => {
    expect(problems(rest)).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
  });
});

describe('a summary', () => {
  const expectations =
    'expectations: [mean(freezes) < 3, p95(freezes) < 2.5 in count=5, max(frozen_share) >= 0.5 in count=10]\n';
  const runs = [
    ...[run(0, 0, [1, 9]), run(0, 1, [2, 9], { not_held: ['freezes > 5'] }), run(0, 2, [3, 9])],
    ...[run(1, 0, [4, 9, 0.2]), run(1, 1, [5, 9, 0.6]), run(1, 2, [], { error: 'broken' })],
  ];

  it('estimates each measure of each arm from the runs that came to their end', () => {
    const { estimates, failures, replicates } = summarize(plan(DESIGN), runs);
    expect(estimates.map(({ arm, measure, n, mean }) => [arm, measure, n, mean])).toEqual([
      [0, 'freezes', 3, 2],
      [0, 'fees_lamports', 3, 9],
      [1, 'freezes', 2, 4.5],
      [1, 'fees_lamports', 2, 9],
    ]);
    expect(failures).toEqual([{ arm: 1, replicate: 2, seed: 2, error: 'broken' }]);
    expect(replicates).toBe(3);
  });

  it('judges expectations over replicates, and counts those of the scenario', () => {
    const summary = summarize(plan(DESIGN + expectations), runs);
    expect(summary.expectations.map(({ arm, measured, holds }) => [arm, measured, holds])).toEqual([
      [0, 2, true],
      [1, 4.5, false],
      [0, 2.9, false],
      [1, 0.6, true],
    ]);
    expect(summary.scenario_expectations.filter(({ text }) => text === 'freezes > 5')).toEqual([
      { text: 'freezes > 5', arm: 0, held: 2, runs: 3 },
      { text: 'freezes > 5', arm: 1, held: 2, runs: 2 },
    ]);
  });

  it('has the same digest of its runs only for the same events', () => {
    const digest = (list: readonly SweepRun[]) => summarize(plan(DESIGN), list).runs_digest;
    expect(digest(runs)).toBe(digest(structuredClone(runs)));
    expect(digest(runs)).not.toBe(digest(runs.with(0, run(0, 0, [1, 9], { event_hash: 'f' }))));
  });

  it('is narrow enough when every arm is, with ten runs at least', () => {
    const near = (n: number) =>
      [0, 1].flatMap((arm) => Array.from({ length: n }, (_, i) => run(arm, i, [arm + (i % 2) / 1_000, 9])));
    const narrow = (half_width: number, n: number) =>
      isNarrow(plan(DESIGN, [{ measure: 'freezes', half_width }]), near(n));
    // sd 0.000527046, n = 10: 2.262157 * 0.000527046 / 3.162278 = 0.00037703.
    expect([narrow(0.000_38, 10), narrow(0.000_37, 10)]).toEqual([true, false]);
    // A few values are near each other by luck.
    expect(narrow(1, 9)).toBe(false);
  });
});

describe('a ratio whose divisor is 0', () => {
  const sweep = plan(DESIGN);
  const nothing = { no_value: [0] };
  const runs = [
    ...[run(0, 0, [0, 5], nothing), run(0, 1, [4, 5]), run(0, 2, [6, 5])],
    ...[run(1, 0, [0, 5], nothing), run(1, 1, [0, 5], nothing), run(1, 2, [0, 5], nothing)],
  ];

  it('is not counted in an estimate, and the summary says so', () => {
    const { estimates, without_value: without } = summarize(sweep, runs);
    expect(estimates.map(({ arm, measure, n, mean, no_value }) => [arm, measure, n, mean, no_value])).toEqual([
      [0, 'freezes', 2, 5, 1],
      [0, 'fees_lamports', 3, 5, undefined],
      [1, 'fees_lamports', 3, 5, undefined],
    ]);
    expect(without).toMatchObject([{ arm: 1, measure: 'freezes', runs: 3 }]);
  });

  it('makes no pair', () => {
    const [a, b] = sweep.arms as [(typeof sweep.arms)[0], (typeof sweep.arms)[0]];
    const compared = (other: readonly SweepRun[]) =>
      compareArms(
        [
          [
            { arm: a, runs: runs.slice(0, 3) },
            { arm: b, runs: other },
          ],
        ],
        ({ measure }) => measure === 'freezes',
      );
    expect(compared(runs.slice(3))).toEqual([]);
    expect(compared([0, 1, 2].map((i) => run(1, i, [7, 5])))[0]).toMatchObject({ n: [2, 2], difference: 2 });
  });
});
