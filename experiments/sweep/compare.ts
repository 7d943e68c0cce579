/** Compares arms of sweeps: which runs make a pair, which measures both have, and what is shown. The sums are in statistics/. */

import { type Comparison, type SweepMeasure, type SweepRun, valueAt, valuesAt } from '../../results/sweep-result.js';
import {
  type Difference,
  holm,
  holmMissing,
  independentDifference,
  pairedDifference,
} from '../statistics/difference.js';
import type { PlannedArm } from './plan.js';

/** An arm and its runs. */
export interface ComparedArm {
  readonly arm: Pick<PlannedArm, 'name' | 'measures'>;
  readonly runs: readonly SweepRun[];
}

/** A comparison is a difference where its corrected probability is at most this. */
const SHOWN_BELOW = 0.05;

/** Two arms to compare: A and B. */
export type ArmPair = readonly [a: ComparedArm, b: ComparedArm];

/**
 * Every measure that both arms of a pair have, compared; probabilities are corrected for all of them together. Runs of the same
 * seed are pairs; where fewer than two seeds are shared, runs are taken as independent. Arms with fewer than two complete runs
 * are left out.
 */
export function compareArms(
  pairs: readonly ArmPair[],
  wanted: (measure: SweepMeasure) => boolean,
): readonly Comparison[] {
  const found = pairs.flatMap(([a, b]) =>
    a.arm.measures.flatMap((measure, index) => {
      const other = b.arm.measures.findIndex((each) => sameMeasure(each, measure));
      if (other < 0 || !wanted(measure)) return [];
      const difference = differenceOf(a.runs, b.runs, index, other);
      return difference === null ? [] : [{ arms: [a.arm.name, b.arm.name] as const, measure, difference }];
    }),
  );
  const plain = found.map(({ difference }) => difference());
  const probabilities = plain.map(({ p }) => p);
  const [adjusted, missing] = [holm(probabilities), holmMissing(probabilities, SHOWN_BELOW)];
  return found.map(({ arms, measure, difference }, i) => {
    const [own, p_holm] = [plain[i] as Difference, adjusted[i] as number];
    const holm95 = difference(missing[i]).t95;
    return { arms, ...measure, ...own, holm95, p_holm, verdict: verdictOf(own.difference, p_holm, own.t95) };
  });
}

function sameMeasure(a: SweepMeasure, b: SweepMeasure): boolean {
  return a.measure === b.measure && a.group === b.group && a.time_ms === b.time_ms;
}

/** The difference of two arms by the share of intervals that may miss it; null for too few runs. */
function differenceOf(
  a: readonly SweepRun[],
  b: readonly SweepRun[],
  ofA: number,
  ofB: number,
): ((missing?: number) => Difference) | null {
  const [complete, others] = [a, b].map((runs) => runs.filter(({ error }) => error === undefined)) as [
    SweepRun[],
    SweepRun[],
  ];
  const bySeed = new Map(others.map((run) => [run.seed, run]));
  const pairs = complete.flatMap((run) => {
    const other = bySeed.get(run.seed);
    const [own, its] = [valueAt(run, ofA), other === undefined ? null : valueAt(other, ofB)];
    return own === null || its === null ? [] : [[own, its] as const];
  });
  if (pairs.length > 1) {
    const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
    return (missing) => pairedDifference(xs, ys, missing);
  }
  const [xs, ys] = [valuesAt(complete, ofA), valuesAt(others, ofB)];
  if (xs.length < 2 || ys.length < 2) return null;
  return (missing) => independentDifference(xs, ys, missing);
}

function verdictOf(difference: number, p: number, [low, high]: readonly [number, number]): Comparison['verdict'] {
  if (difference === 0 && low === 0 && high === 0) return 'identical';
  if (p > SHOWN_BELOW) return 'no difference shown';
  return difference > 0 ? 'B is higher' : 'B is lower';
}
