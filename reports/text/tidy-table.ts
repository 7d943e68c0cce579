/** Tables as CSV and as Parquet with the same columns and rows, and their data dictionary. The rows come from the callers. */

import { type BasicType, type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { csvNumber, csvText } from './csv.js';

/** A column: its cells are texts, numbers or null. */
export interface Column<Row> {
  readonly name: string;
  readonly type: 'text' | 'whole' | 'number';
  /** Its meaning in a sentence, with its unit. */
  readonly about: string;
  readonly cell: (row: Row) => string | number | null;
}

/** The rows as CSV, in pieces of a few thousand lines. An empty cell is missing. */
export function* csvPieces<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): Generator<string> {
  let piece = `${columns.map(({ name }) => csvText(name)).join(',')}\n`;
  for (const row of rows) {
    const cells = columns.map(({ cell }) => {
      const value = cell(row);
      return typeof value === 'string' ? csvText(value) : csvNumber(value);
    });
    piece += `${cells.join(',')}\n`;
    if (piece.length > 1_000_000) {
      yield piece;
      piece = '';
    }
  }
  yield piece;
}

const TYPES: Readonly<Record<Column<never>['type'], BasicType>> = { text: 'STRING', whole: 'INT64', number: 'DOUBLE' };

/** The rows as a Parquet file. Whole numbers are 64-bit integers, other numbers 64-bit floats; missing cells are null. */
export function parquetBytes<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Uint8Array {
  const columnData = columns.map(
    ({ name, type, cell }): ColumnSource => ({
      name,
      type: TYPES[type],
      nullable: true,
      data: rows.map((row) => {
        const value = cell(row);
        if (value === null || typeof value === 'string') return value;
        if (!Number.isFinite(value)) return null;
        return type === 'whole' ? BigInt(value) : value;
      }),
    }),
  );
  return new Uint8Array(parquetWriteBuffer({ columnData, createdBy: 'aips-lab' }));
}

/** A data dictionary: a line of Markdown for each column. */
export function dictionary<Row>(columns: readonly Column<Row>[]): string {
  const lines = columns.map(({ name, type, about }) => `| \`${name}\` | ${type} | ${about} |`);
  return ['| column | type | meaning |', '|---|---|---|', ...lines].join('\n');
}
