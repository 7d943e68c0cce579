/** Says times until the first freeze in words: medians with their intervals, and log-rank tests. The numbers are in summary.json. */

import { durationText, numberText } from '../../results/numbers.js';
import type { SweepArm, SweepSummary, SweepSurvival } from '../../results/sweep-result.js';

type Curve = SweepSurvival['curves'][number];

/** `1 day 2 h (95 %: 22 h to not reached)`. */
export function medianText({ median_ms, median95_ms }: Pick<Curve, 'median_ms' | 'median95_ms'>): string {
  const [median, low, high] = [median_ms, ...median95_ms].map((ms) => (ms === null ? 'not reached' : durationText(ms)));
  return median95_ms.every((end) => end === null) ? `${median}` : `${median} (95 %: ${low} to ${high})`;
}

/** The curves that a test compares. */
export function comparedText(
  { compared, arm, group }: SweepSurvival['tests'][number],
  arms: readonly Pick<SweepArm, 'name'>[],
): string {
  return compared === 'groups' ? `groups of ${arms[arm ?? 0]?.name ?? ''}` : `arms, ${group ?? 'all agents'}`;
}

/** Lines for a terminal: none without survival. */
export function survivalLines({ arms, survival }: SweepSummary): readonly string[] {
  if (survival === undefined) return [];
  const named = survival.curves.map((curve) => {
    const name = arms[curve.arm]?.name ?? '';
    return { ...curve, label: curve.group === null ? name : `${name}, ${curve.group}` };
  });
  const width = Math.max(...named.map(({ label }) => label.length));
  return [
    ...['', 'first freeze, the median time since registration (Kaplan-Meier)'],
    ...named.map(
      ({ label, agents, frozen, ...curve }) =>
        `  ${label.padEnd(width)}  ${medianText(curve)}  ${numberText(frozen)} of ${numberText(agents)} agents`,
    ),
    ...survival.tests.map(
      (test) =>
        `  log-rank of ${comparedText(test, arms)}: chi-square ${numberText(test.chi_square)}, ${test.degrees} df, p = ${numberText(test.p)}`,
    ),
  ];
}
