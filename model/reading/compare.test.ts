import { describe, expect, it } from 'vitest';
import { sameWhereBoth } from './compare.js';

const hash = `0x${'ab'.repeat(32)}`;

describe('two views of one thing', () => {
  it.each([
    ['a key that only one has', { name: 'a', depth: 1 }, { name: 'a' }],
    ['hex in either case', { hash }, { hash: `0x${'AB'.repeat(32)}` }],
    ['an instant in another form', ['2026-01-01T00:00:00Z'], ['2026-01-01T00:00:00.000+00:00']],
    ['one that says nothing', undefined, { depth: 1 }],
    ['a text beside an object', { root: hash }, { root: { hash } }],
    ['null beside nothing', { metadata: null }, { metadata: {} }],
  ])('agree: %s', (_, left, right) => {
    expect(sameWhereBoth(left, right)).toBe(true);
    expect(sameWhereBoth(right, left)).toBe(true);
  });

  it.each([
    ['another value of a key that both have', { root: { hash } }, { root: { hash: `0x${'cd'.repeat(32)}` } }],
    ['null beside an object', { sigil: null }, { sigil: { name: 'a' } }],
    ['a list that is shorter', [1, 2], [1]],
    ['another number', { depth: 1 }, { depth: 2 }],
  ])('do not: %s', (_, left, right) => {
    expect(sameWhereBoth(left, right)).toBe(false);
    expect(sameWhereBoth(right, left)).toBe(false);
  });
});
