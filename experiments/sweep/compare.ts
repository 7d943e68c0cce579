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
  const found = commonMeasures(pairs, wanted).flatMap(({ a, b, measure, places }) => {
    const difference = differenceOf(a.runs, b.runs, ...places);
    return difference === null ? [] : [{ arms: [a.arm.name, b.arm.name] as const, measure, difference }];
  });
  const plain = found.map(({ difference }) => difference());
  const probabilities = plain.map(({ p }) => p);
  const [adjusted, missing] = [holm(probabilities), holmMissing(probabilities, SHOWN_BELOW)];
  return found.map(({ arms, measure, difference }, i) => {
    const [own, p_holm] = [plain[i] as Difference, adjusted[i] as number];
    const holm95 = difference(missing[i]).t95;
    return { arms, ...measure, ...own, holm95, p_holm, verdict: verdictOf(own.difference, p_holm, own.t95) };
  });
}

/** The wanted measures that both arms of a pair have, with their places in the two arms. */
export function commonMeasures(pairs: readonly ArmPair[], wanted: (measure: SweepMeasure) => boolean) {
  return pairs.flatMap(([a, b]) =>
    a.arm.measures.flatMap((measure, index) => {
      const other = b.arm.measures.findIndex((each) => sameMeasure(each, measure));
      return other < 0 || !wanted(measure) ? [] : [{ a, b, measure, places: [index, other] as const }];
    }),
  );
}

function sameMeasure(a: SweepMeasure, b: SweepMeasure): boolean {
  return a.measure === b.measure && a.group === b.group && a.time_ms === b.time_ms;
}

/** The difference of two arms by the share of intervals that may miss it; null for too few runs. */
function differenceOf(...given: Parameters<typeof comparedValues>): ((missing?: number) => Difference) | null {
  const values = comparedValues(...given);
  if (values === null) return null;
  const { paired, xs, ys } = values;
  return (missing) => (paired ? pairedDifference(xs, ys, missing) : independentDifference(xs, ys, missing));
}

/** The values of a measure in the runs of two arms, which has another place in each: pairs, or where fewer than two seeds are shared all of them. */
export function comparedValues(
  a: readonly SweepRun[],
  b: readonly SweepRun[],
  ofA: number,
  ofB: number,
): { readonly paired: boolean; readonly xs: readonly number[]; readonly ys: readonly number[] } | null {
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
  if (pairs.length > 1) return { paired: true, xs: pairs.map(([x]) => x), ys: pairs.map(([, y]) => y) };
  const [xs, ys] = [valuesAt(complete, ofA), valuesAt(others, ofB)];
  return xs.length < 2 || ys.length < 2 ? null : { paired: false, xs, ys };
}

function verdictOf(difference: number, p: number, [low, high]: readonly [number, number]): Comparison['verdict'] {
  if (difference === 0 && low === 0 && high === 0) return 'identical';
  if (p > SHOWN_BELOW) return 'no difference shown';
  return difference > 0 ? 'B is higher' : 'B is lower';
}
