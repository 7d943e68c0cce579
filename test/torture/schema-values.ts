/** Values that a JSON Schema allows, or nearly: for requests that get past validation, or just do not. */

import type { Chance } from '../faults/chance.js';

/** The parts of a JSON Schema that the OpenAPI documents of the project have. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

const DEPTH_MAX = 6;

/** A value of the schema, as far as its patterns are of hex, base58 or words. */
export function valueFrom(schema: Schema, chance: Chance, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return chance.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return valueFrom(chance.pick(choices), chance, depth + 1);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((each) => valueFrom(each, chance, depth)));
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[chance.below(schema.type.length)];
  if (type === 'object' || schema.properties !== undefined) return objectOf(schema, chance, depth);
  if (type === 'array') return arrayOf(schema, chance, depth);
  if (type === 'string') return textOf(schema, chance);
  if (type === 'integer' || type === 'number') return numberOf(schema, chance, type === 'integer');
  if (type === 'boolean') return chance.happens(0.5);
  return type === 'null' ? null : oddValue(chance);
}

function objectOf({ properties = {}, required = [] }: Schema, chance: Chance, depth: number): object {
  const made: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (required.includes(name) || chance.happens(0.4)) made[name] = valueFrom(schema, chance, depth + 1);
  }
  return made;
}

function arrayOf({ items = {}, minItems = 0, maxItems = 5 }: Schema, chance: Chance, depth: number): unknown[] {
  const length = depth > DEPTH_MAX ? 0 : minItems + chance.below(Math.min(maxItems, minItems + 5) - minItems + 1);
  return Array.from({ length }, () => valueFrom(items, chance, depth + 1));
}

function numberOf({ minimum = 0, maximum = 1_000 }: Schema, chance: Chance, isWhole: boolean): number {
  const edges = [minimum, maximum, Math.min(minimum + 1, maximum)];
  if (chance.happens(0.4)) return chance.pick(edges);
  const value = minimum + (chance.below(1_000_000) / 1_000_000) * Math.min(maximum - minimum, 10_000);
  return isWhole ? Math.floor(value) : value;
}

const HEX = '0123456789abcdef';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const WORDS = [
  'a',
  'acme',
  'x'.repeat(64),
  'Ünï cödé 🜚',
  'https://hooks.example.com/a',
  '1700000000',
  '2030-01-01T00:00:00.000Z',
];

function textOf({ minLength = 0, maxLength = 64, pattern }: Schema, chance: Chance): string {
  const run = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[chance.below(alphabet.length)]).join('');
  const exact = pattern === undefined ? undefined : /\{(\d+)\}/.exec(pattern)?.[1];
  if (pattern?.startsWith('^0x')) return `0x${run(HEX, Number(exact ?? 64))}`;
  if (pattern?.includes('a-f')) return run(HEX, Number(exact ?? 64));
  if (pattern?.includes('HJ-N')) return run(BASE58, 32 + chance.below(13));
  const text = chance.happens(0.5) ? chance.pick(WORDS) : run('abcdefghijklmnopqrstuvwxyz', 1 + chance.below(12));
  return text.slice(0, maxLength).padEnd(Math.min(minLength, 5_000), 'x');
}

/** A value that hardly any field allows. */
export function oddValue(chance: Chance): unknown {
  return chance.pick([
    null,
    true,
    0,
    -1,
    0.5,
    2 ** 53,
    -(2 ** 53),
    1e308,
    '',
    ' ',
    'x'.repeat(5_000),
    '\u0000\ud800',
    '__proto__',
    [],
    {},
    [[[[]]]],
    { toString: 1 },
    JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}'),
  ]);
}
