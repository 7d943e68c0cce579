/** The rows of `measures.csv` and `measures.parquet`: a row a sample of a measure. Their files are by tidy-table.ts. */

import { kindOfGroup } from '../../results/group-kind.js';
import type { SimulationResult } from '../../results/simulation-result.js';
import type { Column } from '../text/tidy-table.js';

/** One sample of one measure. `population` is null for a measure of all agents. */
interface SeriesRow {
  readonly seed: number;
  readonly population: string | null;
  readonly time_ms: number;
  readonly measure: string;
  readonly value: number | null;
  readonly unit: string;
}

/** The samples of a simulation, measure after measure in the order of `series.csv`, each by time. */
export function* seriesRows({
  manifest,
  times_ms,
  series,
}: Pick<SimulationResult, 'manifest' | 'times_ms' | 'series'>): Generator<SeriesRow> {
  for (const { name, group, unit, values } of series) {
    for (const [row, time_ms] of times_ms.entries()) {
      const value = values[row] ?? null;
      yield { seed: manifest.seed, population: group ?? null, time_ms, measure: name, value, unit };
    }
  }
}

/** The columns of `measures.csv` and `measures.parquet`. */
export const seriesColumns: readonly Column<SeriesRow>[] = [
  { name: 'seed', type: 'whole', about: 'seed of the run', cell: ({ seed }) => seed },
  {
    name: 'population',
    type: 'text',
    about: 'population, class or option of a population; missing: all agents',
    cell: ({ population }) => population,
  },
  {
    name: 'time_ms',
    type: 'whole',
    about: 'protocol time since the start, in milliseconds',
    cell: (row) => row.time_ms,
  },
  { name: 'measure', type: 'text', about: 'the measure', cell: ({ measure }) => measure },
  { name: 'value', type: 'number', about: 'its value, in `unit`; missing: there is none', cell: ({ value }) => value },
  { name: 'unit', type: 'text', about: 'unit of the value; empty for a plain count', cell: ({ unit }) => unit },
  {
    name: 'group_kind',
    type: 'text',
    about: 'class, population or option: they share agents, so add up one kind alone; missing: all agents',
    cell: ({ population }) => (population === null ? null : kindOfGroup(population)),
  },
];
