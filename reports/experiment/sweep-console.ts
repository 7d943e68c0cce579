/** Prints a sweep's summary on a terminal: the mean and its interval for each arm. The numbers are in summary.json. */

import { kindOfGroup } from '../../results/group-kind.js';
import { measureText, numberText } from '../../results/numbers.js';
import type { SweepEstimate, SweepMeasure, SweepSummary } from '../../results/sweep-result.js';
import { visible } from '../../results/visible.js';
import { isSkewedOfFew, SKEWED_NOTE, shownInterval } from './shown-interval.js';
import { subjectText } from './subject.js';
import { survivalLines } from './survival-text.js';

/** At most this many measures are printed; summary.json has all. */
const MEASURES_MAX = 12;

/** The summary as text: for each measure a line an arm, then expectations that fail and runs that failed. */
export function sweepText(summary: SweepSummary): string {
  const { arms, estimates, expectations, failures, replicates, without_value: without = [] } = summary;
  const lines = [`${summary.name}: ${summary.question}`, `${arms.length} arms, ${replicates} runs of each`];
  const subjects = [
    ...new Set(
      [...withoutLoneGroups(estimates), ...without].map(({ measure, group, time_ms }) =>
        JSON.stringify([measure, group, time_ms]),
      ),
    ),
  ];
  const width = Math.max(...arms.map(({ name }) => name.length));
  for (const subject of subjects.slice(0, MEASURES_MAX)) {
    const isOwn = (each: SweepMeasure): boolean => JSON.stringify([each.measure, each.group, each.time_ms]) === subject;
    const own = estimates.filter(isOwn);
    const [first] = [...estimates, ...without].filter(isOwn);
    if (first !== undefined) lines.push('', subjectText(first, [...estimates, ...without]));
    for (const estimate of own) {
      const { arm, mean, n, unit, no_value: uncounted } = estimate;
      const interval = shownInterval(estimate);
      const between =
        interval === null ? '' : `  95 %: ${measureText(interval[0], unit)} to ${measureText(interval[1], unit)}`;
      lines.push(
        `  ${(arms[arm]?.name ?? '').padEnd(width)}  ${measureText(mean, unit)}${between}  n = ${n}${uncounted === undefined ? '' : ` of ${n + uncounted}: no value in the others`}${isSkewedOfFew(estimate) ? ', skewed' : ''}`,
      );
    }
    for (const { arm, runs } of without.filter(isOwn))
      lines.push(`  ${(arms[arm]?.name ?? '').padEnd(width)}  no value in any run, n = 0 of ${runs}`);
  }
  if (subjects.length > MEASURES_MAX)
    lines.push('', `and ${subjects.length - MEASURES_MAX} more measures in summary.json`);
  lines.push(...survivalLines(summary));
  const failed = expectations.filter(({ holds }) => !holds);
  if (expectations.length > 0)
    lines.push('', `expectations: ${expectations.length - failed.length} of ${expectations.length} pass`);
  for (const { text, arm, measured } of failed) {
    lines.push(
      `  fails in ${arms[arm]?.name}: ${text} (${measured === null ? 'no run with a value' : numberText(measured)})`,
    );
  }
  for (const { arm, replicate, seed, error } of failures) {
    lines.push(`  failed: ${arms[arm]?.name}, replicate ${replicate}, seed ${seed}: ${error}`);
  }
  if (summary.half_width_reached === false)
    lines.push('the half-width was not reached: --replicates-max ended the sweep');
  if (estimates.some(isSkewedOfFew)) lines.push('', SKEWED_NOTE);
  return `${visible(lines.join('\n'))}\n`;
}

/** Leaves out groups that are the only ones of their kind, as the population of a scenario with one: all agents have the same numbers. */
function withoutLoneGroups(estimates: readonly SweepEstimate[]): readonly SweepEstimate[] {
  const groups = [...new Set(estimates.flatMap(({ group }) => group ?? []))];
  const lone = new Set(
    groups.filter((name) => groups.filter((o) => kindOfGroup(o) === kindOfGroup(name)).length === 1),
  );
  const whole = new Set(estimates.flatMap((each) => (each.group === null ? [`${each.measure} ${each.time_ms}`] : [])));
  return estimates.filter(
    ({ measure, group, time_ms }) => group === null || !lone.has(group) || !whole.has(`${measure} ${time_ms}`),
  );
}
