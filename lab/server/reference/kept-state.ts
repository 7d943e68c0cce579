/**
 * Saved states of one service in memory, with fingerprints. Columns and lists are cut into pieces, and a piece that equals the same piece of the
 * previous state is that very piece: what only grows, such as transactions, is in memory, and hashed, once. It does not choose which states are kept.
 */

import { createHash, hash } from 'node:crypto';
import { canonicalJson } from '../../../reference/beats/canonical-json.js';
import type { Column, SavedState } from '../../../reference/store/saved-state.js';

const COLUMN_PIECE_BYTES = 16_384;
const LIST_PIECE_ITEMS = 1_024;
/** Roughly, of V8: a field or an item of an array, and the head of an object or a string. */
const FIELD_BYTES = 8;
const HEAD_BYTES = 24;

/** A part of a column or a list, which several states may have. It is never changed. */
export interface Piece {
  readonly content: Column | readonly unknown[];
  readonly sha256: string;
  /** Roughly the memory that it takes. */
  readonly bytes: number;
}

/** A state that is kept. */
export interface KeptState {
  readonly tables: SavedState['tables'];
  /** The pieces of each list and column by its name, in their order. */
  readonly lists: Readonly<Record<string, readonly Piece[]>>;
  readonly columns: Readonly<Record<string, readonly Piece[]>>;
}

/** Keeps a copy of a saved state, which shares with `previous` what is the same in both. */
export function keepState(saved: SavedState, previous?: KeptState): KeptState {
  const lists: Record<string, readonly Piece[]> = {};
  for (const [name, list] of Object.entries(saved.lists)) lists[name] = listPieces(list, previous?.lists[name]);
  const columns: Record<string, readonly Piece[]> = {};
  for (const [name, column] of Object.entries(saved.columns))
    columns[name] = columnPieces(column, previous?.columns[name]);
  return { tables: structuredClone(saved.tables), lists, columns };
}

/** The saved state again: a copy, which may be changed. */
export function openState({ tables, lists, columns }: KeptState): SavedState {
  const opened: Record<string, unknown[]> = {};
  for (const [name, pieces] of Object.entries(lists)) {
    opened[name] = pieces.flatMap(({ content }) => (content as readonly unknown[]).map(copyOf));
  }
  const joined = Object.entries(columns).map(([name, pieces]) => [name, joinedColumn(pieces)] as const);
  return { tables: structuredClone(tables), lists: opened, columns: Object.fromEntries(joined) };
}

/** SHA-256 of a state, in hex: two states of the same options with the same one answer alike. */
export function fingerprintOf({ tables, lists, columns }: KeptState): string {
  const digest = createHash('sha256').update(canonicalJson(tables));
  for (const [name, pieces] of [...Object.entries(lists), ...Object.entries(columns)])
    digest.update(`\n${name} ${pieces.map(({ sha256 }) => sha256).join(' ')}`);
  return digest.digest('hex');
}

/** Every piece of a state. */
export function* piecesOf({ lists, columns }: KeptState): Generator<Piece> {
  for (const pieces of [...Object.values(lists), ...Object.values(columns)]) yield* pieces;
}

/** A column without rows has one piece too, which holds its kind. */
function columnPieces(column: Column, previous: readonly Piece[] = []): readonly Piece[] {
  const length = COLUMN_PIECE_BYTES / column.BYTES_PER_ELEMENT;
  return Array.from({ length: Math.max(1, Math.ceil(column.length / length)) }, (_, at) => {
    const part = column.subarray(at * length, (at + 1) * length);
    const before = previous[at];
    if (before !== undefined && bytesOf(part).equals(bytesOf(before.content as Column))) return before;
    return { content: part.slice(), sha256: hash('sha256', bytesOf(part)), bytes: HEAD_BYTES + part.byteLength };
  });
}

function joinedColumn(pieces: readonly Piece[]): Column {
  const parts = pieces.map(({ content }) => content as Column);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const joined = new ((parts[0] as Column).constructor as new (length: number) => Column)(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function bytesOf({ buffer, byteOffset, byteLength }: Column): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function listPieces(list: readonly unknown[], previous: readonly Piece[] = []): readonly Piece[] {
  return Array.from({ length: Math.ceil(list.length / LIST_PIECE_ITEMS) }, (_, at) => {
    const part = list.slice(at * LIST_PIECE_ITEMS, (at + 1) * LIST_PIECE_ITEMS);
    const before = previous[at];
    if (before !== undefined && isSame(part, before.content)) return before;
    return { sha256: hash('sha256', canonicalJson(part)), content: part.map(copyOf), bytes: memoryOf(part) };
  });
}

/** A copy of plain data, which canonical JSON has accepted. Strings are shared: they cannot be changed. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = copyOf((value as Record<string, unknown>)[key]);
  return copy;
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, at) => isSame(item, other[at]));
  }
  const keys = Object.keys(one);
  // Their order counts: a copy has the same.
  return (
    !Array.isArray(other) &&
    Object.keys(other).every((key, at) => key === keys[at]) &&
    keys.every(
      (key) => key in other && isSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

/** Roughly the memory of plain data, as if nothing else held its strings. */
function memoryOf(value: unknown): number {
  if (typeof value === 'string') return HEAD_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return FIELD_BYTES;
  let bytes = HEAD_BYTES;
  for (const item of Array.isArray(value) ? value : Object.values(value)) bytes += FIELD_BYTES + memoryOf(item);
  return bytes;
}
