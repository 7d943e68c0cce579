/** Reads the sentences of clauses: the status, code or type that each demands. A clause is judged by its own sentence alone. */

import { clauseById } from '../spec/clauses/index.js';
import { errors } from '../spec/errors.js';
import { type FieldTest, isBoolean, isInstant, isNumber, isString, orNull } from './reading/field-tests.js';

/** The parts of a refusal that a sentence names. A sentence without any says only that the request is refused. */
interface RefusalDemand {
  readonly status: boolean;
  readonly code: boolean;
  /** The code is demanded of a reply that has one. */
  readonly onlyIfThere: boolean;
}

const codes = new Set(Object.values(errors).map(({ code }) => code));

/** The refusal that a clause demands. */
export const refusalDemandOf = remembered((text): RefusalDemand => {
  const words = text.match(/[A-Z_]{4,}/g) ?? [];
  return {
    status: /\b4\d\d\b/.test(text),
    code: words.some((word) => codes.has(word)),
    onlyIfThere: text.includes('if the reply has a code'),
  };
});

const TYPES = [isNumber, isString, isBoolean, isInstant];

/** The test of a clause that says nothing of a field but its type; undefined for any other clause. */
export const typeTestOf = remembered((text): FieldTest | undefined => {
  const [, type, isNullable] = /^\S+ of .* is (an? [\w ]+?)( or null)?\.$/.exec(text) ?? [];
  const test = TYPES.find(({ words }) => words === type);
  return test && isNullable ? orNull(test) : test;
});

function remembered<T>(read: (text: string) => T): (id: string) => T {
  const known = new Map<string, T>();
  return (id) => {
    const found = known.get(id) ?? read(clauseById(id).text);
    known.set(id, found);
    return found;
  };
}
