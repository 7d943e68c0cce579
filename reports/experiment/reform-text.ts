/** Writes a design as a change of the specification: the overlay, the sentences that change, and a page for the people who judge it. */

import { stringify } from 'yaml';
import type { DesignResult } from '../../results/design-result.js';
import type { SpecDiff } from '../../results/spec-diff-result.js';
import { oneLine } from '../../results/visible.js';
import { prose } from '../text/markdown-text.js';
import { chosenPoint, comparisonLines, playText } from './design-console.js';

/** The overlay file, which `aips serve`, `aips conform` and `aips spec check` take. */
export function reformOverlay({ name, question }: DesignResult, overlay: Readonly<Record<string, unknown>>): string {
  return `# ${oneLine(name)}: ${oneLine(question)}\n${stringify(overlay, { aliasDuplicateObjects: false })}`;
}

/** The sentences that say something else, old and new, and the numbers that no sentence quotes. */
export function reformSentences({ clauses, numbers }: Pick<SpecDiff, 'clauses' | 'numbers'>): string {
  const changed = clauses.filter(({ after, text }) => after !== undefined && after !== text);
  const blocks = changed.map(({ id, section, text, after }) => `@@ ${section} ${id} @@\n- ${text}\n+ ${after}`);
  const rows = numbers.map(({ path, from, to, unit }) =>
    `- ${path} ${from} ${unit}\n+ ${path} ${to} ${unit}`.replaceAll(/ +$/gmu, ''),
  );
  return `--- specification\n+++ change\n${[...blocks, `@@ numbers @@\n${rows.join('\n')}`].join('\n')}\n`;
}

/** The page of a pull request: numbers, figures with intervals, what agents choose, and the commands. */
export function reformPage(
  result: DesignResult,
  { numbers, clauses, parts = [] }: Pick<SpecDiff, 'numbers' | 'clauses' | 'parts'>,
  commands: readonly string[],
): string {
  const { name, question, before, equilibrium, reached, front, objectives } = result;
  const chosen = chosenPoint(result);
  const item = (line: string): string => `- ${prose(line.trim())}`;
  const game =
    equilibrium === null
      ? []
      : [
          ...['## What agents choose', ''],
          item(`before: ${playText(equilibrium.before)}`),
          item(`after: ${playText(equilibrium.after)}`),
          '',
        ];
  return [
    ...[`# ${prose(name)}`, '', prose(question), ''],
    ...['## The change', ''],
    ...numbers.map(({ path, from, to, unit }) => item(`${path}: ${from} → ${to} ${unit}`)),
    ...[...parts.map(({ path, from, to }) => item(`${path}: ${from} → ${to}`)), ''],
    `\`sentences.diff\` has the ${clauses.filter(({ after }) => after !== undefined).length} sentences that quote these numbers, old and new.`,
    ...['', '## Figures', ''],
    `Over ${chosen.runs} runs with seeds that nothing was found by (95 % intervals):`,
    '',
    ...comparisonLines(before, chosen).map(item),
    ...chosen.goals.map(({ text, state }) => item(`${text}: ${state}`)),
    ...(reached ? [] : ['', 'The goals are not shown to be reached.']),
    ...(objectives.length > 1
      ? ['', `The point is one of ${front.length} that no other beats: see \`front.csv\`.`]
      : []),
    '',
    ...game,
    ...['## Again', '', '```sh', ...commands, '```', ''],
  ].join('\n');
}
