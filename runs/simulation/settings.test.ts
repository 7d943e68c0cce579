import { describe, expect, it } from 'vitest';
import { parseSettings, unchangedNumbers, variantNames } from './settings.js';

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

describe('a number that is given', () => {
  it('and was so before is named with the file or the flag that gives it', () => {
    const overlay = { file: 'o.yaml', numbers: { 'dms.missedAnchorsMax': 60, 'resync.beatsMax': 9 } };
    const set = { 'resync.beatsMax': 9, 'dms.missedAnchorsMax': 61 };
    expect(unchangedNumbers('protocol: { dms: { missedAnchorsMax: 50 } }', 's.yaml', { overlay, set })).toEqual([
      '--set protocol.resync.beatsMax has no effect: it is 9 already',
    ]);
    expect(unchangedNumbers('protocol: { dms: { missedAnchorsMax: 60 } }', 's.yaml', { overlay, set: {} })).toEqual([
      's.yaml: protocol.dms.missedAnchorsMax has no effect: it is 60 already',
      '--protocol o.yaml: protocol.dms.missedAnchorsMax has no effect: it is 60 already',
    ]);
  });
});
