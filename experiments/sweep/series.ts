/** Measures of a sweep over time: the mean of each arm at each sample, and how far an arm is from the first one, with pointwise 95 % bands. */

import { mean } from 'simple-statistics';
import type { SeriesPoint, SweepRun } from '../../results/sweep-result.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { tQuantile } from '../statistics/distributions.js';
import { meanInterval } from '../statistics/estimate.js';
import { unitOf } from './measure-formula.js';
import type { PlannedArm, SweepPlan } from './plan.js';

/** The seconds of the samples of a run that is played to its end. */
export function sampleTimes({ durationSec, measures }: Pick<Scenario, 'durationSec' | 'measures'>): readonly number[] {
  const whole = Math.ceil(durationSec / measures.everySec);
  return Array.from({ length: whole + 1 }, (_, i) => Math.min(i * measures.everySec, durationSec));
}

/** The means of all arms, by arm, measure and time; a moment at which no run has a value is left out. */
export function* seriesMeans({ arms }: SweepPlan, runs: readonly SweepRun[]): Generator<SeriesPoint> {
  const quantile = knownQuantiles();
  for (const arm of arms) {
    const own = runs.filter((run) => run.arm === arm.arm && run.error === undefined);
    yield* pointsOf(arm, null, quantile, (s, t) => own.flatMap((run) => run.series?.[s]?.[t] ?? []));
  }
}

/**
 * How far each arm is from the first, over the runs of the same seed, at the times and for the measures that both have. Nothing without common
 * random numbers: there are no pairs.
 */
export function* seriesDifferences({ arms, inputs }: SweepPlan, runs: readonly SweepRun[]): Generator<SeriesPoint> {
  const [first, ...others] = arms;
  if (first === undefined || !inputs.common_random_numbers) return;
  const quantile = knownQuantiles();
  const complete = runs.filter(({ error }) => error === undefined);
  const ofSeed = new Map(complete.flatMap((run) => (run.arm === first.arm ? [[run.seed, run] as const] : [])));
  const placeOfTime = new Map(sampleTimes(first.scenario).map((sec, place) => [sec, place]));
  for (const arm of others) {
    const times = sampleTimes(arm.scenario);
    const pairs = complete.flatMap((run) => {
      const base = run.arm === arm.arm ? ofSeed.get(run.seed) : undefined;
      return base === undefined ? [] : [[run, base] as const];
    });
    yield* pointsOf(arm, first.arm, quantile, (s, t) => {
      const there = placeOfTime.get(times[t] as number) ?? -1;
      return pairs.flatMap(([run, base]) => {
        const [own, other] = [run.series?.[s]?.[t] ?? null, base.series?.[s]?.[there] ?? null];
        return own === null || other === null ? [] : [own - other];
      });
    });
  }
}

function* pointsOf(
  { arm, scenario, series, formulas }: PlannedArm,
  less_arm: number | null,
  quantile: (degrees: number) => number,
  valuesAt: (s: number, t: number) => readonly number[],
): Generator<SeriesPoint> {
  const times = sampleTimes(scenario);
  for (const [s, subject] of series.entries()) {
    const of = { measure: subject.measure, group: subject.group, unit: unitOf(subject, formulas) };
    for (const [t, sec] of times.entries()) {
      const values = valuesAt(s, t);
      if (values.length === 0) continue;
      const band = meanInterval(values, quantile) ?? [null, null];
      const [low, high] = band;
      yield { arm, less_arm, ...of, time_ms: sec * 1_000, n: values.length, mean: mean([...values]), low, high };
    }
  }
}

/** The 97.5 % quantile of Student's t, computed once for each count. */
function knownQuantiles(): (degrees: number) => number {
  const known = new Map<number, number>();
  return (degrees) => {
    const found = known.get(degrees) ?? tQuantile(0.975, degrees);
    known.set(degrees, found);
    return found;
  };
}
