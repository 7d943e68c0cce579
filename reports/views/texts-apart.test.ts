import { expect, it } from 'vitest';
import { type Transcripts, textsApart, textsJoined } from './texts-apart.js';

const wallet = { chain: 'solana', address: 'A' } as const;
const given: Transcripts = [
  [
    'one/check',
    [
      { request: { method: 'GET', url: 'http://a/1', headers: { a: 'b' } }, failure: 'no reply', at: '2026' },
      {
        request: { method: 'POST', url: 'http://a/2', headers: {}, body: '' },
        response: { status: 200, headers: { c: 'd' }, body: '{}' },
        signed: [{ signature: 's', text: 't', wallet }],
      },
    ],
  ],
  ['another/check', []],
  [
    'third/check',
    [{ request: { method: 'GET', url: 'http://a/3', headers: {} }, response: { status: 204, headers: {}, body: '' } }],
  ],
];

it('joins what it takes apart, by way of JSON', () => {
  const apart = textsApart(given);
  expect(JSON.stringify(apart.rows)).not.toMatch(/http:|signature|\{\}"/);
  expect(apart.texts).toHaveLength(3);
  expect(textsJoined(JSON.parse(JSON.stringify(apart)))).toEqual(given);
});
