/** Tables as CSV and as Parquet with the same columns and rows, and their data dictionary. The rows come from the callers. */

import {
  type BasicType,
  ByteWriter,
  type ColumnSource,
  ParquetWriter,
  parquetWriteBuffer,
  schemaFromColumnData,
} from 'hyparquet-writer';
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
  return new Uint8Array(parquetWriteBuffer({ columnData: dataOf(columns, rows), createdBy: CREATED_BY }));
}

const CREATED_BY = 'aips-lab';
/** Rows that are in memory at a time. */
const GROUP_ROWS = 50_000;

/** The same in pieces, for more rows than fit into memory: a row group for each 50,000. */
export function* parquetPieces<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): Generator<Uint8Array> {
  const writer = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: dataOf(columns, []) });
  const file = new ParquetWriter({ writer, schema, createdBy: CREATED_BY });
  const takeBytes = (): Uint8Array => {
    const bytes = new Uint8Array(writer.getBuffer());
    writer.index = 0;
    return bytes;
  };
  let group: Row[] = [];
  const addGroup = (): Uint8Array => {
    // The schema has the types; given twice they are refused.
    const columnData = dataOf(columns, group).map(({ name, data }) => ({ name, data }));
    file.write({ columnData, rowGroupSize: GROUP_ROWS });
    group = [];
    return takeBytes();
  };
  for (const row of rows) {
    if (group.push(row) === GROUP_ROWS) yield addGroup();
  }
  if (group.length > 0) yield addGroup();
  file.finish();
  yield takeBytes();
}

function dataOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): ColumnSource[] {
  return columns.map(
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
}

/** A data dictionary: a line of Markdown for each column. */
export function dictionary<Row>(columns: readonly Column<Row>[]): string {
  const lines = columns.map(({ name, type, about }) => `| \`${name}\` | ${type} | ${about} |`);
  return ['| column | type | meaning |', '|---|---|---|', ...lines].join('\n');
}
