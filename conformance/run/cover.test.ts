import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { allChecks } from '../checks/index.js';
import type { Check } from '../trial/check.js';
import { byEvidence, coverOf, evidenceOf } from './cover.js';
import { checksIn } from './in-dialect.js';

function check(id: string, clauses: readonly string[], more: Partial<Check> = {}): Check {
  return { id, title: id, clauses, needs: [], registers: 0, requests: 10, writes: true, run: async () => {}, ...more };
}

const ids = (checks: readonly Check[]): string => checks.map(({ id }) => id).join(' ');
const clausesOf = (checks: readonly Check[]): Set<string> => new Set(checks.flatMap(evidenceOf));

describe('the order of checks', () => {
  it('begins with most clauses for the requests, goes on with second judgements, and keeps the order of the list otherwise', () => {
    const one = check('a/one', ['x']);
    const again = check('a/again', ['x', 'y'], { requests: 40 });
    const both = check('a/both', ['x', 'y']);
    const third = check('a/third', ['y'], { requests: 99 });
    expect(ids(byEvidence([third, one, again, both]))).toBe('a/both a/one a/again a/third');
    expect(ids(byEvidence([check('a/first', ['x']), check('a/second', ['x'])]))).toBe('a/first a/second');
  });

  it('counts what the model judges besides, moves of the clock, and beats', () => {
    const many = check('a/many', ['x'], { also: ['y', 'z'] });
    const slept = check('a/slept', ['p', 'q'], { needs: ['clock'], sleeps: 10 });
    const hashed = check('a/hashed', ['r', 's'], { beats: 10_000 });
    const plain = check('a/plain', ['t']);
    expect(ids(byEvidence([hashed, slept, plain, many]))).toBe('a/many a/plain a/slept a/hashed');
  });
});

describe('a cover', () => {
  it('judges each clause, spares what the others judge, and what is judged already', () => {
    const ab = check('a/ab', ['a', 'b'], { requests: 2 });
    const bc = check('a/bc', ['b', 'c']);
    const ac = check('a/ac', ['a', 'c'], { requests: 11 });
    expect(ids(coverOf([ac, bc, ab]))).toBe('a/ab a/bc');
    expect(ids(coverOf([ac, bc, ab], new Set(['a', 'b'])))).toBe('a/bc');
    expect(coverOf([ac, bc, ab], new Set(['a', 'b', 'c']))).toEqual([]);
  });

  it('spares a check that was picked first, where those after it judge its clauses too', () => {
    const early = check('a/early', ['a', 'b'], { requests: 1 });
    expect(ids(coverOf([early, check('a/left', ['a', 'x', 'y']), check('a/right', ['b', 'z', 'w'])]))).toBe(
      'a/left a/right',
    );
  });
});

describe('the plan of the suite', () => {
  const checks = checksIn(allChecks, dialects.service);
  const all = clausesOf(checks);

  it('judges 95 % of its clauses in the first third of its requests', () => {
    const total = checks.reduce((sum, { requests }) => sum + requests, 0);
    const begun: Check[] = [];
    let sent = 0;
    for (const one of byEvidence(checks)) {
      sent += one.requests;
      if (sent > total / 3) break;
      begun.push(one);
    }
    expect(clausesOf(begun).size).toBeGreaterThan(0.95 * all.size);
  });

  it('has a cover of every clause with less than half of the checks', () => {
    const cover = coverOf(checks);
    expect(clausesOf(cover)).toEqual(all);
    expect(cover.length).toBeLessThan(checks.length / 2);
    expect(coverOf(cover)).toHaveLength(cover.length);
  });
});
