import type { Mismatch } from '../../reports/conformance-result.js';

/** A clause does not hold: what was looked at, what the clause wants, what came. */
export class Mismatched extends Error {
  constructor(
    readonly mismatch: Mismatch,
    /** The clauses that it speaks about; undefined: whatever the check judges. */
    readonly clauses?: readonly string[],
  ) {
    super(`${mismatch.about}: expected ${mismatch.expected}, got ${mismatch.actual}`);
    this.name = 'Mismatched';
  }
}

const SHOWN_CHARS_MAX = 400;

/** A value as a report shows it: JSON, cut where it grows long. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
}

/** Throws `Mismatched` unless `ok`. */
export function assertThat(about: string, ok: boolean, expected: string, actual: string): asserts ok {
  if (!ok) throw new Mismatched({ about, expected, actual });
}

/** Makes assertions speak about some clauses alone; those that already do, and undefined, change nothing. */
export function attributed<T>(clauses: readonly string[] | undefined, assertions: () => T): T {
  try {
    return assertions();
  } catch (error) {
    if (!(error instanceof Mismatched) || error.clauses !== undefined || clauses === undefined) throw error;
    throw new Mismatched(error.mismatch, clauses);
  }
}

/** Throws `Mismatched` unless both are the same JSON value; the order of an object's keys does not matter. */
export function assertEqual(about: string, actual: unknown, expected: unknown): void {
  assertThat(about, sameJson(actual, expected), show(expected), show(actual));
}

function sameJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) => key in right && sameJson((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}
