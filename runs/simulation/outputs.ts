/** Writes and prints the result of a simulation, and gives its exit status. The texts come from reports/. */

import { join } from 'node:path';
import { chartFile } from '../../reports/charts/chart-file.js';
import { agentColumns, optionColumn } from '../../reports/simulation/agent-columns.js';
import { seriesCsv } from '../../reports/simulation/series-csv.js';
import { seriesColumns, seriesRows } from '../../reports/simulation/series-rows.js';
import { simulationSummary } from '../../reports/simulation/simulation-console.js';
import { noEffectText } from '../../reports/simulation/simulation-view.js';
import { manifestJson, summaryJson } from '../../reports/simulation/summary-json.js';
import { csvPieces, parquetBytes } from '../../reports/text/tidy-table.js';
import { simulationPage } from '../../reports/views/simulation-page.js';
import { kindOfGroup } from '../../results/group-kind.js';
import type { AgentRow, SimulationManifest, SimulationResult } from '../../results/simulation-result.js';
import { oneLine } from '../../results/visible.js';
import { didYouMean } from '../../spec/nearest-name.js';
import { EXIT, Failure } from '../host/failure.js';
import { writeFiles, writePieces } from '../host/files.js';
import { colour } from '../host/terminal.js';

/** The names of the files of one simulation. */
export const SIMULATION_FILES = ['manifest.json', 'summary.json', 'series.csv', 'index.html'] as const;

/** The files of one simulation by name, each after `prefix`. */
export function simulationFiles(result: SimulationResult, prefix: string): Readonly<Record<string, string>> {
  return {
    [`${prefix}manifest.json`]: manifestJson(result.manifest),
    [`${prefix}summary.json`]: summaryJson(result),
    [`${prefix}series.csv`]: seriesCsv(result),
    [`${prefix}index.html`]: simulationPage(result),
  };
}

/** Where results go: a folder, if one was named, and the terminal. */
export interface Output {
  readonly out: string | undefined;
  readonly json: boolean;
}

/** Writes and prints the result of one of several runs: with `--json` a line for each. */
export function deliverLine(result: SimulationResult, output: Output): void {
  deliver(result, { ...output, json: false }, output.json ? `${JSON.stringify(result.manifest)}\n` : undefined);
}

/** Writes the result of a run and prints it, or prints `instead`. */
export function deliver(result: SimulationResult, { out, json }: Output, instead?: string): void {
  // The files first, since standard output may be a closed pipe.
  if (out !== undefined) writeFiles(out, simulationFiles(result, ''));
  const machine = instead ?? (json ? manifestJson(result.manifest) : undefined);
  process.stdout.write(machine ?? `${simulationSummary(result, { colour })}\n`);
  if (out !== undefined && machine === undefined)
    console.log(`wrote ${join(out, 'index.html')} and the data beside it`);
}

/** Writes tables of measures and of agents into a folder, as CSV and as Parquet. */
export function writeTables(folder: string, result: SimulationResult, agents: () => Iterable<AgentRow>): void {
  writePieces(folder, 'measures.csv', csvPieces(seriesColumns, seriesRows(result)));
  writeFiles(folder, { 'measures.parquet': parquetBytes(seriesColumns, [...seriesRows(result)]) });
  const choose = result.first_freeze.some(({ group }) => group !== undefined && kindOfGroup(group) === 'option');
  const columns = choose ? [...agentColumns, optionColumn] : agentColumns;
  writePieces(folder, 'agents.csv', csvPieces(columns, agents()));
  writeFiles(folder, { 'agents.parquet': parquetBytes(columns, [...agents()]) });
}

/** The chart of a measure over time, by the name of its file. Failure for a measure that the run has not. */
export function chartFiles(result: SimulationResult, measure: string): Readonly<Record<string, string>> {
  const svg = chartFile(result, measure);
  if (svg === undefined) {
    const known = [...new Set(result.series.map(({ name }) => name))];
    const meant = didYouMean(measure, known);
    const { file } = result.manifest.scenario;
    throw new Failure(`--chart ${measure}: is not measured in ${file}; known: ${known.join(', ')}${meant}.`);
  }
  return { [`${measure}.svg`]: svg };
}

type NotedRun = Pick<SimulationManifest, 'scenario' | 'no_effect' | 'fork'>;

/** Warns of keys that had no effect on any of these runs; a number that some of several futures change, on any of those. */
export function warnOfNoEffects(runs: readonly NotedRun[]): void {
  const notes = new Map(runs.flatMap(({ no_effect: own = [] }) => own.map((note) => [note.key, note] as const)));
  const forkKeys = runs.map(({ fork }) => new Set(Object.keys(fork?.set ?? {}).map((path) => `fork.protocol.${path}`)));
  const ofSome = (key: string): boolean => forkKeys.some((keys) => keys.has(key));
  for (const [key, note] of notes) {
    const concerned = runs.filter((_, i) => !ofSome(key) || forkKeys[i]?.has(key));
    if (concerned.every(({ no_effect: own = [] }) => own.some((each) => each.key === key)))
      console.error(oneLine(`${runs[0]?.scenario.file ?? ''}: ${noEffectText(note)}`));
  }
}

/** 0: all expectations pass. 1: some fail. 2: a run was interrupted, so they cannot be judged. */
export function exitStatusOf(results: readonly SimulationResult[]): number {
  if (results.some(({ manifest }) => manifest.partial)) return EXIT.unable;
  return results.every(({ expectations }) => expectations.every(({ holds }) => holds)) ? EXIT.clean : EXIT.unclean;
}
