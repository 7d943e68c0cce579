/** Prints how many runs show a difference, in plain words. The same numbers are in `aips experiment power --json`. */

import { measureText, numberText } from '../../results/numbers.js';
import type { PlannedRuns, RunsNeeded } from '../../results/sweep-result.js';
import { visible } from '../../results/visible.js';
import { subjectText } from './subject.js';

/** The plans as text: for each pair of arms a line a measure. */
export function powerText(plans: readonly PlannedRuns[]): string {
  const lines: string[] = [];
  let heading = '';
  for (const each of plans) {
    const [a, b] = each.arms;
    const next = `A: ${a}   B: ${b}   pilot: ${each.pilot[0]} and ${each.pilot[1]} runs`;
    if (next !== heading) lines.push(...(lines.length > 0 ? [''] : []), next);
    heading = next;
    const pairs = each.paired === null ? 'the pilot has no pairs' : `${runsText(each.paired)} in pairs`;
    const difference = measureText(each.difference, each.unit);
    lines.push(
      `  ${subjectText(each, plans)}: a difference of ${difference} shows with ${pairs}, ${runsText(each.independent)} without`,
    );
  }
  const [first] = plans;
  if (first !== undefined) {
    lines.push(
      '',
      `runs of each arm, with probability ${numberText(first.power)} at the two-sided level ${numberText(first.level)} of one comparison (Student's t);`,
      'the second number allows for the pilot: its standard deviations are that much too small in one pilot of five',
    );
  }
  return `${visible(lines.join('\n'))}\n`;
}

function runsText({ runs, runs_cautious }: RunsNeeded): string {
  if (runs === null) return 'more than 10 million runs';
  if (runs === runs_cautious) return `${runs} runs`;
  return `${runs} runs (${runs_cautious ?? 'more than 10 million'})`;
}
