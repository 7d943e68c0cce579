/** Reads a JSON text, and values of a given kind at a path of a JSON value. */

import { jsonDeeperAt, jsonOf, withoutByteOrderMark } from '../../spec/formats.js';
import { isAgentHash } from './field-tests.js';

/** Far deeper than any reply of the specification nests; replies are read recursively. */
const DEPTH_MAX = 200;

/** Names of fields by which JavaScript converts an object to a text; one in a reply must not take part in that. */
const OWN_MEANS = /toString|valueOf|\\u/;

/** The value of a JSON text, in which every object with such a field converts to its JSON. */
function asWords(text: string, value: unknown): unknown {
  if (!OWN_MEANS.test(text) || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value) && (Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf'))) {
    Object.defineProperty(value, Symbol.toPrimitive, { value: () => JSON.stringify(value) });
  }
  for (const item of Object.values(value)) asWords(text, item);
  return value;
}

/** The value of a JSON text; undefined if it is not JSON, or nests too deep. */
export function parse(text: string): unknown {
  if (jsonDeeperAt(text, DEPTH_MAX) !== undefined) return undefined;
  return asWords(text, jsonOf(withoutByteOrderMark(text)));
}

const replies = new WeakMap<object, unknown>();

/** The body of a reply as JSON, which is read once. */
export function jsonIn(reply: { readonly body: string }): unknown {
  if (!replies.has(reply)) replies.set(reply, parse(reply.body));
  return replies.get(reply);
}

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

/** The value at a dotted path; list items by their index. */
export function at(value: unknown, path: string): unknown {
  return path.includes('.') ? path.split('.').reduce(member, value) : member(value, path);
}

export function numberAt(json: unknown, path: string): number | undefined {
  const value = at(json, path);
  return typeof value === 'number' ? value : undefined;
}

export function textAt(json: unknown, path: string): string | undefined {
  const value = at(json, path);
  return typeof value === 'string' ? value : undefined;
}

/** An agent hash in lower case; undefined for anything else. */
export function hashAt(json: unknown, path: string): string | undefined {
  const value = at(json, path);
  return isAgentHash.holds(value) ? String(value).toLowerCase() : undefined;
}
