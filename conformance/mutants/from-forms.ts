/** Mutants of the forms of replies: a field of the text is missing, or has a value of another type. */

import { formRows } from '../../model/reading/forms.js';
import { clauseById } from '../../spec/clauses/index.js';
import { dialects } from '../../spec/dialect.js';
import { protocol } from '../../spec/protocol.js';
import type { Mutant, ReplyChange } from './mutant.js';

const WRONG: readonly unknown[] = [null, 'wrong', -1.5, false, { wrong: true }, []];

/** A value that a field's test refuses; undefined where it takes all of these. */
function wrongFor(holds: (value: unknown) => boolean): unknown {
  return WRONG.find((value) => !holds(value));
}

const facts = { protocol, dialect: dialects.service };

const rows = formRows(facts).flatMap(({ endpoint, rows: fields, form }) =>
  fields.flatMap(([path, test, ...clauses]) =>
    clauses
      .filter((clause) => clauseById(clause).excluded === undefined)
      .map((clause) => ({ endpoint, form, path, test, clause })),
  ),
);

/** One mutant for each pair of clause and field: the field is removed if that breaks the clause, otherwise it has another value. */
export const formMutants: readonly Mutant[] = rows.flatMap(({ endpoint, form, path, test, clause }): Mutant[] => {
  const gone = test.whereGiven !== true && !test.holds(undefined);
  const wrong = wrongFor(test.holds);
  const change: ReplyChange | undefined = gone
    ? { remove: path }
    : wrong === undefined
      ? undefined
      : { set: path, to: wrong };
  if (change === undefined) return [];
  const word = path.replaceAll(/[^a-z0-9]+/gi, '-');
  return [
    {
      id: `${form}/field-${word}-for-${clause.replaceAll('.', '-')}`,
      title: `${path} of ${endpoint} is ${gone ? 'left out' : JSON.stringify(wrong)}`,
      clause,
      patch: { endpoint, ...change },
    },
  ];
});
