import { describe, expect, it } from 'vitest';
import { brokenIds, clauseChanges, presentSpec, releasedSchema } from './released.js';

const present = presentSpec('0.2.0', ['a/one', 'a/two']);
const [first, ...others] = present.clauses;
if (first === undefined) throw new Error('there are no clauses');

describe('a released specification', () => {
  it('has the form of its file', () => {
    expect(releasedSchema.parse(JSON.parse(JSON.stringify(present)))).toEqual(present);
    expect(present.numbers['dms.missedAnchorsMax']).toBe(60);
    expect(present.errors['heartbeat/HEARTBEAT_TOO_SOON']).toBe(429);
    expect(present.endpoints['heartbeat']).toBe('POST /api/v1/agent/heartbeat');
  });

  it('is kept while clauses and checks are added', () => {
    expect(brokenIds({ ...present, clauses: others, checks: ['a/one'] }, present)).toEqual([]);
  });

  it.each([
    ['a clause that is gone', { ...present, clauses: others }, [`clause ${first.id} is gone`]],
    [
      'other words',
      { ...present, clauses: [{ ...first, text: 'Else.' }, ...others] },
      [`clause ${first.id} states something else`],
    ],
    [
      'another level',
      { ...present, clauses: [{ ...first, level: 'decision' as const }, ...others] },
      [`clause ${first.id} states something else`],
    ],
    ['a check that is gone', { ...present, checks: ['a/two'] }, ['check a/one is gone']],
  ])('is broken by %s', (_what, now, broken) => {
    expect(brokenIds(present, now)).toEqual(broken);
  });

  it('tells what came, went and says something else since', () => {
    const now = [{ ...first, text: 'Else.' }, ...others.slice(1), { ...first, id: 'fresh' }];
    expect(clauseChanges(present.clauses, now)).toEqual({
      added: ['fresh'],
      removed: [others[0]?.id],
      changed: [first.id],
    });
  });
});
