/** Makes clauses from rows of id and text, so that a section reads like a table. */

import { type Clause, decided, must } from '../clause.js';

/** Clause texts by id; a pair adds the reason why no black-box check can judge the clause. */
export type ClauseRows = Readonly<Record<string, string | readonly [text: string, excluded: string]>>;

/** A place within a section: the same for all rows, or as it follows from the id and the text of each. */
type Place = string | ((id: string, text: string) => string);

function cells(row: string | readonly [string, string]): readonly [text: string, excluded?: string] {
  return typeof row === 'string' ? [row] : row;
}

/** The statements of one place of a section of the specification, in the order in which the rows are written. */
export function musts(section: string, place: Place, rows: ClauseRows): Clause[] {
  return Object.entries(rows).map(([id, row]) => {
    const [text, excluded] = cells(row);
    return must(section, typeof place === 'string' ? place : place(id, text), id, text, excluded);
  });
}

/** The statements by which one decision (`D-24`) fills the section that is silent, in the order of the rows. */
export function decisionRows(decision: string, section: string, rows: ClauseRows): Clause[] {
  return Object.entries(rows).map(([id, row]) => decided(decision, section, id, ...cells(row)));
}

/** The place of `area.field.some-name`, and of whatever follows that: row `some_name` of the section's table of fields. */
export function fieldRow(id: string): string {
  return `table of fields, row ${(id.split('.')[2] ?? '').replaceAll('-', '_')}`;
}
