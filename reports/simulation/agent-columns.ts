/** The columns of `agents.csv` and `agents.parquet`, of a simulation and of a sweep: a row an agent. Their files are by tidy-table.ts. */

import type { AgentRow } from '../../results/simulation-result.js';
import type { SweepArm, SweptAgent } from '../../results/sweep-result.js';
import type { Column } from '../text/tidy-table.js';

/** The column of agents that choose, after the others, where a population has options. */
export const optionColumn: Column<AgentRow> = {
  name: 'option',
  type: 'text',
  about: 'its option at the end; missing: its population has none. Only in a scenario with `adapts`',
  cell: ({ option }) => option ?? null,
};

/** The columns, in their order. */
export const agentColumns: readonly Column<AgentRow>[] = [
  { name: 'agent', type: 'whole', about: 'number of the agent, from 0', cell: ({ agent }) => agent },
  { name: 'population', type: 'text', about: 'its population', cell: ({ population }) => population },
  { name: 'class', type: 'text', about: 'class that the scenario gave it', cell: (row) => row.class },
  { name: 'sigil', type: 'text', about: 'class of its SIGIL; missing: it has none', cell: ({ sigil }) => sigil },
  { name: 'parent', type: 'whole', about: 'number of its parent; missing: it is a root', cell: ({ parent }) => parent },
  { name: 'depth', type: 'whole', about: 'its depth; roots have 0', cell: ({ depth }) => depth },
  { name: 'children', type: 'whole', about: 'how many children it made', cell: ({ children }) => children },
  {
    name: 'registered_ms',
    type: 'whole',
    about: 'when it registered, since the start',
    cell: (row) => row.registered_ms,
  },
  {
    name: 'first_freeze_ms',
    type: 'whole',
    about: 'when it was first frozen, since the start; missing: never',
    cell: (row) => row.first_freeze_ms,
  },
  {
    name: 'departed_ms',
    type: 'whole',
    about: 'when it departed, since the start; missing: it has not',
    cell: (row) => row.departed_ms,
  },
  {
    name: 'frozen',
    type: 'whole',
    about: '1 if it is frozen at the end, otherwise 0',
    cell: ({ frozen }) => (frozen ? 1 : 0),
  },
  { name: 'heartbeats', type: 'whole', about: 'heartbeats accepted', cell: ({ heartbeats }) => heartbeats },
  {
    name: 'wallet_lamports',
    type: 'whole',
    about: 'money in its wallet at the end',
    cell: (row) => row.wallet_lamports,
  },
];

/** The columns of a sweep: the run of an agent, then those of a simulation; with `chooses` that of the option too. */
export function sweptAgentColumns(arms: readonly SweepArm[], chooses: boolean): readonly Column<SweptAgent>[] {
  return [
    { name: 'arm', type: 'whole', about: 'number of the arm, from 0', cell: ({ arm }) => arm },
    { name: 'arm_name', type: 'text', about: 'name of the arm', cell: ({ arm }) => arms[arm]?.name ?? null },
    { name: 'replicate', type: 'whole', about: 'number of the replicate, from 0', cell: (row) => row.replicate },
    { name: 'seed', type: 'whole', about: 'seed of the run', cell: ({ seed }) => seed },
    ...agentColumns,
    ...(chooses ? [optionColumn] : []),
  ];
}
