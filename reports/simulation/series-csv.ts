/** Writes series.csv of a simulation: a column for each series, a row for each sample. */

import type { SimulationResult } from '../../results/simulation-result.js';
import { csvNumber, csvText } from '../text/csv.js';

/**
 * `series.csv`: `time_ms`, then one column for each series, named `name` or `name.group`; a row for each sample. Numbers are the
 * shortest that read back the same; a missing value is an empty cell. Quoted as in RFC 4180, lines end with `\n`.
 */
export function seriesCsv(result: Pick<SimulationResult, 'times_ms' | 'series'>): string {
  const { series } = result;
  const names = series.map(({ name, group }) => csvText(group === undefined ? name : `${name}.${group}`));
  const lines = [['time_ms', ...names].join(',')];
  result.times_ms.forEach((time, row) => {
    const values = series.map(({ values }) => csvNumber(values[row]));
    lines.push([String(time), ...values].join(','));
  });
  return `${lines.join('\n')}\n`;
}
