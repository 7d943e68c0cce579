/** Reads a JSON text, and values of a given kind at a path of a JSON value. */

import { jsonDeeperAt, jsonOf, withoutByteOrderMark } from '../../spec/formats.js';
import { isAgentHash } from './field-tests.js';
import { perText } from './memo.js';

/** Deeper values are refused, since replies are read recursively. Replies of the specification are far less deep. */
const DEPTH_MAX = 200;

/** Names of the methods by which JavaScript converts an object to a text. Fields of a reply with these names must not replace the methods. */
const CONVERSION_NAMES = /toString|valueOf|\\u/;

/** Makes every object with such a field convert to its JSON text. */
function withJsonConversion(text: string, value: unknown): unknown {
  if (!CONVERSION_NAMES.test(text) || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value) && (Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf'))) {
    Object.defineProperty(value, Symbol.toPrimitive, { value: () => JSON.stringify(value) });
  }
  for (const item of Object.values(value)) withJsonConversion(text, item);
  return value;
}

/** Parses a JSON text; undefined if it is not JSON, or too deep. */
export function parse(text: string): unknown {
  if (jsonDeeperAt(text, DEPTH_MAX) !== undefined) return undefined;
  return withJsonConversion(text, jsonOf(withoutByteOrderMark(text)));
}

const replies = new WeakMap<object, unknown>();

/** The body of a reply as JSON; parsed once. */
export function jsonIn(reply: { readonly body: string }): unknown {
  if (!replies.has(reply)) replies.set(reply, parse(reply.body));
  return replies.get(reply);
}

/** A member of an object or list; undefined where there is none. */
const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

/** The value at a dotted path; list items have their index as name. */
export function at(value: unknown, path: string): unknown {
  if (!path.includes('.')) return member(value, path);
  let found = value;
  for (const part of partsOf(path)) found = member(found, part);
  return found;
}

const partsOf = perText((path) => path.split('.'));

/** A path as reports name it: `n` for each index of a list. */
export const aboutPath = perText((path) => path.replace(/\.\d+\./g, '.n.'));

export function numberAt(json: unknown, path: string): number | undefined {
  const value = at(json, path);
  return typeof value === 'number' ? value : undefined;
}

export function textAt(json: unknown, path: string): string | undefined {
  const value = at(json, path);
  return typeof value === 'string' ? value : undefined;
}

/** The agent hash at a path, in lower case; undefined for any other value. */
export function hashAt(json: unknown, path: string): string | undefined {
  const value = at(json, path);
  return isAgentHash.holds(value) ? String(value).toLowerCase() : undefined;
}

/** Hashes, keys, ids and signatures are at least this long. */
const NAME_CHARS_MIN = 16;

/** The texts in a value that may be the name of an agent, a key, a payment or a complaint. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < NAME_CHARS_MIN ? [] : [value, value.toLowerCase()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : [];
}
