/** Makes clauses from rows of id and statement, so that a section reads like a table. */

import {
  type Clause,
  type ClauseLevel,
  type Demand,
  type DemandedType,
  decided,
  must,
  type Statement,
} from '../clause.js';
import { errors } from '../errors.js';

type Words = string | Pick<Statement, 'text' | 'demand'>;

/** Statements by clause id; a pair adds the reason why no black-box check can judge the clause. */
export type ClauseRows = Readonly<Record<string, Words | readonly [words: Words, excluded: string]>>;

/** A place within a section: the same for all rows, or as it follows from the id and the demand of each. */
type Place = string | ((id: string, demand: Demand | undefined) => string);

/** A statement with what it demands of a refusal, where that does not follow from its id (`demandOfId`). */
export function says(text: string, demand: Demand): Words {
  return { text, demand };
}

const TYPES: Readonly<Record<DemandedType, string>> = {
  boolean: 'a boolean',
  instant: 'an ISO 8601 string',
  number: 'a number',
  string: 'a string',
};

/** The statement that a field has a type: `isA('name of an agent', 'string')`. `orNull`: it may be null as well. */
export function isA(field: string, type: DemandedType, orNull?: 'or null'): Words {
  if (orNull === undefined) return says(`${field} is ${TYPES[type]}.`, { type });
  return says(`${field} is ${TYPES[type]} or null.`, { type, nullable: true });
}

const rows: Readonly<Record<string, (typeof errors)[keyof typeof errors]>> = errors;

/**
 * The demand of a clause `<endpoint>.error.<code>` with whatever follows: the status of that row of the errors, and its code where
 * section 7 names it, or a decision does.
 */
function demandOfId(id: string, level: ClauseLevel): Demand | undefined {
  const [, endpoint, name = ''] = /^(.+)\.error\.([a-z-]+)/.exec(id) ?? [];
  const key = name.replaceAll('-', '_').toUpperCase();
  const row = rows[`${endpoint}/${key}`] ?? (endpoint === undefined ? undefined : rows[`any/${key}`]);
  if (row === undefined) return undefined;
  const { status, code, codeBinds } = row;
  return codeBinds || level === 'decision' ? { status, code } : { status };
}

type Row = ClauseRows[string];

function cells(row: Row): readonly [text: string, demand: Demand | undefined, excluded: string | undefined] {
  const [words, excluded] = typeof row === 'string' || 'text' in row ? [row] : row;
  return typeof words === 'string' ? [words, undefined, excluded] : [words.text, words.demand, excluded];
}

/** The text of a row. */
export function textOf(row: Row): string {
  return cells(row)[0];
}

function statementOf(id: string, level: ClauseLevel, row: Row): Statement {
  const [text, demand = demandOfId(id, level), excluded] = cells(row);
  return { text, ...(demand && { demand }), ...(excluded !== undefined && { excluded }) };
}

/** The statements of one place of a section of the specification, in the order in which the rows are written. */
export function musts(section: string, place: Place, table: ClauseRows): Clause[] {
  return Object.entries(table).map(([id, row]) => {
    const statement = statementOf(id, 'must', row);
    return must(section, typeof place === 'string' ? place : place(id, statement.demand), id, statement);
  });
}

/** The statements by which one decision (`D-24`) fills the section that is silent, in the order of the rows. */
export function decisionRows(decision: string, section: string, table: ClauseRows): Clause[] {
  return Object.entries(table).map(([id, row]) => decided(decision, section, id, statementOf(id, 'decision', row)));
}

/** The place of `area.field.some-name`, and of whatever follows that: row `some_name` of the section's table of fields. */
export function fieldRow(id: string): string {
  return `table of fields, row ${(id.split('.')[2] ?? '').replaceAll('-', '_')}`;
}
