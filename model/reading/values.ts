/** Reads a JSON text, and values at places of a JSON value, where they are of the kind that is wanted. */

import { jsonDeeperAt, jsonOf, withoutByteOrderMark } from '../../spec/formats.js';
import { isAgentHash } from './field-tests.js';

/** Deeper than any reply of the specification nests by far; what looks at a reply goes through it recursively. */
const DEPTH_MAX = 200;

/** Names of fields by which JavaScript makes a text of an object: one from a reply must not be taken for the means to do so. */
const OWN_MEANS = /toString|valueOf|\\u/;

/** The value of a JSON text, in which every object with such a field reads as its JSON where a text is wanted. */
function asWords(text: string, value: unknown): unknown {
  if (!OWN_MEANS.test(text) || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value) && (Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf'))) {
    Object.defineProperty(value, Symbol.toPrimitive, { value: () => JSON.stringify(value) });
  }
  for (const item of Object.values(value)) asWords(text, item);
  return value;
}

/** A text as JSON; undefined when it is not, or nests too deep to be read. */
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
