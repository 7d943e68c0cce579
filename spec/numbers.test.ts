import { describe, expect, it } from 'vitest';
import { clauseById } from './clauses/index.js';
import { beside, clausesOfNumber, pinOf, wrongValues } from './numbers.js';
import { protocolNumbers } from './protocol.js';

describe('the clauses of a number', () => {
  it('every number has some, and they exist', () => {
    for (const { path } of protocolNumbers()) {
      for (const id of clausesOfNumber(path)) expect(clauseById(id).id, path).toBe(id);
    }
  });

  it('state it: the threshold of the Dead Man’s Switch stands in 1, 3.1, 8 and a lookup', () => {
    const sections = clausesOfNumber('dms.missedAnchorsMax').map((id) => clauseById(id).section);
    expect(sections.toSorted()).toEqual(['1', '3.1', '4.1', '8']);
    expect(clausesOfNumber('limits.spawn.count')).toEqual(['limit.spawn']);
    expect(() => clausesOfNumber('no.such')).toThrow(RangeError);
  });
});

describe('wrong values', () => {
  it('are one below and one above, and for a window the other of an hour and a minute', () => {
    expect(beside(10)).toEqual([9, 11]);
    expect(beside(0)).toEqual([1]);
    expect(wrongValues('dms.missedAnchorsMax', 60)).toEqual([
      { value: 59, clause: 'dms.freeze' },
      { value: 61, clause: 'dms.freeze' },
    ]);
    expect(wrongValues('limits.spawn.windowSec', 3_600)).toEqual([{ value: 60, clause: 'limit.spawn' }]);
  });

  it('name the clause that each breaks', () => {
    expect(wrongValues('heartbeat.tier1HeartbeatsMax', 100)).toEqual([
      { value: 99, clause: 'fee.heartbeat.tier-1' },
      { value: 101, clause: 'fee.heartbeat.tier-2' },
    ]);
  });

  it('of a number that only a decision gives break no must clause', () => {
    expect(wrongValues('work.difficultyMin', 100)).toEqual([]);
    expect(pinOf('work.difficultyMin')).toEqual({ check: 'work-proof/difficulty-low', advisory: true });
  });
});
