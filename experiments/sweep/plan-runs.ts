/** How many runs show a difference, from the runs of a pilot: the pairs of two of its arms, and their values. The probabilities are in statistics/. */

import { mean, sampleStandardDeviation } from 'simple-statistics';
import type { PlannedRuns, RunsNeeded, SweepMeasure } from '../../results/sweep-result.js';
import { chiSquareQuantile } from '../statistics/distributions.js';
import { independentPower, leastRuns, pairedPower } from '../statistics/power.js';
import { type ArmPair, commonMeasures, comparedValues } from './compare.js';

/** A difference that shall be shown. */
export interface WantedPower {
  /** In the unit of the measure, or a share of the mean of arm A. */
  readonly difference: { readonly value: number; readonly relative: boolean };
  readonly power: number;
  readonly level: number;
}

/** A standard deviation from a pilot is at most this many times too small in 80 % of pilots (Browne 1995). */
const PILOTS_COVERED = 0.8;

/**
 * For every wanted measure that both arms of a pair have: how many runs of each arm show the difference. A measure with too few runs, or with a
 * difference of zero, is left out.
 */
export function plannedRuns(
  pairs: readonly ArmPair[],
  wanted: (measure: SweepMeasure) => boolean,
  { difference, power, level }: WantedPower,
): readonly PlannedRuns[] {
  return commonMeasures(pairs, wanted).flatMap(({ a, b, measure, places }) => {
    const values = comparedValues(a.runs, b.runs, ...places);
    if (values === null) return [];
    const { paired, xs, ys } = values;
    const size = difference.relative ? Math.abs(mean([...xs])) * difference.value : difference.value;
    if (size === 0) return [];
    const sds = [sampleStandardDeviation([...xs]), sampleStandardDeviation([...ys])] as const;
    const sdOfPairs = paired ? sampleStandardDeviation(ys.map((y, i) => y - (xs[i] as number))) : null;
    const test = { difference: size, level };
    const inPairs = (factor: number) => (n: number) => pairedPower(n, (sdOfPairs ?? 0) * factor, test);
    const apart = (factor: number) => (n: number) => independentPower(n, [sds[0] * factor, sds[1] * factor], test);
    const needed = (powerOf: (factor: number) => (n: number) => number, degrees: number): RunsNeeded => ({
      runs: leastRuns(power, powerOf(1)),
      runs_cautious: leastRuns(power, powerOf(Math.sqrt(degrees / chiSquareQuantile(1 - PILOTS_COVERED, degrees)))),
    });
    const pilot = [xs.length, ys.length] as const;
    const row = {
      arms: [a.arm.name, b.arm.name] as const,
      ...measure,
      ...{ difference: size, power, level, pilot, sds, sd_of_pairs: sdOfPairs },
    };
    const pairsNeeded = sdOfPairs === null ? null : sdOfPairs === 0 ? NOTHING_VARIES : needed(inPairs, xs.length - 1);
    const varies = sds[0] > 0 || sds[1] > 0;
    return [
      { ...row, paired: pairsNeeded, independent: varies ? needed(apart, pilot[0] + pilot[1] - 2) : NOTHING_VARIES },
    ];
  });
}

/** Two runs, from which a standard deviation can be had, show any difference. */
const NOTHING_VARIES: RunsNeeded = { runs: 2, runs_cautious: 2 };
