/** Mutates a valid request in one place, guided by the schema of its body. Valid requests are made in client-sessions.ts. */

import { type JsonObject as Body, isObject } from '../../spec/formats.js';
import type { Chance } from '../faults/chance.js';
import { oddValue, type Schema, valueFrom } from './schema-values.js';
import type { Call } from './server-process.js';

/** The request, changed in one place: a fault in its headers, path or body, or another value there that the schema allows. */
export function mutated(call: Call, schema: Schema | undefined, chance: Chance): Call {
  const { body } = call;
  const kind = chance.below(10);
  if (kind === 0) return { ...call, headers: mutatedHeaders(call.headers ?? {}, chance) };
  if (kind === 1) return { ...call, path: mutatedPath(call.path, chance) };
  if (body === undefined) return { ...call, headers: mutatedHeaders(call.headers ?? {}, chance) };
  if (kind === 2) return { ...call, body: mutatedText(JSON.stringify(body), chance) };
  if (!isObject(body)) return { ...call, body: oddValue(chance) };
  if (kind === 3 && schema !== undefined) return { ...call, body: valueFrom(schema, chance) };
  return { ...call, body: mutatedBody(body, schema, chance) };
}

/** Every property that a body may have, whichever of its forms it takes. */
function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  if (schema === undefined) return {};
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return Object.assign({}, schema.properties, ...parts.map(propertiesOf));
}

function mutatedBody(body: Body, schema: Schema | undefined, chance: Chance): unknown {
  const properties = propertiesOf(schema);
  const names = [...new Set([...Object.keys(body), ...Object.keys(properties)])];
  if (names.length === 0) return { odd: oddValue(chance) };
  const name = chance.pick(names);
  const { [name]: value, ...rest } = body;
  const kind = chance.below(6);
  if (kind === 0) return rest;
  if (kind === 1) return { ...body, [name]: oddValue(chance) };
  if (kind === 2) return { ...body, [chance.pick(names)]: value };
  if (kind === 3 && typeof value === 'string') return { ...body, [name]: mutatedText(value, chance) };
  if (kind === 4) return { ...body, unknown_field: oddValue(chance) };
  const propertySchema = properties[name];
  return { ...body, [name]: propertySchema === undefined ? oddValue(chance) : valueFrom(propertySchema, chance) };
}

function mutatedText(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1);
  return chance.pick([
    text.slice(0, at),
    `${text.slice(0, at)}${String.fromCharCode(32 + chance.below(90))}${text.slice(at + 1)}`,
    `${text}${text.slice(at)}`,
    text.toUpperCase(),
    '',
  ]);
}

function mutatedHeaders(headers: Readonly<Record<string, string>>, chance: Chance): Readonly<Record<string, string>> {
  const { authorization, ...rest } = headers;
  return chance.pick<Readonly<Record<string, string>>>([
    rest,
    { ...headers, authorization: 'Bearer pvn_YQ.00' },
    { ...headers, authorization: mutatedText(authorization ?? 'Bearer x', chance).replace(/[^ -~]/g, '~') },
    { ...headers, 'content-type': 'text/plain' },
    { ...headers, 'content-encoding': 'gzip' },
    { ...headers, 'content-encoding': 'br, '.repeat(20) },
    { ...headers, 'x-forwarded-for': `::1%${'z'.repeat(chance.below(9_000))}` },
    { ...headers, 'x-registration-token': 'f'.repeat(64) },
    { ...headers, accept: 'text/html' },
  ]);
}

function mutatedPath(path: string, chance: Chance): string {
  const parts = path.split('/');
  const last = parts.pop() ?? '';
  return chance.pick([
    `${path}?a=1&a=2`,
    `${path}/`,
    `${path}//`,
    `${path}%00`,
    `${path}%E0%A4%A`,
    [...parts, mutatedText(encodeURIComponent(last), chance).replace(/[^!-~]|[#?]/g, '~')].join('/'),
    [...parts, '..', last].join('/'),
    [...parts, `0x${'0'.repeat(64)}`].join('/'),
    `${path}/${'x'.repeat(2_000)}`,
  ]);
}
