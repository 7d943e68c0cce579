/** The answer about a text in an editor of the page: its mistakes, or what lint says about the numbers that it changes, by line. */

import { type Problem, problemIn } from '../../spec/document.js';
import { type CausedFinding, causedFindings } from '../../spec/lint/caused.js';
import type { Protocol } from '../../spec/protocol.js';

/** A finding at the line of the first number that it is about. */
type LintedLine = Pick<CausedFinding, 'id' | 'severity' | 'arithmetic' | 'paths'> & { readonly line: number };

/** Mistakes of a text, and findings about it. */
export interface CheckedText {
  readonly problems: readonly Problem[];
  readonly lint: readonly LintedLine[];
  /** The text changes nothing; absent: it does, or it has mistakes. */
  readonly unchanged?: boolean;
}

/** Lint of the numbers that a text changes; they are below `keys` in it. */
export function linted(text: string, keys: readonly string[], protocol: Protocol): readonly LintedLine[] {
  return causedFindings(protocol).map(({ id, severity, arithmetic, paths }) => {
    const { line } = problemIn(text, '', [...keys, ...(paths[0] ?? '').split('.')], '');
    return { id, severity, arithmetic, paths: paths.map((path) => [...keys, path].join('.')), line };
  });
}
