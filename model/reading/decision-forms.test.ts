import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dialects } from '../../spec/dialect.js';
import { endpointIds } from '../../spec/endpoint-ids.js';
import { protocol } from '../../spec/protocol.js';
import { decisionBehind, decisionClauseOf, deviations, successSchema } from './decision-forms.js';

const facts = { protocol, dialect: dialects.service };

describe('a deviation from the form of a schema', () => {
  it.each([
    [z.object({ a: z.string() }), { a: 1 }, 'a', 'a string', '1'],
    [z.object({ a: z.int() }), { a: 0.5 }, 'a', 'a whole number', '0.5'],
    [z.object({ a: z.number().min(1) }), { a: 0 }, 'a', 'at least 1', '0'],
    [z.object({ a: z.string().min(1) }), { a: '' }, 'a', 'at least 1 characters', '""'],
    [z.object({ a: z.array(z.string()).max(1) }), { a: ['x', 'y'] }, 'a', 'at most 1 items', '["x","y"]'],
    [z.object({ a: z.record(z.string(), z.string()) }), { a: 1 }, 'a', 'an object', '1'],
    [z.object({ a: z.tuple([z.string()]) }), {}, 'a', 'an array', undefined],
    [z.object({ a: z.literal('x') }), { a: 'y' }, 'a', '"x"', '"y"'],
    [z.object({ a: z.enum(['x', 'y']) }), {}, 'a', 'one of "x", "y"', undefined],
    [z.object({ a: z.string().regex(/^x$/) }), { a: 'y' }, 'a', 'a string that matches /^x$/', '"y"'],
    [z.object({ a: z.string().refine(() => false, 'must be the one') }), { a: 'y' }, 'a', 'the one', '"y"'],
    [
      z.discriminatedUnion('a', [z.object({ a: z.literal(true) }), z.object({ a: z.literal(false) })]),
      { a: 'y' },
      'a',
      'one of true, false',
      '"y"',
    ],
    [z.object({ a: z.union([z.string(), z.null()]) }), { a: 1 }, 'a', 'a string or null', '1'],
    [z.object({ a: z.string().nullable() }), {}, 'a', 'a string', undefined],
    [z.object({ a: z.union([z.null(), z.object({ b: z.string() })]) }), { a: { b: 1 } }, 'a.b', 'a string', '1'],
  ] as const)('%#: is in words of ours', (schema, json, path, expected, actual) => {
    expect(deviations(schema, json)).toEqual([{ path, expected, actual }]);
  });

  it('is none for a field that the schema has not', () => {
    expect(deviations(z.strictObject({ a: z.string() }), { a: 'x', b: 1 })).toEqual([]);
  });
});

const JUNK: readonly unknown[] = [undefined, null, -1, 0.5, 1e300, '', 'x', true, [], {}, ['x'], [{}], { a: 1 }];

type JsonSchema = { readonly [key: string]: unknown };

/** A value in about the form of a JSON Schema, so that each of its fields can be spoilt in turn. */
function sampleOf(schema: JsonSchema): unknown {
  const [first] = (schema['anyOf'] ?? []) as JsonSchema[];
  if (first !== undefined) return sampleOf(first);
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  if (schema['type'] === 'object') return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field)]));
  if (schema['type'] === 'array') return [sampleOf((schema['items'] ?? {}) as JsonSchema)];
  return schema['const'] ?? (schema['type'] === 'string' ? 'x' : 1);
}

/** The value with each of its fields, and itself, replaced by something else. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* JUNK;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, field] of Object.entries(value)) {
    for (const other of spoilt(field)) {
      yield Array.isArray(value) ? [other] : { ...value, [key]: other };
    }
  }
}

describe('a decision behind a value', () => {
  it.each([
    ['register', 'nonce', undefined, 'register.nonce.form'],
    ['register', 'api_key', undefined, 'key.agent.payload'],
    ['wallet', 'nonce', undefined, 'wallet.nonce.form'],
    ['resync', 'challenge.nonce', undefined, 'resync.nonce.form'],
    ['wallet', 'wallet_chain', 'D-51', 'wallet.finalize.reply'],
    ['beat-anchor', 'anchor.beat_index', 'D-05', 'beat-anchor.reply.anchor'],
    ['heartbeat', 'current_beat', undefined, undefined],
    ['passport', 'passport.service_signature', 'D-12', undefined],
    ['passport', 'authority_public_key_hex', 'D-12', 'passport.reply'],
  ] as const)('%s %s rests on %s, and has its form by %s', (id, path, decision, clause) => {
    expect(decisionBehind(id, path)).toBe(decision);
    expect(decisionClauseOf(id, path)).toBe(clause);
  });
});

describe('no word of the validator reaches a report', () => {
  it.each(endpointIds)('of a reply of %s, whatever is wrong with it', (id) => {
    const words = new Set<string>();
    for (const status of [200, 201]) {
      const schema = successSchema(id, status, facts);
      if (schema === undefined) continue;
      const sample = sampleOf(z.toJSONSchema(schema, { unrepresentable: 'any' }) as JsonSchema);
      for (const json of spoilt(sample)) for (const { expected } of deviations(schema, json)) words.add(expected);
    }
    const foreign = /invalid|expected|received|\b(int|tuple|record|union|literal|nan|undefined)\b|another form/i;
    expect([...words].filter((word) => foreign.test(word))).toEqual([]);
  });
});
