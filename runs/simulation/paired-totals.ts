/** Paired differences of the totals of two settings of a scenario that were played with the same seeds. */

import { mean } from 'simple-statistics';
import { pairedDifference } from '../../experiments/statistics/difference.js';
import type { Column } from '../../reports/text/tidy-table.js';
import type { SimulationResult } from '../../results/simulation-result.js';

type Totals = SimulationResult['totals'];

/** The difference of one total under a second setting: the mean of the pairs, with its interval of 95 %, null for one pair. */
export interface TotalDifference {
  readonly total: string;
  readonly base: number;
  readonly changed: number;
  readonly difference: number;
  readonly interval: readonly [number, number] | null;
}

/** The columns of `differences.csv`: a row a total. */
export const differenceColumns: readonly Column<TotalDifference>[] = [
  { name: 'total', type: 'text', about: 'the total, with its unit at the end of its name', cell: ({ total }) => total },
  { name: 'base', type: 'number', about: 'mean under the first setting', cell: ({ base }) => base },
  { name: 'changed', type: 'number', about: 'mean under the second setting', cell: ({ changed }) => changed },
  { name: 'difference', type: 'number', about: 'mean of the pairs', cell: ({ difference }) => difference },
  {
    name: 'low',
    type: 'number',
    about: 'lower end of its interval of 95 %; missing: one pair',
    cell: ({ interval }) => interval?.[0] ?? null,
  },
  {
    name: 'high',
    type: 'number',
    about: 'upper end of its interval of 95 %; missing: one pair',
    cell: ({ interval }) => interval?.[1] ?? null,
  },
];

/** The paired differences of all totals that both settings have, over the seeds that both have played. */
export function pairedTotals(base: readonly Totals[], changed: readonly Totals[]): readonly TotalDifference[] {
  const pairs = Math.min(base.length, changed.length);
  if (pairs === 0) return [];
  const names = Object.keys(base[0] ?? {}).filter((name) => changed[0]?.[name] !== undefined);
  return names.map((total) => {
    const [a, b] = [base, changed].map((all) => all.slice(0, pairs).map((totals) => totals[total] ?? 0)) as [
      number[],
      number[],
    ];
    const paired = pairs > 1 ? pairedDifference(a, b) : undefined;
    return {
      total,
      base: mean(a),
      changed: mean(b),
      difference: paired?.difference ?? (b[0] ?? 0) - (a[0] ?? 0),
      interval: paired?.t95 ?? null,
    };
  });
}

/** The differences as text, a line for each total that is not the same in all pairs. */
export function pairedTotalsText(differences: readonly TotalDifference[], pairs: number): string {
  const moved = differences.filter(({ difference, interval }) => difference !== 0 || (interval?.[1] ?? 0) !== 0);
  if (moved.length === 0) return 'no total differs';
  const width = Math.max(...moved.map(({ total }) => total.length));
  const number = (value: number): string => String(Number(value.toPrecision(6)));
  const lines = moved.map(({ total, base, changed, difference, interval }) => {
    const between = interval === null ? '' : `  95 %: ${number(interval[0])} to ${number(interval[1])}`;
    const sign = difference > 0 ? '+' : '';
    return `${total.padEnd(width)}  ${sign}${number(difference)}${between}  from ${number(base)} to ${number(changed)}`;
  });
  return [`paired differences, n = ${pairs}`, ...lines].join('\n');
}
