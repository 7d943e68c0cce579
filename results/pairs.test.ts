import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { pairsJsonSchema, readPairs } from './pairs.js';

const text = readFileSync(new URL('../examples/vectors/pairs.json', import.meta.url), 'utf8');
/** A reference in a text. */
const ref = (of: string): string => `\${${of}}`;
const step = { method: 'POST', path: '/api/v1/register', body: { name: ref('hex.a.12') } };
const shows = [
  {
    clause: 'agent.field.ok',
    statement: 'ok is true.',
    expect: { status: '2xx', fields: [{ path: 'ok', is: true }] },
    wrong: { mistake: 'register/ok-false', title: 'ok is false', status: 200, body: { ok: false } },
    kills: ['register/ok-false'],
  },
];
const right = { status: 200, body: { ok: true } };
const file = (pair: object): string =>
  JSON.stringify({
    schema: 'aips-lab/pairs/1',
    seed: 'x',
    difficulty: 1000,
    pairs: [{ right, shows, ...pair }],
    outside: [],
  });

describe('the file of minimal pairs', () => {
  it('is as its reader and its JSON Schema want it, and shows each clause with its shortest script first', () => {
    const { pairs } = readPairs(text, 'pairs.json');
    expect(new Ajv2020({ strict: false }).validate(pairsJsonSchema(), JSON.parse(text))).toBe(true);
    const lengths = pairs.map(({ steps }) => steps.length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
    expect(new Set(pairs.flatMap((pair) => pair.shows.map(({ clause }) => clause))).size).toBeGreaterThan(300);
  });

  it.each<[string, string]>([
    ['{', 'x.json is not JSON: '],
    ['{}', 'x.json is not as aips-lab/pairs/1 says: '],
    [file({ steps: [] }), 'pairs[0].steps'],
    [file({ steps: [{ ...step, bodi: {} }] }), 'Unrecognized key: "bodi"'],
    [
      file({ steps: [{ ...step, key: ref('0.api_key') }] }),
      `pairs.0.steps.0: ${ref('0.api_key')} names no earlier step`,
    ],
    [file({ steps: [{ ...step, key: ref('key.a') }] }), `pairs.0.steps.0: ${ref('key.a')} names no earlier step`],
    [
      file({ steps: [{ ...step, key: ref('chain.a.1') }] }),
      `pairs.0.steps.0: ${ref('chain.a.1')} names no earlier step`,
    ],
  ])('is refused with its place: %s', (given, message) => {
    expect(() => readPairs(given, 'x.json')).toThrow(message);
  });

  it('is read with references to earlier replies', () => {
    const steps = [step, { method: 'POST', path: '/api/v1/agent/init', key: ref('0.api_key'), body: {} }];
    expect(readPairs(file({ steps }), 'x.json').pairs).toHaveLength(1);
  });
});
