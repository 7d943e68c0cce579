import { expect, it } from 'vitest';
import { clausesOfNumber } from '../../spec/numbers.js';
import { allChecks } from '../checks/index.js';
import { stemOf } from '../trial/check.js';
import { checksInReach } from './reach.js';

const inReach = (...paths: string[]): string[] =>
  checksInReach(allChecks, new Set(paths.flatMap(clausesOfNumber))).map(({ id }) => id);

it('has every check about a touched clause, long ones too', () => {
  const touched = new Set(clausesOfNumber('heartbeat.tier2HeartbeatsMax'));
  const about = allChecks.filter(({ clauses }) => clauses.some((id) => touched.has(id)));
  expect(about.some(({ requests }) => requests > 100)).toBe(true);
  expect(inReach('heartbeat.tier2HeartbeatsMax')).toEqual(expect.arrayContaining(about.map(({ id }) => id)));
});

it('has the checks of the same endpoint, and leaves out most others', () => {
  const reached = inReach('limits.flagReporter.count');
  expect(reached).toEqual(expect.arrayContaining(['flag/limit-reporter', 'flag/limit-target']));
  expect(reached.length).toBeLessThan(allChecks.length / 4);
});

it('has a check of every endpoint that has a short one, whatever the change is', () => {
  const short = new Set(allChecks.filter(({ requests }) => requests <= 100).map(stemOf));
  const seen = new Set(checksInReach(allChecks, new Set()).map(stemOf));
  expect(seen).toEqual(short);
});
