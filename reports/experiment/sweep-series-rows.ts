/** The columns of a sweep's measures over time, and of the differences of arms over time. Their files are by tidy-table.ts. */

import { kindOfGroup } from '../../results/group-kind.js';
import type { SeriesPoint, SweepArm } from '../../results/sweep-result.js';
import type { Column } from '../text/tidy-table.js';

/** The columns of `series.csv`, and with `differences` those of `series-differences.csv`. */
export function seriesColumns(arms: readonly SweepArm[], differences: boolean): readonly Column<SeriesPoint>[] {
  const nameOf = (arm: number | null): string | null => (arm === null ? null : (arms[arm]?.name ?? null));
  const less: readonly Column<SeriesPoint>[] = [
    { name: 'less_arm', type: 'whole', about: 'number of the arm that is taken away', cell: (row) => row.less_arm },
    { name: 'less_arm_name', type: 'text', about: 'its name', cell: (row) => nameOf(row.less_arm) },
  ];
  const about = differences ? 'mean difference over pairs of runs with the same seed' : 'mean over runs';
  return [
    { name: 'arm', type: 'whole', about: 'number of the arm, from 0', cell: ({ arm }) => arm },
    { name: 'arm_name', type: 'text', about: 'name of the arm', cell: ({ arm }) => nameOf(arm) },
    ...(differences ? less : []),
    {
      name: 'population',
      type: 'text',
      about: 'population, class or option; missing: all agents',
      cell: ({ group }) => group,
    },
    {
      name: 'time_ms',
      type: 'whole',
      about: 'protocol time since the start, in milliseconds',
      cell: (row) => row.time_ms,
    },
    { name: 'measure', type: 'text', about: 'the measure', cell: ({ measure }) => measure },
    { name: 'mean', type: 'number', about: `${about}, in \`unit\``, cell: ({ mean }) => mean },
    {
      name: 'low',
      type: 'number',
      about: "low end of its pointwise 95 % interval by Student's t; missing: one run",
      cell: ({ low }) => low,
    },
    { name: 'high', type: 'number', about: 'high end', cell: ({ high }) => high },
    { name: 'n', type: 'whole', about: `${differences ? 'pairs' : 'runs'} that have a value`, cell: ({ n }) => n },
    {
      name: 'unit',
      type: 'text',
      about: 'agents, lamports, share or agent-days; empty for a plain number',
      cell: ({ unit }) => unit,
    },
    {
      name: 'group_kind',
      type: 'text',
      about: 'class, population or option; missing: all agents',
      cell: ({ group }) => (group === null ? null : kindOfGroup(group)),
    },
  ];
}
