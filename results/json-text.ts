/** Writes JSON with two spaces and short lists on one line, the same for equal values. It validates nothing. */

import { quietJson } from './visible.js';

/** A value that JSON has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

function isPlain(value: Json | undefined): boolean {
  return value === null || typeof value !== 'object';
}

function written(value: Json, indent: string): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  if (isList(value)) {
    if (value.length === 0) return '[]';
    // A series of ten thousand numbers on one line reads better than on ten thousand lines.
    if (value.every(isPlain)) return `[${value.map((item) => written(item, inner)).join(', ')}]`;
    return `[\n${value.map((item) => inner + written(item, inner)).join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).flatMap(([key, field]) =>
    field === undefined ? [] : [`${inner}${JSON.stringify(key)}: ${written(field, inner)}`],
  );
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n${indent}}`;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

/** JSON with two spaces of indentation, lists of plain values on one line, keys as they come, and a final newline. */
export function jsonText(value: Json): string {
  return quietJson(`${written(value, '')}\n`);
}

/** JSON with one entry of each field's list or record a line, compact: for long tables that are compared line by line. */
export function jsonRows(value: { readonly [key: string]: Json }): string {
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${rows(field)}`);
  return `{\n${fields.join(',\n')}\n}\n`;
}

function rows(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[\n${value.map((row) => JSON.stringify(row)).join(',\n')}\n]`;
  const entries = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${JSON.stringify(entry)}`);
  return `{\n${entries.join(',\n')}\n}`;
}

/** The same record with its keys in code-unit order, so that the order in which they were counted does not show. */
export function sortedRecord<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
