import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { sweepColumns } from '../experiment/sweep-rows.js';
import { agentColumns } from '../simulation/agent-columns.js';
import { seriesColumns } from '../simulation/series-rows.js';
import { type Column, csvPieces, dictionary, parquetBytes } from './tidy-table.js';

interface Row {
  readonly name: string | null;
  readonly seed: number;
  readonly value: number | null;
}

const columns: readonly Column<Row>[] = [
  { name: 'name', type: 'text', about: 'its name', cell: ({ name }) => name },
  { name: 'seed', type: 'whole', about: 'its seed', cell: ({ seed }) => seed },
  { name: 'value', type: 'number', about: 'its value', cell: ({ value }) => value },
];
const rows: readonly Row[] = [
  { name: 'a "quoted", one', seed: 4_503_599_627_370_495, value: 0.1 },
  { name: null, seed: 0, value: null },
  { name: 'two\nlines', seed: 3, value: 1e-300 },
  { name: 'endless', seed: 4, value: Number.POSITIVE_INFINITY },
];

it('DuckDB reads the same rows from CSV and from Parquet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aips-table-'));
  writeFileSync(join(folder, 't.csv'), [...csvPieces(columns, rows)].join(''));
  writeFileSync(join(folder, 't.parquet'), parquetBytes(columns, rows));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = async (source: string): Promise<unknown> => {
    const reader = await connection.runAndReadAll(
      `SELECT name, seed::BIGINT AS seed, value::DOUBLE AS value FROM ${source} ORDER BY seed`,
    );
    return reader.getRowObjects();
  };
  const expected = [
    { name: null, seed: 0n, value: null },
    { name: 'two\nlines', seed: 3n, value: 1e-300 },
    { name: 'endless', seed: 4n, value: null },
    { name: 'a "quoted", one', seed: 4_503_599_627_370_495n, value: 0.1 },
  ];
  expect(await read(`'${join(folder, 't.parquet')}'`)).toEqual(expected);
  expect(await read(`read_csv('${join(folder, 't.csv')}', header = true)`)).toEqual(expected);
  connection.closeSync();
});

it('the same rows give the same bytes', () => {
  expect(Buffer.from(parquetBytes(columns, rows)).equals(Buffer.from(parquetBytes(columns, rows)))).toBe(true);
});

it('a dictionary has a line for each column', () => {
  expect(dictionary(columns).split('\n').slice(2)).toEqual([
    '| `name` | text | its name |',
    '| `seed` | whole | its seed |',
    '| `value` | number | its value |',
  ]);
});

it.each([
  ['experiments.md', dictionary(sweepColumns)],
  ['simulate.md', dictionary(agentColumns)],
  ['simulate.md', dictionary(seriesColumns)],
])('docs/%s has the dictionary of its table', (name, lines) => {
  expect(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toContain(lines);
});
