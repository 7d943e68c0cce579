// How a report shows two values that differ.
import { describe, expect, it } from 'vitest';
import { contrasted, identical, lackShown, sameMeaning } from './compare.js';

describe('two values that differ', () => {
  it.each([
    [1, 2, '1', '2'],
    ['accepted', '400 VALIDATION', 'accepted', '400 VALIDATION'],
    [1, '1', '1 (number)', '"1" (string)'],
    [true, 'true', 'true (boolean)', '"true" (string)'],
    [null, 'null', 'null (null)', '"null" (string)'],
    [[1], '[1]', '[1] (array)', '"[1]" (string)'],
  ])('%j and %j: as JSON with their kinds where the texts are equal', (expected, actual, ...words) => {
    expect(contrasted(expected, actual)).toEqual(words);
  });

  it('are shown from where they part, where they begin alike for long', () => {
    const [one, other] = contrasted({ a: 'x'.repeat(500), b: 1 }, { a: 'x'.repeat(500), b: 2 });
    expect([one.endsWith('"b":1}'), other.endsWith('"b":2}'), one.length < 300]).toEqual([true, true, true]);
  });

  it('are not 0 and -0, which JSON has as one number', () => {
    expect([identical(0, -0), sameMeaning([0], [-0]), sameMeaning(0, '0')]).toEqual([true, true, false]);
  });
});

it('a value that is not there is shown by the status and 80 characters of its reply', () => {
  expect(lackShown(200, '{"ok":true}')).toBe('nothing in 200 {"ok":true}');
  expect(lackShown(200, 'x'.repeat(81))).toBe(`nothing in 200 ${'x'.repeat(80)}…`);
  expect(lackShown(204, '')).toBe('nothing in 204 without a JSON body');
});
