// The matrix of clauses and tests, and what it says of a clause that no test names.
import { describe, expect, it } from 'vitest';
import { testedLines, testedRows, untested } from './spec-tests.js';

const clause = (id: string, excluded?: string) => ({
  id,
  section: '4.5',
  level: 'must' as const,
  text: `Says ${id}.`,
  where: 'rule 1',
  checks: [],
  ...(excluded === undefined ? {} : { excluded }),
});
const rows = testedRows([clause('a.b'), clause('a.c'), clause('a.d', 'nothing to test')], {
  'a.b': ['reference/a.test.ts > a > says b', 'reference/b.test.ts > says b too'],
});

describe('clauses and the tests that name them', () => {
  it('are listed with what each is named by', () => {
    expect(testedLines(rows, ({ id }) => id)).toBe(
      [
        'a.b',
        '      reference/a.test.ts > a > says b',
        '      reference/b.test.ts > says b too',
        'a.c',
        '      no test',
        'a.d',
        '      none: nothing to test',
        '3 clauses: 1 named by a test, 1 with nothing to test, 1 without.',
      ].join('\n'),
    );
  });

  it('lack a test where they demand something and nothing names them', () => {
    expect(untested(rows).map(({ id }) => id)).toEqual(['a.c']);
  });
});
