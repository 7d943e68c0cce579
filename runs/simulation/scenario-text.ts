/**
 * Reads the text of a scenario file, with the values of its traces put in place: a manifest, a sweep's folder or a thread then needs no
 * other file. A trace is defined in scenarios/traces.ts.
 */

import { dirname, join, relative } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { isMap, type Node, type YAMLMap } from 'yaml';
import { TRACE_VALUES_MAX } from '../../scenarios/traces.js';
import { readYaml } from '../../spec/document.js';
import { Failure } from '../host/failure.js';
import { type NamingPlace, readBytes, readNamed, readText } from '../host/files.js';

interface TraceFile {
  readonly path: string;
  readonly column: string | undefined;
}

/** The text of a scenario file, which `by` names if another file does. Failure for a file, or a trace of it, that cannot be read. */
export async function readScenarioText(path: string, by?: Omit<NamingPlace, 'path'>): Promise<string> {
  const read = (): string => readText(path, 'scenario file');
  const text = by === undefined ? read() : await readNamed({ ...by, path: ['scenario'] }, read);
  const {
    document: { contents },
    faults,
  } = readYaml(text);
  // They are reported where the scenario is parsed.
  if (faults.length > 0) return text;
  const traces = isMap(contents) ? (contents.get('traces', true) as Node | undefined) : undefined;
  if (!isMap(traces)) return text;
  const filled: { readonly trace: YAMLMap; readonly values: readonly number[] }[] = [];
  for (const { key, value } of traces.items) {
    if (!isMap(value) || value.has('values')) continue;
    const { file, column } = value.toJSON() as Readonly<Record<string, unknown>>;
    if (typeof file !== 'string' || (column !== undefined && typeof column !== 'string')) continue;
    const place = { file: relative('.', path), text, path: ['traces', String(key), 'file'] };
    const values = await readNamed(place, () => valuesOf({ path: join(dirname(path), file), column }));
    filled.push({ trace: value, values });
  }
  // From the last to the first, so that places before it stay where they are.
  return filled.reduceRight(withValues, text);
}

/** The text with the values of one trace. It keeps its lines, so that problems are reported with the lines of the file. */
function withValues(
  text: string,
  { trace, values }: { readonly trace: YAMLMap; readonly values: readonly number[] },
): string {
  const [start, end] = trace.range ?? [0, 0];
  const newLines = text.slice(start, end).replaceAll(/[^\n]/g, '');
  const given = { ...(trace.toJSON() as Readonly<Record<string, unknown>>), values };
  return `${text.slice(0, start)}${JSON.stringify(given)}${newLines}${text.slice(end)}`;
}

function valuesOf(file: TraceFile): Promise<readonly number[]> | readonly number[] {
  return file.path.endsWith('.parquet') ? parquetValues(file) : csvValues(file);
}

/** The column that is meant: the one that is named, or the only one. */
function columnOf({ path, column }: TraceFile, known: readonly string[]): string {
  const [only] = known;
  if (column === undefined && known.length === 1 && only !== undefined) return only;
  if (column === undefined) throw new Failure(`${path}: has the columns ${known.join(', ')}: say which, with column.`);
  if (known.includes(column)) return column;
  throw new Failure(`${path}: has no column ${column}; known: ${known.join(', ')}.`);
}

/** The values of a CSV file whose first line names its columns. Fields hold no quotes or line breaks: they are numbers. */
function csvValues(file: TraceFile): readonly number[] {
  const [head = '', ...lines] = readText(file.path, 'trace').trimEnd().split(/\r?\n/);
  const known = head.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const column = columnOf(file, known);
  const index = known.indexOf(column);
  refuseCount(file, lines.length);
  return lines.map((line, i) => {
    const field =
      line
        .split(',')
        [index]?.trim()
        .replace(/^"(.*)"$/, '$1') ?? '';
    return secondsOf(field === '' ? Number.NaN : Number(field), `${file.path}:${i + 2}: ${column}`, field);
  });
}

async function parquetValues(file: TraceFile): Promise<readonly number[]> {
  const bytes = readBytes(file.path, 'trace');
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  let rows: readonly Readonly<Record<string, unknown>>[];
  try {
    rows = await parquetReadObjects({ file: buffer });
  } catch (error) {
    throw new Failure(
      `${file.path}: is not a Parquet file that can be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  refuseCount(file, rows.length);
  const column = columnOf(file, Object.keys(rows[0] ?? {}));
  return rows.map((row, i) => {
    const value = row[column];
    const number = typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
    return secondsOf(number, `${file.path}: row ${i + 1}: ${column}`, String(value));
  });
}

function refuseCount({ path }: TraceFile, rows: number): void {
  if (rows === 0) throw new Failure(`${path}: has no rows.`);
  if (rows > TRACE_VALUES_MAX) {
    throw new Failure(`${path}: has ${rows} rows, and a trace at most ${TRACE_VALUES_MAX}: take a sample of them.`);
  }
}

function secondsOf(value: number, where: string, written: string): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Failure(`${where}: must be seconds, 0 or more, not "${written}".`);
}
