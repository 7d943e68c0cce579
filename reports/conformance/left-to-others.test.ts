import { expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { leftToOthers } from './left-to-others.js';

const clause = (id: string, state: string, ...checks: readonly string[]) => ({ id, state, checks });
const CLAUSES = [
  clause('spawn.a', 'holds', 'spawn/one'),
  clause('spawn.b', 'holds', 'spawn/two', 'lives/long'),
  clause('spawn.c', 'not-judged', 'resync/free'),
  clause('spawn.d', 'excluded', 'flag/any'),
  clause('receipt.a', 'not-judged', 'resync/used'),
];
const ran = (...ids: readonly string[]) =>
  leftToOthers({ checks: ids.map((id) => ({ id })), clauses: CLAUSES } as unknown as ConformanceResult);

it('names the clauses of a chosen family that only others judge, and the checks of others that are about it', () => {
  expect(ran('spawn/one', 'spawn/two')).toEqual([
    { family: 'spawn', clauses: ['spawn.c'], checks: ['lives/long', 'resync/free'] },
  ]);
});

it('says nothing of a family that was not chosen whole, and nothing where all checks ran', () => {
  expect(ran('spawn/one')).toEqual([]);
  expect(ran('spawn/one', 'spawn/two', 'lives/long', 'resync/free', 'resync/used', 'flag/any')).toEqual([]);
});
