/** Makes clauses from rows of id and text, so that a section reads like a table. */

import { type Clause, decided, must } from '../clause.js';

/** Clause texts by id; a pair adds the reason why no black-box check can judge the clause. */
export type ClauseRows = Readonly<Record<string, string | readonly [text: string, excluded: string]>>;

function cells(row: string | readonly [string, string]): readonly [text: string, excluded?: string] {
  return typeof row === 'string' ? [row] : row;
}

/** The statements of one section of the specification, in the order in which the rows are written. */
export function musts(section: string, rows: ClauseRows): Clause[] {
  return Object.entries(rows).map(([id, row]) => must(section, id, ...cells(row)));
}

/** The statements by which one decision (`D-24`) fills the section that is silent, in the order of the rows. */
export function decisionRows(decision: string, section: string, rows: ClauseRows): Clause[] {
  return Object.entries(rows).map(([id, row]) => decided(decision, section, id, ...cells(row)));
}
