/** The file `watch.lock`: the clauses that traffic has shown. One that is no longer shown fails. The file only grows by itself. */

import { shortLine } from '../results/visible.js';
import { clauses } from '../spec/clauses/index.js';
import type { Parsed, Problem } from '../spec/document.js';

/** A longer id is cut in messages. */
const ID_CHARS_MAX = 80;

const HEAD = `# Clauses that the watched traffic shows, one a line. aips watch --lock fails if one of them is no longer shown.
# --update-lock adds clauses; take a line away by hand if the traffic need not show its clause any more.
`;

const known: ReadonlySet<string> = new Set(clauses.map(({ id }) => id));

/** Reads the file. Reports each line that is no clause of this version. */
export function parseLock(text: string, file: string): Parsed<readonly string[]> {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*$/, '').trim());
  const problems: Problem[] = lines.flatMap((id, at) =>
    id === '' || known.has(id)
      ? []
      : [
          {
            file,
            line: at + 1,
            key: '',
            message: `${shortLine(id, ID_CHARS_MAX)} is no clause of this version: take the line away`,
          },
        ],
  );
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: [...new Set(lines.filter((id) => id !== ''))] };
}

/** The text of the file, with its clauses in order. */
export function lockText(ids: Iterable<string>): string {
  return `${HEAD}${[...new Set(ids)]
    .sort()
    .map((id) => `${id}\n`)
    .join('')}`;
}
