// Readers of entries: HAR, lines of exchanges, and a HAR document in pieces.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harEntry } from './har.js';
import { JsonItems, NotItems } from './json-items.js';
import { exchangeLine, exchangesHead, lineOf } from './ndjson.js';

const URL = 'http://127.0.0.1:1/api/v1/agent/init';
const request = { method: 'POST', url: URL, headers: [], postData: { text: '{}' } };
const response = { status: 200, headers: [], content: { text: '{"a":1}', size: 7 } };
const entry = { startedDateTime: '2026-01-01T00:00:00.250Z', time: 12.5, request, response };

describe('an entry of a HAR file', () => {
  const read = (more: object) => {
    const result = harEntry({ ...entry, ...more }, 'x.har, entry 3');
    return result.ok ? result.value : `${result.key} ${result.message}`;
  };

  it('is an exchange with its times', () => {
    expect(read({})).toEqual({
      request: { method: 'POST', url: URL, headers: {}, body: '{}' },
      reply: { status: 200, headers: {}, body: '{"a":1}' },
      beganMs: Date.parse('2026-01-01T00:00:00.250Z'),
      endedMs: Date.parse('2026-01-01T00:00:00.250Z') + 12.5,
      inexactMs: 1,
      client: undefined,
      source: 'x.har, entry 3',
    });
  });

  const pair = (name: string, value: string) => ({ name, value });
  it.each([
    [
      'a body in base64',
      { response: { ...response, content: { text: 'e30=', encoding: 'base64' } } },
      { reply: { status: 200, headers: {}, body: '{}' } },
    ],
    [
      'no body',
      { response: { status: 204, headers: [], content: { size: 0 } } },
      { reply: { status: 204, headers: {}, body: '' } },
    ],
    [
      'a body that was left out',
      { response: { ...response, content: { size: 9 } } },
      { reply: undefined, unread: 'body' },
    ],
    [
      'a sent body that was left out',
      { request: { ...request, postData: undefined, bodySize: 9 } },
      { lacksBody: true },
    ],
    [
      'HTTP/2 pseudo headers',
      { request: { ...request, headers: [pair(':path', '/'), pair('A', '1'), pair('a', '2')] } },
      { request: { headers: { a: '1, 2' } } },
    ],
    [
      'a redirect',
      { response: { ...response, status: 302, redirectURL: 'http://127.0.0.1:2/' } },
      { reply: { status: 302 } },
    ],
    ['no reply', { response: { status: 0, headers: [] } }, { reply: undefined, unread: 'aborted' }],
    ['a reply from a cache', { _fromCache: 'disk' }, { unread: 'not-served' }],
    ['a reply of a mock', { _wasFulfilled: true }, { unread: 'not-served' }],
    ['no times', { startedDateTime: undefined }, { beganMs: undefined, endedMs: undefined }],
    [
      'fields of a form',
      { request: { ...request, postData: { params: [pair('a', 'b c')] } } },
      { request: { body: 'a=b+c' } },
    ],
  ])('may have %s', (_, more, expected) => {
    expect(read(more)).toMatchObject(expected);
  });

  it.each([
    [{ request: undefined }, 'request is missing'],
    [{ response: 1 }, 'response must be an object'],
    [{ request: { ...request, url: 'about:blank' } }, 'request.url must be an http or https URL'],
    [{ request: { ...request, method: 1 } }, 'request.method must be a text'],
    [{ request: { ...request, headers: [{ name: 'a' }] } }, 'request.headers.0 has no name and value'],
    [{ response: { ...response, status: 99 } }, 'response.status must be a status of HTTP'],
    [{ startedDateTime: 'noon' }, 'startedDateTime must be a time in ISO 8601'],
  ])('is refused: %j', (more, message) => {
    expect(read(more)).toBe(message);
  });
});

describe('a line of exchanges', () => {
  it('is read as it was written', () => {
    const observed = {
      request: { method: 'POST', url: URL, headers: { a: 'b' }, body: '{}' },
      reply: { status: 200, headers: {}, body: '1' },
      beganMs: 1.5,
      endedMs: 2,
      client: '10.0.0.1',
      source: 'a, line 1',
    };
    expect(exchangeLine(JSON.parse(lineOf(observed)), 'a, line 1')).toEqual({ ok: true, value: observed });
    const cut = { ...observed, reply: undefined, unread: 'aborted' as const };
    expect(exchangeLine(JSON.parse(lineOf(cut)), 'a, line 1')).toEqual({ ok: true, value: cut });
  });

  it('may be that of another author: headers as pairs, bodies as JSON, no times', () => {
    const line = {
      request: { method: 'GET', url: URL, headers: [['A', 'b']] },
      reply: { status: 200, body: { a: 1 } },
    };
    expect(exchangeLine(line, 'a')).toMatchObject({
      value: { request: { headers: { a: 'b' } }, reply: { headers: {}, body: '{"a":1}' }, beganMs: undefined },
    });
  });

  it.each([
    [{}, { key: 'request', message: 'is missing' }],
    [{ request: { method: 'GET', url: 'x' } }, { key: 'request.url', message: 'must be an http or https URL' }],
    [
      { request: { method: 'GET', url: URL }, reply: {} },
      { key: 'reply.status', message: 'is missing' },
    ],
  ])('is refused: %j', (line, fault) => {
    expect(exchangeLine(line, 'a')).toMatchObject(fault);
  });

  it('of a later version is refused with what to do', () => {
    expect(exchangesHead({ schema: 'aips-lab/exchanges/9' })).toMatchObject({
      message: expect.stringContaining('of a later version of aips-lab: update it'),
    });
  });
});

describe('a list in a document that is read in pieces', () => {
  const items = (text: string, size: number, charsMax = 1_000): readonly string[] => {
    const found = new JsonItems(['log', 'entries'], { charsMax, levelsMax: 20 });
    const all: { text: string; line: number }[] = [];
    for (let at = 0; at < text.length; at += size) all.push(...found.add(text.slice(at, at + size)));
    found.end();
    const lineOf = (item: string): number => text.slice(0, text.indexOf(item)).split('\n').length;
    const texts = all.map((item) => item.text);
    if (new Set(texts).size === texts.length) expect(all.map(({ line }) => line)).toEqual(texts.map(lineOf));
    return texts;
  };

  it('has the same items, however it is cut', () => {
    const json = fc.jsonValue({ depthSize: 'small' });
    fc.assert(
      fc.property(
        fc.array(json),
        json,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 2 }),
        (list, more, size, indent) => {
          const entries = list.map((value, at) => ({ '\\"': value, at }));
          const document = { other: { entries: [1] }, log: { a: more, 'b"]': ['}'], entries, c: more }, d: more };
          const text = JSON.stringify(document, null, indent);
          expect(items(text, size, 1_000_000).map((item) => JSON.parse(item))).toEqual(
            JSON.parse(JSON.stringify(entries)),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['', 'is empty, and JSON was expected'],
    ['[]', 'is no JSON object'],
    ['"log"', 'is no JSON object'],
    ['{"log":{"entries":{}}}', 'has no list log.entries'],
    ['{"log":{"entries":[{},{"a":', 'is cut off: its JSON has no end'],
    ['{"log":{"entries":[{}', 'is cut off: its JSON has no end'],
    ['{"log":{"entries":[{},7]}}', 'entry 2 is no object'],
    ['{"log":{"entries":[{},"a"]}}', 'entry 2 is no object'],
    [`{"log":{"entries":[${'{"a":'.repeat(30)}`, 'entry 1 nests deeper than 20 levels'],
    [`{"log":{"entries":[{"a":"${'x'.repeat(2_000)}"}]}}`, 'entry 1 is longer than 1000 characters'],
    ['{"log":{"entries":[]}} {}', 'is not JSON: line 1 breaks it'],
    ['{"log":{"entries":[{}\n,\n{"a: 1},\n{"b": "c"}]}}', 'entry 2 is not JSON: line 3, column 2 breaks it'],
    [`{"log":{"entries":[\n{"a": x,"b":"${'x'.repeat(2_000)}`, 'entry 1 is not JSON: line 2, column 7 breaks it'],
  ])('is refused: %j', (text, message) => {
    expect(() => items(text, 7)).toThrow(NotItems);
    expect(() => items(text, 7)).toThrow(message);
  });
});
