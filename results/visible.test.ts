import { describe, expect, it } from 'vitest';
import { clipped, oneLine, shortLine, visible } from './visible.js';

describe('visible', () => {
  it.each([
    ['plain text, with ünïcode and 🙂', 'plain text, with ünïcode and 🙂'],
    ['a\r\nb\tc\nd', 'a\nb\tc\nd'],
    ['\u0000\u0007\u001b[2J\r\u007f', '␀␇␛[2J␍␡'],
    ['\u0085\u009b31m', '[U+0085][U+009B]31m'],
    ['abc\u202edcba\u2066', 'abc[U+202E]dcba[U+2066]'],
    ['\ud800a\udc00', '\ufffda\ufffd'],
    ['\ufffe\uffff', '\ufffd\ufffd'],
  ])('%j becomes %j', (text, seen) => {
    expect(visible(text)).toBe(seen);
  });
});

describe('lines', () => {
  it('oneLine folds white space', () => {
    expect(oneLine('  a\n\n b\t c  ')).toBe('a b c');
  });

  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['a\nb', 10, 'a b'],
  ])('shortLine(%j, %i) is %j', (text, max, line) => {
    expect(shortLine(text, max)).toBe(line);
  });

  it.each([
    ['abc', 3, 'abc', 0],
    ['abcd', 3, 'abc', 1],
    ['a🙂b', 2, 'a', 3],
    ['a🙂b', 3, 'a🙂', 1],
  ])('clipped(%j, %i) keeps %j and leaves %i', (text, max, kept, left) => {
    expect(clipped(text, max)).toEqual({ text: kept, left });
  });
});
