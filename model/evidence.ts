/** The evidence that the model makes of one exchange: clause, subject, expected, seen. A value that the model does not know makes none. */

import { sameMeaning, show } from '../conformance/assertions/compare.js';
import { at } from '../conformance/assertions/reply.js';
import type { ClauseLevel } from '../spec/clause.js';
import { clauseById } from '../spec/clauses/index.js';
import { typeTestOf } from './sentences.js';

/** A condition that may be unknown. */
export type Known = boolean | undefined;

/** One fact that an exchange shows about clauses of one level. */
export interface Evidence {
  readonly clauses: readonly string[];
  readonly level: ClauseLevel;
  /** The field or behaviour, without values: findings are grouped by it. */
  readonly about: string;
  readonly ok: boolean;
  /** Absent where it is as expected. */
  readonly expected?: string;
  readonly actual?: string;
}

/** Clauses that an exchange came to and did not judge; none where a reply as a whole is open. */
export interface Silence {
  readonly clauses: readonly string[];
  readonly why: string;
}

/** The evidence of one exchange. */
export class Judgement {
  /** Method and path of the endpoint; empty where none was called. */
  endpoint = '';
  readonly evidence: Evidence[] = [];
  readonly silences: Silence[] = [];

  /** Makes evidence of a condition; an unknown one is silence. Clauses of both levels make a piece of evidence each. */
  that(about: string, ok: Known, expected: unknown, actual: unknown, ...clauses: readonly string[]): void {
    if (clauses.length === 0) return;
    if (ok === undefined) {
      this.leave(about, ...clauses);
      return;
    }
    for (const level of ['must', 'decision'] as const) {
      const own = clauses.filter((id) => clauseById(id).level === level);
      if (own.length === 0) continue;
      const words = ok ? {} : { expected: asText(expected), actual: asText(actual) };
      this.evidence.push({ clauses: own, level, about, ok, ...words });
    }
  }

  /** Compares the value at a path of a reply; an `undefined` expectation is unknown. A clause about its type alone is judged by that. */
  equals(json: unknown, path: string, expected: unknown, ...clauses: readonly string[]): void {
    const actual = at(json, path);
    const about = path.replace(/\.\d+\./g, '.n.');
    for (const id of clauses) {
      const test = typeTestOf(id);
      if (test !== undefined) this.that(about, test(actual), clauseById(id).text, actual, id);
    }
    const ok = expected === undefined ? undefined : sameMeaning(actual, expected);
    this.that(about, ok, expected, actual, ...clauses.filter((id) => typeTestOf(id) === undefined));
  }

  /** Compares a value whose place the text leaves open: it may be shown elsewhere, or not at all. */
  shown(json: unknown, path: string, expected: unknown, ...clauses: readonly string[]): void {
    if (at(json, path) === undefined) this.leave(`${path} is not shown`, ...clauses);
    else this.equals(json, path, expected, ...clauses);
  }

  /** Takes evidence back: its clauses are not judged by it. */
  withhold(which: (evidence: Evidence) => boolean, why: string): void {
    const withheld = this.evidence.filter(which);
    for (const { clauses } of withheld) this.leave(why, ...clauses);
    const kept = this.evidence.filter((each) => !which(each));
    this.evidence.splice(0, this.evidence.length, ...kept);
  }

  /** Says why clauses are not judged. */
  leave(why: string, ...clauses: readonly string[]): void {
    this.silences.push({ clauses, why });
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : show(value));

/** Whether all conditions hold: false where one does not, unknown where one of the others is. */
export function all(...conditions: readonly Known[]): Known {
  if (conditions.includes(false)) return false;
  return conditions.includes(undefined) ? undefined : true;
}

/** Whether a condition holds: true where one does, unknown where none does and one is unknown. */
export function any(...conditions: readonly Known[]): Known {
  if (conditions.includes(true)) return true;
  return conditions.includes(undefined) ? undefined : false;
}

export const not = (condition: Known): Known => (condition === undefined ? undefined : !condition);
