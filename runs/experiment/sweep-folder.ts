/**
 * The folder of a sweep: its inputs, its runs line by line as they end, and its results. A run whose line was cut off by a crash is
 * played again.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type PlannedArm, planSweep, type SweepPlan } from '../../experiments/sweep/plan.js';
import { sampleTimes, seriesDifferences, seriesMeans } from '../../experiments/sweep/series.js';
import { summarize } from '../../experiments/sweep/summary.js';
import { survivalPoints } from '../../experiments/sweep/survival-curves.js';
import { survivalColumns } from '../../reports/experiment/survival-rows.js';
import { sweepColumns, sweepRows } from '../../reports/experiment/sweep-rows.js';
import { seriesColumns } from '../../reports/experiment/sweep-series-rows.js';
import { csvPieces, parquetBytes, parquetPieces } from '../../reports/text/tidy-table.js';
import { type Json, jsonText } from '../../results/json-text.js';
import {
  SWEEP_SCHEMA,
  type SweepInputs,
  type SweepRun,
  type SweepSummary,
  sweepInputsSchema,
  sweepRunSchema,
} from '../../results/sweep-result.js';
import { Failure } from '../host/failure.js';
import { appendText, jsonOrFail, parsedOrFail, readLines, writeFiles, writePieces } from '../host/files.js';
import { readOwnFile } from '../host/own-file.js';
import { keepAgents, writeAgents } from './sweep-agents.js';

/** The file of what a sweep's runs follow from. */
export const SWEEP_INPUTS = 'sweep.json';
const RUNS = 'runs.ndjson';
const TABLES = ['rows', 'series', 'series-differences', 'survival', 'agents'] as const;
/** The files of a complete sweep, in the order in which they are named; a sweep without series has none of them. */
export const RESULT_FILES = ['summary.json', ...TABLES.flatMap((name) => [`${name}.csv`, `${name}.parquet`])];

/** Failure if a folder holds a sweep. */
function refuseUsedFolder(folder: string): void {
  if (!existsSync(join(folder, SWEEP_INPUTS))) return;
  throw new Failure(
    `${folder}: holds a sweep already. Continue it with aips experiment resume ${folder}, or choose another folder.`,
  );
}

/** Begins a folder: its inputs, and no runs. Failure if it holds another sweep's runs. */
export function beginSweepFolder(folder: string, inputs: SweepInputs): void {
  refuseUsedFolder(folder);
  writeFiles(folder, { [SWEEP_INPUTS]: jsonText(inputs as unknown as Json), [RUNS]: '' });
}

/** Adds a run that is over, and its agents before it: a run that is listed has them. */
export function addRun(folder: string, run: SweepRun, agents?: Float64Array): void {
  if (agents !== undefined) keepAgents(folder, run, agents);
  appendText(folder, RUNS, `${JSON.stringify(run)}\n`);
}

/** A sweep that was begun: its plan, made again from its inputs, and the runs that came to their end. */
interface BegunSweep {
  readonly plan: SweepPlan;
  readonly runs: readonly SweepRun[];
}

/** Reads the inputs of a sweep and makes its plan again. Failure if they were changed. */
function sweepOfInputs(path: string): SweepPlan {
  const inputs = readOwnFile(path, INPUTS_FILE);
  const { file, text, scenario_file: scenarioFile, scenario_text: scenarioText, version } = inputs;
  const { until, replicates_max: replicatesMax, behaviours } = inputs;
  const plan = parsedOrFail(
    planSweep({
      ...{ file, text, scenarioFile, scenarioText, version, until, replicatesMax },
      ...(behaviours === undefined ? {} : { behaviours }),
    }),
  );
  if (plan.inputs.digest !== inputs.digest) {
    throw new Failure(
      `${path}: was changed, or is of another version of aips-lab (${version}): its digest does not match.`,
    );
  }
  return plan;
}

/** The inputs of a sweep. */
const INPUTS_FILE = {
  kind: 'sweep',
  what: `the ${SWEEP_INPUTS} of a sweep`,
  format: ['schema', SWEEP_SCHEMA],
  schema: sweepInputsSchema,
  by: 'aips experiment sweep --out',
} as const;

/** Reads a folder whose sweep may not be complete. */
export function readSweepFolder(folder: string): BegunSweep {
  const plan = sweepOfInputs(join(folder, SWEEP_INPUTS));
  return { plan, runs: readRuns(folder, plan) };
}

/** The runs of a folder. A last line without an end was cut off; any other line that is no run is a Failure. */
function readRuns(folder: string, { arms }: SweepPlan): readonly SweepRun[] {
  const path = join(folder, RUNS);
  // A crash can come before the first run.
  const lines = existsSync(path) ? readLines(path, 'list of runs') : [];
  const runs = new Map<string, SweepRun>();
  lines.forEach((line, i) => {
    const parsed = sweepRunSchema.safeParse(jsonOrFail(line, path, i + 1));
    const run = parsed.success ? parsed.data : undefined;
    const arm = run === undefined ? undefined : arms[run.arm];
    if (run === undefined || arm === undefined || (run.error === undefined && !isOf(arm, run))) {
      throw new Failure(`${path}:${i + 1}: is not a run of this sweep.`);
    }
    runs.set(`${run.arm} ${run.replicate}`, run);
  });
  return [...runs.values()];
}

/** True if a run has a value for each measure of its arm, its series and its times until the first freeze. */
function isOf({ measures, series, survival, scenario }: PlannedArm, run: SweepRun): boolean {
  const { values, series: kept = [], lives = [] } = run;
  const samples = sampleTimes(scenario).length;
  return (
    values.length === measures.length &&
    lives.length === survival.length &&
    kept.length === series.length &&
    kept.every((each) => each.length === samples)
  );
}

/** Replaces the list of runs by these: what was cut off, and runs that are to be played again, are gone. */
export function keepRuns(folder: string, runs: readonly SweepRun[]): void {
  writePieces(
    folder,
    RUNS,
    runs.map((run) => `${JSON.stringify(run)}\n`),
  );
}

/** Writes the results of a complete sweep, the same bytes however it was played. Returns its summary. */
export function writeResults(folder: string, plan: SweepPlan, runs: readonly SweepRun[]): SweepSummary {
  const summary = summarize(plan, runs);
  keepRuns(folder, runs);
  const rows = [...sweepRows(plan.arms, runs)];
  writePieces(folder, 'rows.csv', csvPieces(sweepColumns, rows));
  writeFiles(folder, {
    'rows.parquet': parquetBytes(sweepColumns, rows),
    'summary.json': jsonText(summary as unknown as Json),
  });
  writeSeries(folder, plan, runs);
  writeAgents(folder, plan, runs);
  if (summary.survival !== undefined) {
    const columns = survivalColumns(plan.arms);
    writePieces(folder, 'survival.csv', csvPieces(columns, survivalPoints(plan, runs)));
    writePieces(folder, 'survival.parquet', parquetPieces(columns, survivalPoints(plan, runs)));
  }
  return summary;
}

/** Writes measures over time, and differences of arms where runs are in pairs. */
function writeSeries(folder: string, plan: SweepPlan, runs: readonly SweepRun[]): void {
  if (plan.arms.every(({ series }) => series.length === 0)) return;
  const means = seriesColumns(plan.arms, false);
  writePieces(folder, 'series.csv', csvPieces(means, seriesMeans(plan, runs)));
  writePieces(folder, 'series.parquet', parquetPieces(means, seriesMeans(plan, runs)));
  if (plan.arms.length < 2 || !plan.inputs.common_random_numbers) return;
  const differences = seriesColumns(plan.arms, true);
  writePieces(folder, 'series-differences.csv', csvPieces(differences, seriesDifferences(plan, runs)));
  writePieces(folder, 'series-differences.parquet', parquetPieces(differences, seriesDifferences(plan, runs)));
}
