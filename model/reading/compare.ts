/** Comparison of JSON values as the specification's text compares them, and how a report shows a value. */
import { instantMs } from './field-tests.js';

const SHOWN_CHARS_MAX = 400;

/** A value as a report shows it: JSON, cut where it grows long. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
}

/** The same for a value that may be a report's own words already. */
export function inWords(value: unknown): string {
  return typeof value === 'string' ? value : show(value);
}

/** Whether both are the same JSON value; the order of an object's keys does not matter. */
export function identical(left: unknown, right: unknown): boolean {
  return sameBy(Object.is, left, right);
}

/**
 * Whether both mean the same: JSON values, except for the case of hex and the form of an ISO 8601 instant, which the
 * specification leaves open.
 */
export function sameMeaning(left: unknown, right: unknown): boolean {
  return sameBy(sameScalar, left, right);
}

/** Hashes, keys and signatures: 16 bytes or more, so that a word of prose is not taken for one. */
const HEX = /^(0x)?[0-9a-f]{32,}$/i;

function sameScalar(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
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
