import { expect, it } from 'vitest';
import { conformanceFixture } from '../../test/fixtures/results.js';
import { changeBetween, changeText } from './result-change.js';

it('says what became of the clauses since', () => {
  const before = conformanceFixture();
  const clauses = before.clauses.map((clause) =>
    clause.state === 'fails' ? { ...clause, state: 'holds' as const } : clause,
  );
  const now = { ...before, clauses };
  const failing = before.clauses.filter(({ state }) => state === 'fails').length;
  expect(changeText(changeBetween(before, before))).toBe('');
  expect(changeText(changeBetween(before, now))).toBe(`+${failing} hold`);
  expect(changeText(changeBetween(now, before))).toBe(`-${failing} fail that held`);
});

it('counts a clause as not judged any more only if a check of it was chosen', () => {
  const before = conformanceFixture();
  const without = (kind: 'unchosen' | 'clock') => ({
    ...before,
    clauses: before.clauses.map((clause) => ({ ...clause, state: 'not-judged' as const, why: { kind } })),
  });
  expect(changeBetween(before, without('unchosen')).unjudged).toEqual([]);
  expect(changeBetween(before, without('clock')).unjudged.length).toBeGreaterThan(0);
});
