// Integers above 2^53 keep their digits.
import { describe, expect, it } from 'vitest';
import { exactJson, LargeInteger, parseExactly } from './exact-json.js';

describe('an integer that no double has', () => {
  it.each([
    '{"id":9007199254740992}',
    '{"id":"9007199254740993"}',
    '{"a\\"":1.00000000000000000001,"b":1e300}',
    '[10000000000000000000000]',
  ])('is not in %s', (text) => {
    expect(parseExactly(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '{"id":9007199254740993,"a":[1,2.5,"x"]}',
    '{"id":-12345678901234567890,"text":"integer:9007199254740993"}',
    `[${'9'.repeat(400)}]`,
    '{"id":7,"b":null}',
  ])('keeps its digits in %s', (text) => {
    expect(exactJson(parseExactly(text))).toBe(text);
  });

  it('is no number', () => {
    expect(parseExactly('[9007199254740993]')).toEqual([new LargeInteger('9007199254740993')]);
    expect(() => parseExactly('[9007199254740993')).toThrow(SyntaxError);
  });
});
