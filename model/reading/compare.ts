/** Compares JSON values as the text of the specification does, and shows values in reports. */
import { type FieldTest, instantMs } from './field-tests.js';

const SHOWN_CHARS_MAX = 400;

/** A value as reports show it: its JSON, cut if it is long. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
}

/** Does the same; a text is taken as words of the report, without quotes. */
export function inWords(value: unknown): string {
  return typeof value === 'string' ? value : show(value);
}

/** The kind of a JSON value: `number`, `array`, `null`. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** The expected and the actual value as reports show them. If both would look the same, they are shown as JSON with kinds, or from the first difference. */
export function contrasted(
  expected: unknown,
  actual: unknown,
  shown: (value: unknown) => string = inWords,
): readonly [expected: string, actual: string] {
  const words = [shown(expected), shown(actual)] as const;
  if (words[0] !== words[1]) return words;
  if (kindOf(expected) !== kindOf(actual)) return [withKind(expected), withKind(actual)];
  const [one, other] = [JSON.stringify(expected) ?? '', JSON.stringify(actual) ?? ''];
  const same = [...one].findIndex((char, at) => char !== other[at]);
  const from = Math.max(0, (same === -1 ? one.length : same) - SHOWN_CHARS_MAX / 4);
  const part = (text: string): string => `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN_CHARS_MAX / 2)}`;
  return [part(one), part(other)];
}

function withKind(value: unknown): string {
  return `${show(value)} (${kindOf(value)})`;
}

/** A report shows this many characters of a reply that lacks a value. */
const REPLY_CHARS = 80;

/** The status and the beginning of a reply: `200 {"ok":true,…`. */
export function replyShown(status: number, body: string): string {
  const text = body.length > REPLY_CHARS ? `${body.slice(0, REPLY_CHARS)}…` : body;
  return `${status} ${text === '' ? 'without a JSON body' : text}`;
}

/** The beginning of a reply that lacks a value: `nothing in 200 {"ok":true,…`. */
export function lackShown(status: number, body: string): string {
  return `nothing in ${replyShown(status, body)}`;
}

/** Whether both are the same JSON value; the order of an object's keys does not matter. */
export function identical(left: unknown, right: unknown): boolean {
  return sameBy((one, other) => one === other, left, right);
}

/** Tests for exactly this JSON value. */
export const is = (expected: unknown): FieldTest => ({
  words: show(expected),
  holds: (value) => identical(value, expected),
});

/**
 * Whether two JSON values have the same meaning. The specification leaves the case of hex and the form of an ISO 8601 instant
 * open.
 */
export function sameMeaning(left: unknown, right: unknown): boolean {
  return sameBy(sameScalar, left, right);
}

/** Hashes, keys and signatures have 16 bytes or more; shorter hex may be an ordinary word. */
const HEX = /^(0x)?[0-9a-f]{32,}$/i;

function sameScalar(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  if (HEX.test(left) && HEX.test(right)) return left.toLowerCase() === right.toLowerCase();
  const [one, other] = [instantMs(left), instantMs(right)];
  return one !== undefined && one === other;
}

function sameBy(same: (left: unknown, right: unknown) => boolean, left: unknown, right: unknown): boolean {
  if (same(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      sameBy(same, (left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}
