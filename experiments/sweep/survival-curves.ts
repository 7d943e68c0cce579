/** The curves of survival of a sweep: times until the first freeze of the agents of all runs of an arm, and log-rank tests. */

import type { SurvivalPoint, SweepRun, SweepSurvival } from '../../results/sweep-result.js';
import { kaplanMeier, type Lifetime, logRank, medianOf } from '../statistics/survival.js';
import type { PlannedArm, SweepPlan } from './plan.js';

type Group = string | null;

/** The times of a group of an arm, in seconds, over its complete runs. */
function lifetimesOf({ arm, survival }: PlannedArm, group: Group, runs: readonly SweepRun[]): readonly Lifetime[] {
  const place = survival.indexOf(group);
  const own = runs.filter((run) => run.arm === arm && run.error === undefined);
  return own.flatMap(({ lives }) =>
    (lives?.[place] ?? []).map((life) => ({ time: Math.floor(life / 2), event: life % 2 === 1 })),
  );
}

/** The points of all curves, by arm and group: at 0, at each time at which agents froze, and at the end of the longest observation. */
export function* survivalPoints({ arms }: SweepPlan, runs: readonly SweepRun[]): Generator<SurvivalPoint> {
  for (const arm of arms) {
    for (const group of arm.survival) {
      const lifetimes = lifetimesOf(arm, group, runs);
      if (lifetimes.length === 0) continue;
      const of = { arm: arm.arm, group };
      yield { ...of, time_ms: 0, at_risk: lifetimes.length, events: 0, survival: 1, low: null, high: null };
      const steps = kaplanMeier(lifetimes);
      const shown = ({ time, band, ...step }: (typeof steps)[number]): SurvivalPoint => {
        const [low, high] = band ?? [null, null];
        return { ...of, time_ms: time * 1_000, ...step, low, high };
      };
      yield* steps.map(shown);
      const end = lifetimes.reduce((latest, { time }) => Math.max(latest, time), 0);
      const { survival = 1, band = null, time = 0 } = steps.at(-1) ?? {};
      if (end === time) continue;
      const at_risk = lifetimes.filter((life) => life.time === end).length;
      yield shown({ time: end, at_risk, events: 0, survival, band });
    }
  }
}

/** Medians and tests, as the summary has them; nothing where the file asks for no survival. */
export function survivalOf(
  { file, arms }: SweepPlan,
  runs: readonly SweepRun[],
): { readonly survival?: SweepSurvival } {
  if (file.survival === undefined) return {};
  const samples = arms.flatMap((arm) =>
    arm.survival.map((group) => ({ arm, group, lifetimes: lifetimesOf(arm, group, runs) })),
  );
  const known = samples.filter(({ lifetimes }) => lifetimes.length > 0);
  const curves = known.map(({ arm, group, lifetimes }) => {
    const { median, interval } = medianOf(kaplanMeier(lifetimes));
    const frozen = lifetimes.filter(({ event }) => event).length;
    const ms = (time: number | null): number | null => (time === null ? null : time * 1_000);
    return {
      ...{ arm: arm.arm, group, agents: lifetimes.length, frozen, censored: lifetimes.length - frozen },
      ...{ median_ms: ms(median), median95_ms: [ms(interval[0]), ms(interval[1])] as const },
    };
  });
  const groups = [...new Set(known.map(({ group }) => group))];
  const tests = [
    ...arms.flatMap(({ arm }) =>
      testOf(
        known.filter((each) => each.arm.arm === arm && each.group !== null),
        { compared: 'groups', arm, group: null },
      ),
    ),
    ...groups.flatMap((group) =>
      testOf(
        known.filter((each) => each.group === group),
        { compared: 'arms', arm: null, group },
      ),
    ),
  ];
  return { survival: { of: file.survival.of, curves, tests } };
}

/** The log-rank test of some samples; none where there are fewer than two, or where they have no event in common observation. */
function testOf(
  samples: readonly { readonly arm: PlannedArm; readonly group: Group; readonly lifetimes: readonly Lifetime[] }[],
  of: Pick<SweepSurvival['tests'][number], 'compared' | 'arm' | 'group'>,
): SweepSurvival['tests'] {
  const test = samples.length < 2 ? null : logRank(samples.map(({ lifetimes }) => lifetimes));
  if (test === null) return [];
  const names = samples.map(({ arm, group }) => (of.compared === 'arms' ? arm.name : (group ?? '')));
  return [{ ...of, names, ...test }];
}
