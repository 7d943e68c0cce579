/** `aips report`: reads the results of earlier runs, and writes one page about all of them. It judges and plays nothing. */

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Argv } from 'yargs';
import { summarize } from '../../experiments/sweep/summary.js';
import type { LogAxes } from '../../reports/charts/plot-axis.js';
import { addedUpText } from '../../reports/conformance/added-up.js';
import { type Reported, reportPage } from '../../reports/views/report-page.js';
import { EQUILIBRIUM_SCHEMA, equilibriumResultSchema } from '../../results/equilibrium-result.js';
import { countText } from '../../results/numbers.js';
import { SEARCH_SCHEMA, searchResultSchema } from '../../results/search-result.js';
import {
  SIMULATION_SCHEMA,
  simulationManifestSchema,
  simulationSummarySchema,
} from '../../results/simulation-result.js';
import { readSweepFolder, SWEEP_INPUTS } from '../../runs/experiment/sweep-folder.js';
import { survivalFigure, sweepCharts } from '../../runs/experiment/sweep-outputs.js';
import { inOrder } from '../../runs/experiment/sweep-run.js';
import { Failure } from '../../runs/host/failure.js';
import { ensureFile, readFolder, writeFiles } from '../../runs/host/files.js';
import { readOwnFile } from '../../runs/host/own-file.js';
import { packageVersion } from '../../runs/host/package.js';
import { chartFiles } from '../../runs/simulation/outputs.js';
import { readReport } from '../../runs/suite/report-files.js';
import type { Command } from '../flags/command.js';
import { writePdfs } from './figure-pdfs.js';

interface Flags {
  readonly folders: readonly string[];
  readonly out: string;
  readonly chart?: string | undefined;
  readonly log?: 'x' | 'y' | 'xy' | undefined;
  readonly pdf: boolean;
}

const CONFORMANCE = 'conformance.json';
const MANIFEST = 'manifest.json';
const SUMMARY = 'summary.json';
const SEARCH = 'search.json';
const EQUILIBRIUM = 'equilibrium.json';

/** `aips report DIR…`: one page about the results in some folders, and in the folders within them. */
export const reportCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('folders', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Folders of results: of --out of aips conform, simulate and experiment',
      })
      .option('out', { type: 'string', default: 'out/report.html', describe: 'File for the page' })
      .option('chart', {
        type: 'string',
        describe: 'Draw these measures, with commas between, beside the results of each run and sweep too',
      })
      .option('log', {
        choices: ['x', 'y', 'xy'] as const,
        describe: "Axes by ratio in sweeps' charts: x of estimates, x (time) and y of series",
      })
      .option('pdf', { type: 'boolean', default: false, describe: 'Write each figure in the folders as PDF too' })
      .example('$0 report out', 'all results in a folder and the folders within it')
      .example('$0 report out/devnet out/mainnet out/fees', 'two servers and a scenario on one page') as Argv<Flags>,
  handler: ({ folders, out, chart, log, pdf }) => {
    ensureFile(out);
    const reported = folders.flatMap(resultsIn);
    if (log !== undefined && chart === undefined) throw new Failure('--log is for --chart.');
    if (chart !== undefined)
      drawCharts(reported, chart, { x: log?.includes('x') === true, y: log?.includes('y') === true });
    if (pdf) writePdfs([...folders, ...reported.map(({ name }) => name)]);
    writeFiles(dirname(out), { [basename(out)]: reportPage(reported, packageVersion()) });
    for (const { kind, name } of reported) console.log(`${kind.padEnd(12)} ${name}`);
    const together = addedUpText(reported.flatMap((each) => (each.kind === 'conformance' ? each.result : [])));
    if (together !== undefined) console.log(together);
    console.log(`wrote ${out} about ${countText(reported.length, 'result')}`);
  },
};

/** The results in a folder, or else those in the folders within it. Throws a Failure where there are none. */
function resultsIn(folder: string): readonly Reported[] {
  const within = readFolder(folder, 'results')
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  const found = [folder, ...within].flatMap(resultsOf);
  if (found.length > 0) return found;
  throw new Failure(
    `${folder}: holds no results. --out ${folder} of aips conform, simulate and experiment writes some.`,
  );
}

function resultsOf(folder: string): readonly Reported[] {
  return [
    ...conformanceIn(folder),
    ...simulationIn(folder),
    ...searchIn(folder),
    ...equilibriumIn(folder),
    ...sweepIn(folder),
  ];
}

function conformanceIn(folder: string): readonly Reported[] {
  const file = join(folder, CONFORMANCE);
  if (!existsSync(file)) return [];
  return [{ kind: 'conformance', name: folder, result: readReport(file) }];
}

/** The simulation of a folder. A `summary.json` of another kind, such as a sweep's, has no manifest next to it. */
function simulationIn(folder: string): readonly Reported[] {
  const [manifestFile, summaryFile] = [join(folder, MANIFEST), join(folder, SUMMARY)];
  if (!existsSync(manifestFile) || !existsSync(summaryFile)) return [];
  const of = { kind: 'result', by: 'aips simulate --out' } as const;
  const manifest = readOwnFile(manifestFile, {
    ...of,
    what: `the ${MANIFEST} of a run`,
    format: ['schema', SIMULATION_SCHEMA],
    schema: simulationManifestSchema,
  });
  const summary = readOwnFile(summaryFile, { ...of, what: `the ${SUMMARY} of a run`, schema: simulationSummarySchema });
  return [{ kind: 'simulation', name: folder, result: { ...summary, manifest } }];
}

/** The finished search of a folder. */
function searchIn(folder: string): readonly Reported[] {
  const file = join(folder, SEARCH);
  if (!existsSync(file)) return [];
  const result = readOwnFile(file, {
    kind: 'result',
    what: `the ${SEARCH} of a search`,
    format: ['schema', SEARCH_SCHEMA],
    schema: searchResultSchema,
    by: 'aips experiment search --out',
  });
  return [{ kind: 'search', name: folder, result }];
}

/** The finished search for equilibria of a folder. */
function equilibriumIn(folder: string): readonly Reported[] {
  const file = join(folder, EQUILIBRIUM);
  if (!existsSync(file)) return [];
  const result = readOwnFile(file, {
    kind: 'result',
    what: `the ${EQUILIBRIUM} of a search for equilibria`,
    format: ['schema', EQUILIBRIUM_SCHEMA],
    schema: equilibriumResultSchema,
    by: 'aips experiment equilibrium --out',
  });
  return [{ kind: 'equilibrium', name: folder, result }];
}

/** The sweep of a folder, complete or not, computed from its inputs and its runs. */
function sweepIn(folder: string): readonly Reported[] {
  if (!existsSync(join(folder, SWEEP_INPUTS))) return [];
  const { plan, runs } = readSweepFolder(folder);
  const { file, scenario_file, replicates } = plan.inputs;
  const summary = summarize(plan, inOrder(runs));
  const runs_planned = plan.arms.length * replicates;
  const survival = summary.survival && survivalFigure(plan, runs, { x: false, y: false });
  const result = { summary, file, scenario_file, runs: runs.length, runs_planned, survival };
  return [{ kind: 'sweep', name: folder, result }];
}

/** Draws measures into the folder of each run and sweep. Failure where a run or a sweep has not measured one. */
function drawCharts(reported: readonly Reported[], measures: string, log: LogAxes): void {
  if (!reported.some(({ kind }) => kind === 'simulation' || kind === 'sweep'))
    throw new Failure('--chart draws simulations and sweeps, and there are none in these folders.');
  for (const each of reported) {
    if (each.kind === 'simulation') {
      for (const measure of measures.split(',')) writeFiles(each.name, chartFiles(each.result, measure));
    } else if (each.kind === 'sweep') {
      const { plan, runs } = readSweepFolder(each.name);
      writeFiles(each.name, sweepCharts(plan, inOrder(runs), measures, log));
    }
  }
}
