/** The summary of a sweep: estimates for each arm and measure, and the expectations judged. */

import { createHash } from 'node:crypto';
import type {
  HeldCount,
  SweepEstimate,
  SweepExpectationResult,
  SweepMeasure,
  SweepRun,
  SweepSummary,
} from '../../reports/sweep-result.js';
import { compare } from '../../scenarios/expectation.js';
import { drawsOf } from '../statistics/draws.js';
import { estimateOf, halfWidth } from '../statistics/estimate.js';
import type { PlannedArm, SweepPlan } from './plan.js';
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
  return arm.measures.map((measure, m) => {
    const values = runs.map((run) => run.values[m] as number);
    const purpose = `bootstrap ${arm.name} ${measure.measure} ${measure.group ?? ''} ${measure.time_ms}`;
    return { arm: arm.arm, ...measure, ...estimateOf(values, () => drawsOf(seed, purpose)) };
  });
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
  // A ratio that divided by nothing shows nothing.
  const valued = runs.filter(({ no_value = [] }) => !no_value.includes(index));
  const values = valued.map((run) => run.values[index] as number);
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

/** Whether every arm's intervals are as narrow as `--until-half-width` asks. An arm with fewer than two complete runs is not. */
export function isNarrow({ inputs, arms }: SweepPlan, runs: readonly SweepRun[]): boolean {
  return arms.every((arm) => {
    const complete = completeRuns(runs, arm.arm);
    return inputs.until.every(({ measure, half_width }) => {
      const index = arm.measures.findIndex((each) => measureText(each, arm.scenario.durationSec * 1_000) === measure);
      const values = complete.map((run) => run.values[index] as number);
      return values.length > 1 && halfWidth(values) <= half_width;
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
