import { expect, it } from 'vitest';
import { nameOfChanges, seedWords, staleWords } from './arm-words.js';

it('the name of an arm has all of its changes, or how many more there are', () => {
  const [twice, thrice] = ['heartbeat fees × 2 from day 3', 'heartbeat fees × 3 from day 5'];
  expect(nameOfChanges([twice], 60)).toBe(twice);
  expect(nameOfChanges(['fees × 2', 'fees × 3'], 60)).toBe('fees × 2, fees × 3');
  expect(nameOfChanges([twice, thrice, 'fees = 1'], 60)).toBe(`${twice} and 2 more`);
  expect(nameOfChanges(['x'.repeat(80), thrice], 60)).toBe(`${'x'.repeat(49)} and 1 more`);
});

it('results of several seeds say which seed they are of', () => {
  expect(seedWords({ seed: 7, seeds: 4 })).toBe('seed 7 of 7 to 10');
  expect(seedWords({ seed: 7, seeds: 1 })).toBe('');
});

it.each([
  [{ base: 'a', one: 'b' }, undefined],
  [{ base: 'a', one: 'b', two: 'c' }, 'The new arm has not been played.'],
  [{ base: 'a', one: 'b', two: 'c', three: 'd' }, 'The new arms have not been played.'],
  [{ base: 'a' }, 'The arms have changed since these results were played.'],
  [
    { base: 'a', one: 'c', two: 'c' },
    'These results are of the text as it was when it was played; it has been changed since.',
  ],
  [
    { base: undefined, one: 'b' },
    'These results are of the text as it was when it was played; it has been changed since.',
  ],
])('results are of the texts of their time: %j', (now, words) => {
  expect(staleWords({ base: 'a', one: 'b' }, now)).toBe(words);
});
