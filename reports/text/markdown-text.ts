/** Text from outside in GitHub's Markdown: on one line, short, and without a meaning of its own. */

import { oneLine, shortLine } from '../../results/visible.js';

const CELL_MAX = 300;

/** Words in a paragraph or in the cell of a table. */
export function prose(text: string): string {
  return shortLine(text, CELL_MAX)
    .replace(/[\\`*_{}[\]()#+!|~@]/gu, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}

/** A code span whose fence is longer than any run of backticks in it; a pipe would end the table's cell even there. */
export function code(text: string): string {
  const line = shortLine(text, CELL_MAX).replaceAll('|', '\\|');
  const runs = line.match(/`+/gu) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Prose of our own that holds code spans, in the cell of a table. */
export function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|');
}
