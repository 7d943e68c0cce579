import { describe, expect, it } from 'vitest';
import { variantNames } from './settings.js';

describe('names of variants', () => {
  it.each([
    [[{ 'dms.missedAnchorsMax': 90 }], ['dms.missedAnchorsMax=90']],
    [[{}], ['unchanged']],
    [
      [{ a: 1 }, { a: 2 }, {}],
      ['a=1', 'a=2', 'unchanged'],
    ],
    [
      [
        { a: 1, b: 2 },
        { a: 1, b: 3 },
      ],
      ['b=2', 'b=3'],
    ],
    [
      [{ a: 1, b: 2 }, { a: 1 }],
      ['b=2', 'unchanged'],
    ],
    [
      [{ a: 1, b: 2 }, { c: 4 }],
      ['a=1,b=2', 'c=4'],
    ],
  ])('of %j are %j', (variants, names) => expect(variantNames(variants)).toEqual(names));

  it('are refused where two variants are the same', () => {
    expect(() => variantNames([{ a: 1 }, { a: 2 }, { a: 1 }])).toThrow('two futures are the same: a=1');
  });
});
