/** Digests of what judges a server and of the text that it judges by, so that a recording says by which it was judged. */

import { createHash, type Hash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addedNumbers } from '../../spec/numbers.js';
import { presentSpec, type ReleasedSpec } from '../../spec/released.js';
import { codeRoot, packageRoot } from '../host/package.js';

/** The rooms whose code and tables decide judgements. */
const JUDGING = ['conformance', 'model', 'sha256', 'spec'];

let known: { readonly suite: string; readonly text: string } | undefined;

/** The digests of this version: of its suite (code and tables, as they run), and of its text (numbers, errors, endpoints, clauses). */
export function suiteDigests(): { readonly suite: string; readonly text: string } {
  if (known !== undefined) return known;
  const rooms = codeRoot();
  const suite = createHash('sha256');
  for (const room of JUDGING) digestFolder(suite, rooms, room);
  suite.update(readFileSync(join(packageRoot(), 'conformance/plan.json')));
  known = { suite: suite.digest('hex'), text: textDigest(presentSpec('', [])) };
  return known;
}

/** The digest of a text: its numbers, errors, endpoints and clauses. A number that this tool adds, and that is switched off, is not of the text. */
export function textDigest({ version: _, checks: __, numbers, ...rest }: ReleasedSpec): string {
  const own = Object.entries(numbers).filter(([path, value]) => value !== 0 || !addedNumbers.has(path));
  return hash('sha256', JSON.stringify({ numbers: Object.fromEntries(own), ...rest }), 'hex');
}

// The package's own files, which no user names.
function digestFolder(into: Hash, root: string, folder: string): void {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) digestFolder(into, root, path);
    else if (/(?<!\.d|\.test)\.[jt]s$/.test(entry.name))
      into.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
}
