import { describe, expect, it } from 'vitest';
import { clauseById } from './clauses/index.js';
import { clausesOfNumber } from './number-clauses.js';
import { protocolNumbers } from './protocol.js';

describe('the clauses of a number', () => {
  it('every number has some, and they exist', () => {
    const numbers = protocolNumbers().map(({ path }) => path);
    expect(numbers.filter((path) => clausesOfNumber(path).length === 0)).toEqual([]);
    for (const id of numbers.flatMap(clausesOfNumber)) expect(clauseById(id).id).toBe(id);
  });

  it('state it: the threshold of the Dead Man’s Switch stands in 1, 3.1, 8 and a lookup', () => {
    expect(clausesOfNumber('dms.missedAnchorsMax').map((id) => clauseById(id).section)).toEqual([
      '1',
      '3.1',
      '8',
      '4.1',
    ]);
    expect(clausesOfNumber('limits.spawn.count')).toEqual(['limit.spawn']);
    expect(clausesOfNumber('no.such')).toEqual([]);
  });
});
