import { describe, expect, it } from 'vitest';
import { prettyJson } from './pretty-json.js';

describe('prettyJson', () => {
  it.each([
    ['{"a":1,"b":[true,null,"x, {y}: [z]"],"c":{},"d":[]}', { a: 1, b: [true, null, 'x, {y}: [z]'], c: {}, d: [] }],
    ['[{"a":"\\"quoted\\\\"},[1,[2]]]', [{ a: '"quoted\\' }, [1, [2]]]],
    [' { "a" : -1.5 } ', { a: -1.5 }],
  ])('lays out %s', (text, value) => {
    expect(prettyJson(text)).toBe(JSON.stringify(value, null, 2));
  });

  it('keeps every digit and every key', () => {
    expect(prettyJson('{"n":12345678901234567890.10,"n":1E2}')).toBe(
      '{\n  "n": 12345678901234567890.10,\n  "n": 1E2\n}',
    );
  });

  it.each(['', 'plain text', '{"a":', '"text"', '{]'])('leaves %j as it is', (text) => {
    expect(prettyJson(text)).toBe(text);
  });

  it('takes a long body without trouble', () => {
    const body = JSON.stringify({
      list: Array.from({ length: 20_000 }, (_, n) => ({ n })),
      text: 'x"'.repeat(200_000),
    });
    expect(JSON.parse(prettyJson(body))).toEqual(JSON.parse(body));
  });
});
