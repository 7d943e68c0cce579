// The witnesses of mistakes: what the situations in which a mistake showed have in common, and those in which it did not show lack.
import { expect, it } from 'vitest';
import { killDataOf } from './witnesses.js';

const of = (...situations: [facts: string, shown: number, all: number][]) => ({
  ...{ id: 'a', clause: 'c', checks: ['z/b', 'z/a'] },
  situations: situations.map(([facts, shown, all]) => [facts.split(' '), shown, all, []] as const),
});

it.each([
  [
    'shows in each request',
    [
      ['E valid x', 1, 1],
      ['E valid y', 2, 2],
      ['E OTHER x', 0, 3],
    ],
    ['E valid'],
  ],
  [
    'shows with one fact',
    [
      ['E valid x y', 1, 1],
      ['E valid x z', 1, 1],
      ['E valid y z', 0, 5],
    ],
    ['E valid x'],
  ],
  [
    'shows with two facts',
    [
      ['E valid x y', 1, 1],
      ['E valid x', 0, 1],
      ['E valid y', 0, 1],
    ],
    ['E valid x y'],
  ],
  [
    'shows at two endpoints',
    [
      ['E valid', 1, 1],
      ['F valid', 1, 1],
    ],
    ['E valid', 'F valid'],
  ],
  ['shows in most requests', [...'abcd'].map((x) => [`E valid ${x}`, 1, 1]).concat([['E valid e', 0, 1]]), ['E valid']],
  ['shows sometimes in the same situation', [['E valid x', 1, 9]], ['E valid']],
] as [string, [string, number, number][], string[]][])('a mistake that %s', (_, situations, expected) => {
  const { texts, mistakes } = killDataOf([of(...situations)]);
  expect(mistakes[0]?.requests?.map((witness) => witness.map((place) => texts[place]).join(' '))).toEqual(expected);
  expect(mistakes[0]?.checks).toBeUndefined();
});

it('a mistake that no request shows has the checks that found it, and one that nothing found has nothing', () => {
  const { texts, mistakes } = killDataOf([of(['E valid', 0, 3]), { ...of(), id: 'b', checks: [] }]);
  expect(mistakes.map(({ id, requests, checks }) => [id, requests, checks?.map((place) => texts[place])])).toEqual([
    ['a', undefined, ['z/a', 'z/b']],
    ['b', undefined, undefined],
  ]);
});
