import { describe, expect, it } from 'vitest';
import { parseSettings, variantNames } from './settings.js';

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

describe('a setting', () => {
  it.each(['constructor', 'toString', '__proto__', 'dms.constructor', 'dms.__proto__'])(
    'of %s is no number of the protocol',
    (path) => expect(() => parseSettings(`protocol.${path}=1`)).toThrow(`--set protocol.${path}: `),
  );

  it('is one, and given once', () => {
    expect(parseSettings('protocol.dms.missedAnchorsMax=90')).toEqual({ 'dms.missedAnchorsMax': 90 });
    expect(() => parseSettings('protocol.a.b=1,protocol.a.b=2')).toThrow('is set twice');
    expect(() => parseSettings('protocol.toString=1')).toThrow('is not a number of the protocol');
  });
});
