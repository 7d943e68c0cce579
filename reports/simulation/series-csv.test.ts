import { describe, expect, it } from 'vitest';
import type { Series } from '../../results/simulation-result.js';
import { emptySimulation, simulationFixture } from '../../test/fixtures/results.js';
import { seriesCsv } from './series-csv.js';

function series(name: string, values: readonly number[], group?: string): Series {
  return { name, unit: '', label: name, values, ...(group === undefined ? {} : { group }) };
}

describe('seriesCsv', () => {
  it('has a column for each series and group, and a row for each sample', () => {
    const text = seriesCsv({
      times_ms: [0, 3_600_000],
      series: [series('active', [0, 12]), series('fees_lamports', [0, 500_000], 'narrow_task')],
    });
    expect(text).toBe('time_ms,active,fees_lamports.narrow_task\n0,0,0\n3600000,12,500000\n');
  });

  it('writes numbers as the shortest text that reads back the same', () => {
    const values = [0.1, 1 / 3, 1e21, 5e-324, -0, 9_007_199_254_740_991];
    const text = seriesCsv({ times_ms: values.map((_, row) => row), series: [series('a', values)] });
    const cells = text
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1]);
    expect(cells).toEqual(['0.1', '0.3333333333333333', '1e+21', '5e-324', '0', '9007199254740991']);
    expect(cells.map(Number)).toEqual([0.1, 1 / 3, 1e21, 5e-324, 0, 9_007_199_254_740_991]);
  });

  it.each([
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['plain', 'plain'],
  ])('quotes the name %j', (name, cell) => {
    expect(seriesCsv({ times_ms: [], series: [series(name, [])] })).toBe(`time_ms,${cell}\n`);
  });

  it('leaves a missing value empty', () => {
    const text = seriesCsv({ times_ms: [0, 1, 2], series: [series('a', [1]), series('b', [1, Number.NaN, 3])] });
    expect(text).toBe('time_ms,a,b\n0,1,1\n1,,\n2,,3\n');
  });

  it('is a header for a simulation without samples', () => {
    expect(seriesCsv(emptySimulation())).toBe('time_ms\n');
  });

  it('has as many cells in each row as in its header', () => {
    const lines = seriesCsv(simulationFixture()).trimEnd().split('\n');
    expect(lines).toHaveLength(338);
    expect(new Set(lines.map((line) => line.split(',').length))).toEqual(new Set([14]));
  });
});
