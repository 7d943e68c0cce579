/** The columns of `survival.csv` and `survival.parquet`: a row for each step of a curve. Their files are by tidy-table.ts. */

import { kindOfGroup } from '../../results/group-kind.js';
import type { SurvivalPoint, SweepArm } from '../../results/sweep-result.js';
import type { Column } from '../text/tidy-table.js';

/** The columns, in their order. */
export function survivalColumns(arms: readonly SweepArm[]): readonly Column<SurvivalPoint>[] {
  const column = (
    name: string,
    type: 'text' | 'whole' | 'number',
    about: string,
    cell: Column<SurvivalPoint>['cell'],
  ): Column<SurvivalPoint> => ({ name, type, about, cell });
  return [
    column('arm', 'whole', 'number of the arm, from 0', ({ arm }) => arm),
    column('arm_name', 'text', 'name of the arm', ({ arm }) => arms[arm]?.name ?? null),
    column('population', 'text', 'population, class or option; missing: all agents', ({ group }) => group),
    column('time_ms', 'whole', 'time since registration, in milliseconds', (row) => row.time_ms),
    column('at_risk', 'whole', 'agents under observation just before', (row) => row.at_risk),
    column('events', 'whole', 'agents that were frozen for the first time then', ({ events }) => events),
    column('survival', 'number', 'estimated share not yet frozen (Kaplan-Meier)', ({ survival }) => survival),
    column(
      'low',
      'number',
      'low end of its pointwise 95 % interval; missing: none or all are frozen',
      (row) => row.low,
    ),
    column('high', 'number', 'high end', ({ high }) => high),
    column('group_kind', 'text', 'class, population or option; missing: all agents', ({ group }) =>
      group === null ? null : kindOfGroup(group),
    ),
  ];
}
