/**
 * The inputs, runs and results of a sweep and of a comparison of two arms, as the writers take them. What is read back from files has
 * a schema. They are computed in experiments.
 */

import { z } from 'zod';
import type { Json } from './json-text.js';
import { type AgentRow, type ModuleOrigin, moduleOrigin } from './simulation-result.js';

/** The version of the shape of `sweep.json` and of a sweep's `summary.json`. */
export const SWEEP_SCHEMA = 'aips-lab/sweep/1';

/** One arm: what it sets in the scenario file, by path. */
export interface SweepArm {
  readonly arm: number;
  readonly name: string;
  readonly set: Readonly<Record<string, Json>>;
}

/** A measure of an arm: of all agents, or of a class or population, at the end or at a time. */
export interface SweepMeasure {
  readonly measure: string;
  readonly group: string | null;
  readonly time_ms: number;
  readonly unit: string;
}

/** A run, as a line of a file holds it. */
export const sweepRunSchema = z.object({
  arm: z.int().nonnegative(),
  replicate: z.int().nonnegative(),
  seed: z.int().nonnegative(),
  event_hash: z.string(),
  values: z.array(z.number()).readonly(),
  /** The places of values that are 0 because a measure has none; absent: none. */
  no_value: z.array(z.int().nonnegative()).readonly().exactOptional(),
  /** The values of each measure of `series` at each sample, null where it has none; absent: the sweep has no series. */
  series: z.array(z.array(z.number().nullable()).readonly()).readonly().exactOptional(),
  /**
   * For each group of `survival`, in order of size: two times the seconds of each agent until its first freeze, and one more; or two times those
   * until it departs or the run ends. Absent: the sweep has no survival.
   */
  lives: z.array(z.array(z.int().nonnegative()).readonly()).readonly().exactOptional(),
  /** The expectations of the scenario that fail. */
  not_held: z.array(z.string()).readonly(),
  /** The keys of the arm's scenario that had no effect, and why; absent: none. */
  no_effect: z.array(z.string()).readonly().exactOptional(),
  /** Why the run failed; it has no values then. */
  error: z.string().exactOptional(),
});

/** One run. Its values are in the order of its arm's measures. */
export type SweepRun = z.output<typeof sweepRunSchema>;

/** The value of a run at a place of its arm's measures; null where it has none, as a ratio whose divisor is 0. */
export function valueAt({ values, no_value: without = [] }: SweepRun, place: number): number | null {
  return without.includes(place) ? null : (values[place] ?? null);
}

/** Those values of runs that there are. */
export function valuesAt(runs: readonly SweepRun[], place: number): readonly number[] {
  return runs.flatMap((run) => valueAt(run, place) ?? []);
}

/** `sweep.json`. */
export const sweepInputsSchema = z.object({
  schema: z.literal(SWEEP_SCHEMA),
  version: z.string(),
  name: z.string(),
  question: z.string(),
  file: z.string(),
  /** The sweep file and the scenario file as they were. */
  text: z.string(),
  scenario_file: z.string(),
  scenario_text: z.string(),
  seed: z.number(),
  replicates: z.number(),
  common_random_numbers: z.boolean(),
  /** The half widths of 95 % intervals at which replicates end; empty: `replicates` are played. */
  until: z.array(z.object({ measure: z.string(), half_width: z.number() })).readonly(),
  replicates_max: z.number(),
  /** The module of the user's own behaviours, where the runs were played with one. */
  behaviours: moduleOrigin.exactOptional(),
  /** SHA-256 of all of the above. */
  digest: z.string(),
});

/** Everything that a sweep's runs follow from. */
export type SweepInputs = z.output<typeof sweepInputsSchema>;

/** An estimate over replicates; a number for which they are too few is null. `docs/experiments.md` explains each. */
export interface Estimate {
  /** The number of replicates. */
  readonly n: number;
  readonly mean: number;
  readonly sd: number | null;
  /** The 95 % interval of the mean by Student's t. */
  readonly t95: readonly [number, number] | null;
  /** The same by the bootstrap, where the values are skewed. */
  readonly bootstrap95: readonly [number, number] | null;
  readonly skewness: number | null;
  readonly min: number;
  readonly p05: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly max: number;
}

/** The estimate of one measure in one arm. */
export interface SweepEstimate extends SweepMeasure, Estimate {
  readonly arm: number;
  /** Complete runs that are not counted, because the measure has no value there; absent: none. */
  readonly no_value?: number;
}

/** A measure of an arm at one moment, or how far it is from that of another arm, over runs. */
export interface SeriesPoint extends SweepMeasure {
  readonly arm: number;
  /** The arm that is taken away; null: none. */
  readonly less_arm: number | null;
  /** Runs, or pairs of runs, that have a value. */
  readonly n: number;
  readonly mean: number;
  /** The ends of the 95 % interval of the mean by Student's t; null for a single run. */
  readonly low: number | null;
  readonly high: number | null;
}

/** The curve of survival (Kaplan-Meier) of an arm at one moment: at its begin, where agents froze, and at its end. */
export interface SurvivalPoint {
  readonly arm: number;
  readonly group: string | null;
  readonly time_ms: number;
  /** Agents under observation just before. */
  readonly at_risk: number;
  /** Agents that froze then. */
  readonly events: number;
  /** The estimated share not yet frozen, and the ends of its pointwise 95 % interval; null where it has none (none or all are frozen). */
  readonly survival: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Times until the first freeze, over the runs of each arm, and how surely they differ. */
export interface SweepSurvival {
  readonly of: 'first_freeze';
  readonly curves: readonly {
    readonly arm: number;
    readonly group: string | null;
    readonly agents: number;
    readonly frozen: number;
    readonly censored: number;
    /** The time at which half are frozen, and its 95 % interval; null for what the runs do not reach. */
    readonly median_ms: number | null;
    readonly median95_ms: readonly [number | null, number | null];
  }[];
  /** Log-rank tests of the groups of an arm, and of the arms of a group. */
  readonly tests: readonly {
    readonly compared: 'groups' | 'arms';
    /** The arm of the groups; null: arms are compared. */
    readonly arm: number | null;
    /** The group of the arms; null: all agents, or groups are compared. */
    readonly group: string | null;
    readonly names: readonly string[];
    readonly chi_square: number;
    readonly degrees: number;
    readonly p: number;
    /** First freezes of each, and those that it would have if all had the same risk. */
    readonly observed: readonly number[];
    readonly expected: readonly number[];
  }[];
}

/** An agent at the end of a run. */
export interface SweptAgent extends AgentRow, Pick<SweepRun, 'arm' | 'replicate' | 'seed'> {}

/** A measure of an arm without a value in any of its complete runs. */
interface ValuelessMeasure extends SweepMeasure {
  readonly arm: number;
  readonly runs: number;
}

/** One expectation of the sweep in one arm. */
export interface SweepExpectationResult {
  readonly text: string;
  readonly arm: number;
  /** Null: no run of the arm finished. */
  readonly measured: number | null;
  readonly holds: boolean;
}

/** How often an expectation of the scenario passed in an arm. */
export interface HeldCount {
  readonly text: string;
  readonly arm: number;
  readonly held: number;
  readonly runs: number;
}

/** `summary.json` of a sweep. */
export interface SweepSummary {
  readonly schema: typeof SWEEP_SCHEMA;
  readonly digest: string;
  readonly name: string;
  readonly question: string;
  readonly version: string;
  /** The module of the user's own behaviours, where the runs were played with one. */
  readonly behaviours?: ModuleOrigin;
  readonly common_random_numbers: boolean;
  /** Runs of each arm. */
  readonly replicates: number;
  /** SHA-256 over arm, replicate, seed and event hash of every run: `aips experiment again` compares it. */
  readonly runs_digest: string;
  readonly arms: readonly SweepArm[];
  readonly estimates: readonly SweepEstimate[];
  /** Measures without an estimate; absent: none. */
  readonly without_value?: readonly ValuelessMeasure[];
  /** Absent: the sweep does not ask for it. */
  readonly survival?: SweepSurvival;
  readonly expectations: readonly SweepExpectationResult[];
  readonly scenario_expectations: readonly HeldCount[];
  readonly failures: readonly {
    readonly arm: number;
    readonly replicate: number;
    readonly seed: number;
    readonly error: string;
  }[];
  /** Whether `--until-half-width` was reached; null: it was not asked for. */
  readonly half_width_reached: boolean | null;
}

/** The version of the shape of `aips experiment compare --json`. */
export const COMPARISON_SCHEMA = 'aips-lab/comparison/1';

/** One measure of two arms: the difference B less A. */
export interface Comparison extends SweepMeasure {
  /** The names of A and B. */
  readonly arms: readonly [string, string];
  /** Whether runs were compared in pairs. */
  readonly paired: boolean;
  /** Pairs, or runs of A and of B. */
  readonly n: readonly [number, number];
  readonly means: readonly [number, number];
  readonly difference: number;
  /** The 95 % interval of the difference. */
  readonly t95: readonly [number, number];
  /** The interval at Holm's level, for all comparisons of this report together: it excludes 0 just where the verdict shows a difference. */
  readonly holm95: readonly [number, number];
  /** The probability of a difference at least as large if there were none. */
  readonly p: number;
  /** The probability corrected for all comparisons of this report (Holm). */
  readonly p_holm: number;
  /** Cohen's d of the pairs, or Hedges' g; null for a difference without any spread. */
  readonly effect: number | null;
  /** How many times as wide the interval would be without pairs; null where there are none or nothing varies. */
  readonly narrowed: number | null;
  readonly verdict: 'identical' | 'no difference shown' | 'B is higher' | 'B is lower';
}

/** The version of the shape that `aips experiment power --json` prints. */
export const POWER_SCHEMA = 'aips-lab/power/1';

/** The least number of runs of each arm; null for more than 10 million. */
export interface RunsNeeded {
  /** With the standard deviation of the pilot. */
  readonly runs: number | null;
  /** With one that is as large as in 80 % of pilots the true one is at most. */
  readonly runs_cautious: number | null;
}

/** How many runs show a difference of a measure between two arms. */
export interface PlannedRuns extends SweepMeasure {
  readonly arms: readonly [a: string, b: string];
  /** The difference that is shown, and the probability that it is, at a two-sided level. */
  readonly difference: number;
  readonly power: number;
  readonly level: number;
  /** Runs of the pilot, and standard deviations in it: of each arm, and of the differences of pairs. */
  readonly pilot: readonly [number, number];
  readonly sds: readonly [number, number];
  readonly sd_of_pairs: number | null;
  /** Null: the arms of the pilot share no seeds. */
  readonly paired: RunsNeeded | null;
  readonly independent: RunsNeeded;
}
