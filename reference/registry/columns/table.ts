/** Tables of typed-array columns that grow by doubling. Which columns an agent has is declared in state.ts. */

const arrays = { u8: Uint8Array, i32: Int32Array, f64: Float64Array } as const;
type ElementKind = keyof typeof arrays;
/** A column of any kind. */
export type AnyColumn = Uint8Array | Int32Array | Float64Array;

/** A column: its element type, its elements in a row, and the initial value. */
export interface ColumnSpec<K extends ElementKind = ElementKind> {
  readonly kind: K;
  readonly width: number;
  readonly initial: number;
}

/** Declares a column with one element in a row, or `width`. */
export function column<K extends ElementKind>(kind: K, initial = 0, width = 1): ColumnSpec<K> {
  return { kind, initial, width };
}

type Columns<S> = { [N in keyof S]: S[N] extends ColumnSpec<infer K> ? InstanceType<(typeof arrays)[K]> : never };

/**
 * A table of typed arrays: `table.columns.status[row]`. Growing replaces the arrays, so keep the table, or read
 * `columns` again after a row was added.
 */
export interface Table<S extends Record<string, ColumnSpec>> {
  readonly schema: S;
  readonly columns: Columns<S>;
  rows: number;
  capacity: number;
}

/** Makes an empty table with room for `rows` rows, at least one. */
export function createTable<S extends Record<string, ColumnSpec>>(schema: S, rows = 64): Table<S> {
  const capacity = Math.max(1, rows);
  const columns: Record<string, unknown> = {};
  for (const [name, { kind, width, initial }] of Object.entries(schema)) {
    const made = new arrays[kind](capacity * width);
    // Untouched memory is not allocated: a column of zeros costs nothing until it is used.
    if (initial !== 0) made.fill(initial);
    columns[name] = made;
  }
  return { schema, columns: columns as Columns<S>, rows: 0, capacity };
}

/** Adds a row with the initial value of each column, and returns its number. */
export function addRow<S extends Record<string, ColumnSpec>>(table: Table<S>): number {
  if (table.rows === table.capacity) {
    table.capacity *= 2;
    const columns = table.columns as Record<string, AnyColumn>;
    for (const [name, { kind, width, initial }] of Object.entries(table.schema)) {
      const old = columns[name] as AnyColumn;
      const larger = new arrays[kind](table.capacity * width);
      larger.set(old);
      if (initial !== 0) larger.fill(initial, old.length);
      columns[name] = larger;
    }
  }
  table.rows += 1;
  return table.rows - 1;
}

/** A hash that takes bytes and text. */
export interface ByteHash {
  update(part: Uint8Array | string): unknown;
}

/** Feeds every row of every column to a hash, in the order of the schema. */
export function hashTable<S extends Record<string, ColumnSpec>>(table: Table<S>, hash: ByteHash): void {
  const columns = table.columns as Record<string, AnyColumn>;
  for (const [name, { width }] of Object.entries(table.schema)) {
    const used = (columns[name] as AnyColumn).subarray(0, table.rows * width);
    hash.update(`${name}:${table.rows}:`);
    hash.update(new Uint8Array(used.buffer, used.byteOffset, used.byteLength));
  }
}

/** The used part of every column, by name: the columns themselves, no copies. */
export function usedColumns<S extends Record<string, ColumnSpec>>(table: Table<S>): Record<string, AnyColumn> {
  const columns = table.columns as Record<string, AnyColumn>;
  return Object.fromEntries(
    Object.entries(table.schema).map(([name, { width }]) => [
      name,
      (columns[name] as AnyColumn).subarray(0, table.rows * width),
    ]),
  );
}

/** Puts rows that `usedColumns` gave into a table that has none. */
export function fillTable<S extends Record<string, ColumnSpec>>(
  table: Table<S>,
  rows: number,
  used: (name: string) => AnyColumn,
): void {
  while (table.capacity < rows) table.capacity *= 2;
  const columns = table.columns as Record<string, AnyColumn>;
  for (const [name, { kind, width, initial }] of Object.entries(table.schema)) {
    const column = new arrays[kind](table.capacity * width);
    const filled = used(name);
    column.set(filled);
    if (initial !== 0) column.fill(initial, filled.length);
    columns[name] = column;
  }
  table.rows = rows;
}
