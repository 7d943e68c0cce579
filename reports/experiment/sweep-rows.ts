/** The rows of a sweep: one for each run and measure, and one for a run that failed. Their files are by tidy-table.ts. */

import { kindOfGroup } from '../../results/group-kind.js';
import { type SweepArm, type SweepMeasure, type SweepRun, valueAt } from '../../results/sweep-result.js';
import type { Column } from '../text/tidy-table.js';

/** One row. A failed run has no measure and no value. */
interface SweepRow {
  readonly arm: SweepArm;
  readonly run: SweepRun;
  readonly measure: SweepMeasure | null;
  readonly value: number | null;
}

/** The rows of runs, in their order. */
export function* sweepRows(
  arms: readonly (SweepArm & { readonly measures: readonly SweepMeasure[] })[],
  runs: readonly SweepRun[],
): Generator<SweepRow> {
  for (const run of runs) {
    const arm = arms[run.arm];
    if (arm === undefined) throw new Error(`a run is of arm ${run.arm}, which there is not`);
    if (run.error !== undefined) yield { arm, run, measure: null, value: null };
    else for (const [m, measure] of arm.measures.entries()) yield { arm, run, measure, value: valueAt(run, m) };
  }
}

/** The columns of `rows.csv` and `rows.parquet`. */
export const sweepColumns: readonly Column<SweepRow>[] = [
  { name: 'arm', type: 'whole', about: 'number of the arm, from 0', cell: ({ arm }) => arm.arm },
  {
    name: 'arm_name',
    type: 'text',
    about: 'name of the arm: the settings in which it differs',
    cell: ({ arm }) => arm.name,
  },
  { name: 'replicate', type: 'whole', about: 'number of the replicate, from 0', cell: ({ run }) => run.replicate },
  {
    name: 'seed',
    type: 'whole',
    about: 'seed of the run: `aips simulate --seed` takes it',
    cell: ({ run }) => run.seed,
  },
  {
    name: 'population',
    type: 'text',
    about: 'population, class or option of a population; missing: all agents',
    cell: ({ measure }) => measure?.group ?? null,
  },
  {
    name: 'time_ms',
    type: 'whole',
    about: 'protocol time since the start, in milliseconds',
    cell: ({ measure }) => measure?.time_ms ?? null,
  },
  { name: 'measure', type: 'text', about: 'the measure', cell: ({ measure }) => measure?.measure ?? null },
  {
    name: 'value',
    type: 'number',
    about: 'its value, in `unit`; missing: it has none, as of a ratio whose divisor is 0',
    cell: ({ value }) => value,
  },
  {
    name: 'unit',
    type: 'text',
    about: 'agents, lamports, share or agent-days; empty for a plain count',
    cell: ({ measure }) => measure?.unit ?? null,
  },
  { name: 'event_hash', type: 'text', about: 'hash of all events of the run', cell: ({ run }) => run.event_hash },
  {
    name: 'error',
    type: 'text',
    about: 'why the run failed; missing: the run finished',
    cell: ({ run }) => run.error ?? null,
  },
  {
    name: 'group_kind',
    type: 'text',
    about: 'class, population or option: they share agents, so add up one kind alone; missing: all agents',
    cell: ({ measure }) => (measure?.group == null ? null : kindOfGroup(measure.group)),
  },
];
