import type { Hash } from 'node:crypto';

const arrays = { u8: Uint8Array, i32: Int32Array, f64: Float64Array } as const;
type ElementKind = keyof typeof arrays;

/** A column: its element type, how many elements a row has, and what a new row holds. */
export interface ColumnSpec<K extends ElementKind = ElementKind> {
  readonly kind: K;
  readonly width: number;
  readonly initial: number;
}

/** Declares a column of one element a row, or of `width`. */
export function column<K extends ElementKind>(kind: K, initial = 0, width = 1): ColumnSpec<K> {
  return { kind, initial, width };
}

type Columns<S> = { [N in keyof S]: S[N] extends ColumnSpec<infer K> ? InstanceType<(typeof arrays)[K]> : never };

/**
 * Rows as columns of typed arrays: `table.columns.status[row]`. Growing replaces the arrays, so hold the table, or take
 * `columns` anew after a row was added.
 */
export interface Table<S extends Record<string, ColumnSpec>> {
  readonly schema: S;
  readonly columns: Columns<S>;
  rows: number;
  capacity: number;
}

/** An empty table with room for `capacity` rows, at least one: it grows by doubling. */
export function createTable<S extends Record<string, ColumnSpec>>(schema: S, rows = 64): Table<S> {
  const capacity = Math.max(1, rows);
  const columns: Record<string, unknown> = {};
  for (const [name, { kind, width, initial }] of Object.entries(schema)) {
    columns[name] = new arrays[kind](capacity * width).fill(initial);
  }
  return { schema, columns: columns as Columns<S>, rows: 0, capacity };
}

/** Adds a row that holds each column's initial value, and returns its number. */
export function addRow<S extends Record<string, ColumnSpec>>(table: Table<S>): number {
  if (table.rows === table.capacity) {
    table.capacity *= 2;
    const columns = table.columns as Record<string, InstanceType<(typeof arrays)[ElementKind]>>;
    for (const [name, { kind, width, initial }] of Object.entries(table.schema)) {
      const old = columns[name] as InstanceType<(typeof arrays)[ElementKind]>;
      const larger = new arrays[kind](table.capacity * width);
      larger.set(old);
      if (initial !== 0) larger.fill(initial, old.length);
      columns[name] = larger;
    }
  }
  table.rows += 1;
  return table.rows - 1;
}

/** Feeds every row of every column to a hash, in the order of the schema. */
export function hashTable<S extends Record<string, ColumnSpec>>(table: Table<S>, hash: Hash): void {
  const columns = table.columns as Record<string, InstanceType<(typeof arrays)[ElementKind]>>;
  for (const [name, { width }] of Object.entries(table.schema)) {
    const used = (columns[name] as InstanceType<(typeof arrays)[ElementKind]>).subarray(0, table.rows * width);
    hash.update(`${name}:${table.rows}:`);
    hash.update(new Uint8Array(used.buffer, used.byteOffset, used.byteLength));
  }
}
