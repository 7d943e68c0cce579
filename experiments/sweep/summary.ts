/** The summary of a sweep: estimates for each arm and measure, and the expectations judged. */

import { createHash } from 'node:crypto';
import {
  type Estimate,
  type HeldCount,
  type SweepEstimate,
  type SweepExpectationResult,
  type SweepMeasure,
  type SweepRun,
  type SweepSummary,
  valuesAt,
} from '../../results/sweep-result.js';
import { compare } from '../../scenarios/expectation.js';
import { drawsOf } from '../statistics/draws.js';
import { estimateOf } from '../statistics/estimate.js';
import type { PlannedArm, SweepPlan } from './plan.js';
import { survivalOf } from './survival-curves.js';
import { type SweepExpectation, statisticOf } from './sweep-expectation.js';

/** The runs of an arm that did not fail, in the order of replicates. */
function completeRuns(runs: readonly SweepRun[], arm: number): readonly SweepRun[] {
  return runs.filter((run) => run.arm === arm && run.error === undefined);
}

/** The name of a measure, as expectations and flags write it. */
function measureText({ measure, group, time_ms }: SweepMeasure, endMs: number): string {
  const subject = group === null ? measure : `${measure}.${group}`;
  return time_ms === endMs ? subject : `${subject} at ${time_ms / 1_000}s`;
}

/** The summary of a sweep. `runs` are in the order of arms and replicates; the same runs give the same summary. */
export function summarize(plan: SweepPlan, runs: readonly SweepRun[]): SweepSummary {
  const { inputs, arms, expectations } = plan;
  const byArm = arms.map(({ arm }) => completeRuns(runs, arm));
  const valueless = arms.flatMap(({ arm, measures }, i) => {
    const complete = byArm[i] as readonly SweepRun[];
    return measures.flatMap((measure, m) =>
      complete.length > 0 && valuesAt(complete, m).length === 0 ? [{ arm, ...measure, runs: complete.length }] : [],
    );
  });
  const failures = runs.flatMap(({ arm, replicate, seed, error }) =>
    error === undefined ? [] : [{ arm, replicate, seed, error }],
  );
  return {
    schema: inputs.schema,
    digest: inputs.digest,
    name: inputs.name,
    question: inputs.question,
    version: inputs.version,
    ...(inputs.behaviours === undefined ? {} : { behaviours: inputs.behaviours }),
    common_random_numbers: inputs.common_random_numbers,
    replicates: runs.length / arms.length,
    runs_digest: runsDigest(runs),
    arms: arms.map(({ arm, name, set }) => ({ arm, name, set })),
    estimates: arms.flatMap((arm, i) => estimatesOf(arm, byArm[i] as readonly SweepRun[], inputs.seed)),
    ...(valueless.length === 0 ? {} : { without_value: valueless }),
    ...survivalOf(plan, runs),
    expectations: expectations.flatMap((expectation) =>
      expectation.arms.map((arm) =>
        judgeExpectation(expectation, arms[arm] as PlannedArm, byArm[arm] as readonly SweepRun[]),
      ),
    ),
    scenario_expectations: arms.flatMap((arm, i) => heldCounts(arm, byArm[i] as readonly SweepRun[])),
    failures,
    half_width_reached: inputs.until.length === 0 ? null : isNarrow(plan, runs),
  };
}

function estimatesOf(arm: PlannedArm, runs: readonly SweepRun[], seed: number): SweepEstimate[] {
  if (runs.length === 0) return [];
  return arm.measures.flatMap((measure, m) => {
    const estimate = estimateAt(arm, runs, m, seed);
    if (estimate === null) return [];
    const without = runs.length - estimate.n;
    return [{ arm: arm.arm, ...measure, ...estimate, ...(without === 0 ? {} : { no_value: without }) }];
  });
}

/** The estimate of the m-th measure of an arm, over the runs in which it has a value; null for none. */
function estimateAt(
  { name, measures }: PlannedArm,
  runs: readonly SweepRun[],
  m: number,
  seed: number,
): Estimate | null {
  const { measure, group, time_ms } = measures[m] as SweepMeasure;
  const purpose = `bootstrap ${name} ${measure} ${group ?? ''} ${time_ms}`;
  const values = valuesAt(runs, m);
  return values.length === 0 ? null : estimateOf(values, () => drawsOf(seed, purpose));
}

function subjectIndex({ subjects }: PlannedArm, { subject }: SweepExpectation): number {
  return subjects.findIndex(
    ({ measure, group, atSec }) => measure === subject.measure && group === subject.group && atSec === subject.atSec,
  );
}

function judgeExpectation(
  expectation: SweepExpectation,
  arm: PlannedArm,
  runs: readonly SweepRun[],
): SweepExpectationResult {
  const index = subjectIndex(arm, expectation);
  const values = valuesAt(runs, index);
  const { text, statistic, comparison, value } = expectation;
  if (values.length === 0) return { text, arm: arm.arm, measured: null, holds: false };
  const measured = statisticOf(statistic, values);
  return { text, arm: arm.arm, measured, holds: compare(comparison, measured, value) };
}

function heldCounts({ arm, scenario }: PlannedArm, runs: readonly SweepRun[]): HeldCount[] {
  const ofScenario = [
    ...scenario.expectations.map(({ text }) => text),
    ...scenario.sometimes.map((goal) => `sometimes ${goal}`),
  ];
  // A run can also fail for a reason that no scenario lists, such as censored growth.
  const texts = new Set([...ofScenario, ...runs.flatMap(({ not_held }) => not_held)]);
  return [...texts].map((text) => ({
    text,
    arm,
    runs: runs.length,
    held: runs.filter(({ not_held }) => !not_held.includes(text)).length,
  }));
}

/** SHA-256 over what identifies the events of every run. */
function runsDigest(runs: readonly SweepRun[]): string {
  const hash = createHash('sha256');
  for (const { arm, replicate, seed, event_hash, error } of runs) {
    hash.update(`${JSON.stringify([arm, replicate, seed, event_hash, error ?? null])}\n`);
  }
  return hash.digest('hex');
}

/** Fewer runs are never narrow enough: a few values can be near each other by luck. */
const NARROW_RUNS_MIN = 10;

/**
 * Whether every arm's intervals are as narrow as `--until-half-width` asks, by the interval that is shown: the bootstrap's for skewed
 * values, else Student's t. An arm with fewer than `NARROW_RUNS_MIN` complete runs is not.
 */
export function isNarrow({ inputs, arms }: SweepPlan, runs: readonly SweepRun[]): boolean {
  return arms.every((arm) => {
    const complete = completeRuns(runs, arm.arm);
    if (complete.length < NARROW_RUNS_MIN) return false;
    const endMs = arm.scenario.durationSec * 1_000;
    const wanted = new Map(inputs.until.map(({ measure, half_width }) => [measure, half_width]));
    const asked = arm.measures.flatMap((each, m) => {
      const halfWidth = wanted.get(measureText(each, endMs));
      return halfWidth === undefined ? [] : [{ halfWidth, estimate: estimateAt(arm, complete, m, inputs.seed) }];
    });
    return asked.every(({ halfWidth, estimate }) => {
      if (estimate === null || estimate.n < NARROW_RUNS_MIN) return false;
      const interval = estimate.bootstrap95 ?? estimate.t95;
      return interval !== null && (interval[1] - interval[0]) / 2 <= halfWidth;
    });
  });
}

/** The measures of `--until-half-width` that some arm does not have. */
export function unknownMeasures({ arms, inputs }: SweepPlan): readonly string[] {
  return inputs.until
    .map(({ measure }) => measure)
    .filter((name) =>
      arms.some((arm) => !arm.measures.some((each) => measureText(each, arm.scenario.durationSec * 1_000) === name)),
    );
}
