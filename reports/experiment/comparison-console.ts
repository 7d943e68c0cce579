/** Prints comparisons of arms on a terminal, in plain words. The same numbers are in `aips experiment compare --json`. */

import { measureText, numberText } from '../../results/numbers.js';
import type { Comparison } from '../../results/sweep-result.js';
import { visible } from '../../results/visible.js';
import { subjectText } from './subject.js';

/** The comparisons as text: for each pair of arms a line a measure. */
export function comparisonText(comparisons: readonly Comparison[]): string {
  const lines: string[] = [];
  let heading = '';
  for (const each of comparisons) {
    const [a, b] = each.arms;
    const next = `A: ${a}   B: ${b}`;
    if (next !== heading) lines.push(...(lines.length > 0 ? [''] : []), next);
    heading = next;
    lines.push(`  ${subjectText(each, comparisons)}: ${sentence(each)}`);
  }
  const how = comparisons.some(({ paired }) => paired)
    ? 'runs of the same seed in pairs'
    : 'runs independent of each other';
  lines.push(
    '',
    `${comparisons.length} comparisons, ${how}; 95 % intervals by Student's t and probabilities are corrected for all of them by Holm`,
  );
  return `${visible(lines.join('\n'))}\n`;
}

function sentence({ verdict, means, difference, holm95, p_holm, effect, n, unit }: Comparison): string {
  const [a, b] = means.map((value) => measureText(value, unit));
  if (verdict === 'identical') return `identical in all ${n[0]} pairs: ${a}`;
  const interval = `${measureText(difference, unit)} (95 %: ${measureText(holm95[0], unit)} to ${measureText(holm95[1], unit)})`;
  const size = effect === null ? '' : `, effect ${numberText(effect)}`;
  return `${verdict}: ${a} against ${b}, a difference of ${interval}, p = ${numberText(p_holm)}${size}`;
}
