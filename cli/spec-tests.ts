/**
 * `aips spec clauses --reference`: which tests of the reference name each clause. It reads the index that a full run of the
 * tests leaves in a checkout, and runs no test.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClauseRow } from '../spec/print.js';
import { Failure } from './failure.js';
import { readText } from './files.js';
import { packageRoot } from './package.js';

/** Where a full run of the tests leaves its index, from the root of the checkout. */
export const TEST_INDEX = 'out/reference-tests.json';

/** By clause: `file > title` of the tests that name it. */
export type TestIndex = Readonly<Record<string, readonly string[]>>;

/** A clause, and the tests that name it. */
export type TestedRow = ClauseRow & { readonly tests: readonly string[] };

/** The index that was built last. Fails, and says how to build it, where there is none. */
export function readTestIndex(): TestIndex {
  const path = join(packageRoot(), TEST_INDEX);
  if (!existsSync(path)) {
    throw new Failure(`${path}: the index of tests is not built. In a checkout, npm run test:all builds it.`);
  }
  return JSON.parse(readText(path, 'index of tests')) as TestIndex;
}

/** Each clause with its tests. */
export function testedRows(rows: readonly ClauseRow[], index: TestIndex): readonly TestedRow[] {
  return rows.map((row) => ({ ...row, tests: index[row.id] ?? [] }));
}

/** The clauses that demand something and that no test names. */
export function untested(rows: readonly TestedRow[]): readonly TestedRow[] {
  return rows.filter(({ tests, excluded }) => tests.length === 0 && excluded === undefined);
}

/** The matrix for people; `headOf` prints a clause. */
export function testedLines(rows: readonly TestedRow[], headOf: (row: ClauseRow) => string): string {
  const lines = rows.map((row) => {
    const shown = row.tests.length > 0 ? row.tests : [row.excluded === undefined ? 'no test' : `none: ${row.excluded}`];
    return [headOf(row), ...shown.map((line) => `      ${line}`)].join('\n');
  });
  const named = rows.filter(({ tests }) => tests.length > 0).length;
  const without = untested(rows).length;
  const free = rows.length - named - without;
  return [
    ...lines,
    `${rows.length} clauses: ${named} named by a test, ${free} with nothing to test, ${without} without.`,
  ].join('\n');
}
