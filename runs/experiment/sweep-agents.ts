/**
 * The agents of a sweep's runs, as they are at the end of each: kept run by run until all are over, then written as one table. No more than a run
 * and a row group are in memory.
 */

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedArm, SweepPlan } from '../../experiments/sweep/plan.js';
import { sweptAgentColumns } from '../../reports/simulation/agent-columns.js';
import { csvPieces, parquetPieces } from '../../reports/text/tidy-table.js';
import type { SweepRun, SweptAgent } from '../../results/sweep-result.js';
import { variantsOf } from '../../scenarios/adaptation.js';
import { isPackedRows, mergedRows } from '../../simulator/run/agent-rows.js';
import { Failure } from '../host/failure.js';
import { readBytes, writeFiles, writePieces } from '../host/files.js';

const KEPT = 'agents-rows';
type RunPlace = Pick<SweepRun, 'arm' | 'replicate' | 'error'>;

function fileOf({ arm, replicate }: RunPlace): string {
  return join(KEPT, `${arm}-${replicate}.f64`);
}

/** Keeps the agents of a run. */
export function keepAgents(folder: string, run: RunPlace, rows: Float64Array): void {
  writeFiles(folder, { [fileOf(run)]: new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength) });
}

/** True if the agents of a run are kept; a failed run has none. */
export function keepsAgentsOf(folder: string, { file }: SweepPlan, run: RunPlace): boolean {
  return !file.agents || run.error !== undefined || existsSync(join(folder, fileOf(run)));
}

/** Those of these runs that need not be played again for their agents: all where the table of all runs is complete, else those that are kept. */
export function runsWithAgents(folder: string, plan: SweepPlan, runs: readonly SweepRun[]): readonly SweepRun[] {
  const isWritten = !existsSync(join(folder, KEPT)) && existsSync(join(folder, 'agents.parquet'));
  if (isWritten && runs.length >= plan.arms.length * plan.inputs.replicates) return runs;
  return runs.filter((run) => keepsAgentsOf(folder, plan, run));
}

/** Copies the kept agents of a run to the folder of another sweep of the same inputs. */
export function copyAgents(from: string, to: string, run: RunPlace): void {
  const path = join(from, fileOf(run));
  if (run.error === undefined && existsSync(path)) writeFiles(to, { [fileOf(run)]: readBytes(path, 'list of agents') });
}

/** Writes the table of all agents, in the order of runs and registrations, and forgets what was kept for it. */
export function writeAgents(folder: string, { arms, file }: SweepPlan, runs: readonly SweepRun[]): void {
  // Without it the table is complete.
  if (!file.agents || !existsSync(join(folder, KEPT))) return;
  const chooses = arms.some(({ scenario }) => variantsOf(scenario.populations).some(({ option }) => option !== null));
  const columns = sweptAgentColumns(arms, chooses);
  writePieces(folder, 'agents.csv', csvPieces(columns, agentsOf(folder, arms, runs)));
  writePieces(folder, 'agents.parquet', parquetPieces(columns, agentsOf(folder, arms, runs)));
  rmSync(join(folder, KEPT), { recursive: true });
}

function* agentsOf(folder: string, arms: readonly PlannedArm[], runs: readonly SweepRun[]): Generator<SweptAgent> {
  for (const { arm, replicate, seed, error } of runs) {
    const scenario = arms[arm]?.scenario;
    if (error !== undefined || scenario === undefined) continue;
    const path = join(folder, fileOf({ arm, replicate }));
    const bytes = readBytes(path, 'list of agents');
    if (!isPackedRows(bytes.byteLength))
      throw new Failure(`${path}: was cut off. Remove it, and aips experiment resume ${folder}.`);
    const rows = new Float64Array(new Uint8Array(bytes).buffer);
    for (const row of mergedRows(scenario, [rows])) yield { ...row, arm, replicate, seed };
  }
}
