/** Annotations of a change on GitHub: workflow commands, which a step prints, each with a file and a line of the repository. */

import { countText } from '../../results/numbers.js';
import { visible } from '../../results/visible.js';
import type { SourceLine } from './source-line.js';

/** One thing to show at a line of the change. */
export interface Annotation {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly text: string;
  /** Absent: it is shown on the page of the job alone. */
  readonly at?: SourceLine | undefined;
}

/** GitHub keeps ten of each level from one step, and drops the others without a word. */
const SHOWN_MAX = 10;

/** The workflow commands, one a line: errors first. The last of a level says how many are left out. */
export function annotationLines(annotations: readonly Annotation[]): string {
  const lines = (['error', 'warning'] as const).flatMap((level) => {
    const all = annotations.filter((each) => each.level === level);
    if (all.length <= SHOWN_MAX) return all.map(commandOf);
    const left = all.length - SHOWN_MAX + 1;
    const rest: Annotation = { level, title: 'AIPS', text: `${countText(left, 'more finding')}: see the summary.` };
    return [...all.slice(0, SHOWN_MAX - 1), rest].map(commandOf);
  });
  return lines.map((line) => `${line}\n`).join('');
}

function commandOf({ level, title, text, at }: Annotation): string {
  const place = at === undefined ? [] : [`file=${property(at.path)}`, `line=${at.line}`];
  return `::${level} ${[...place, `title=${property(title)}`].join(',')}::${data(text)}`;
}

/** A text as the runner reads it back: its own signs are escaped, so that no reply of a server becomes a command. */
const data = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
