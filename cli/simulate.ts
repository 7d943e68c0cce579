import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Argv, CommandModule, InferredOptionTypes } from 'yargs';
import { simulationPage } from '../reports/html/simulation-page.js';
import { seriesCsv } from '../reports/series-csv.js';
import { simulationSummary } from '../reports/simulation-console.js';
import type { SimulationResult } from '../reports/simulation-result.js';
import { manifestJson, summaryJson } from '../reports/summary-json.js';
import { parseScenario } from '../scenarios/schema.js';
import { simulate } from '../simulator/simulate.js';
import { EXIT, Failure } from './failure.js';
import { ensureFolder, packageVersion, parsedOrFail, readText, writeFiles } from './files.js';
import { progressBar } from './progress.js';
import { colour } from './terminal.js';

const options = {
  seed: { type: 'number', describe: "Seed of the run; absent: the scenario's own" },
  out: { type: 'string', describe: 'Folder of the results; absent: nothing is written' },
  json: { type: 'boolean', default: false, describe: 'Print the manifest as JSON in place of the summary' },
} as const;

type SimulateFlags = InferredOptionTypes<typeof options> & { file?: string | undefined };

/** `aips simulate FILE`: runs a scenario in process. */
export const simulateCommand: CommandModule<object, SimulateFlags> = {
  command: 'simulate <file>',
  describe: 'Run a scenario: exit 0 if its expectations hold, 1 if not, 2 if it could not be run',
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', describe: 'The scenario, a YAML file' })
      .options(options)
      .example('$0 simulate scenarios/library/quickstart.yaml --seed 7 --out out/quickstart', 'with all results'),
  handler: ({ file, seed, out, json }) => {
    if (seed !== undefined && (!Number.isSafeInteger(seed) || seed < 0)) {
      throw new Failure('--seed must be a whole number, 0 or more.');
    }
    if (out !== undefined) ensureFolder(out);
    const result = simulateFile(file as string, { seed, label: file as string });
    if (json) process.stdout.write(manifestJson(result.manifest));
    else console.log(simulationSummary(result, { colour }));
    if (out !== undefined) {
      writeFiles(out, simulationFiles(result, ''));
      if (!json) console.log(`wrote ${join(out, 'index.html')} and the data beside it`);
    }
    process.exitCode = result.expectations.every(({ holds }) => holds) ? EXIT.clean : EXIT.unclean;
  },
};

/** Reads and runs a scenario. `label` is the file's name in the results. */
export function simulateFile(
  path: string,
  { seed, label }: { readonly seed?: number | undefined; readonly label: string },
): SimulationResult {
  const text = readText(path, 'scenario file');
  const scenario = parsedOrFail(parseScenario(text, path));
  const bar = progressBar('simulated', 100);
  try {
    return simulate(scenario, {
      seed: seed ?? scenario.seed,
      source: { file: label, sha256: createHash('sha256').update(text).digest('hex') },
      versions: { aips_lab: packageVersion(), node: process.versions.node },
      nowWallMs: Date.now,
      rssMb: () => process.memoryUsage.rss() / 2 ** 20,
      onProgress: ({ simulatedMs, totalMs }) => bar.to(simulatedMs / totalMs, ''),
    });
  } finally {
    bar.stop();
  }
}

/** The files of one simulation by name, each after `prefix`. */
export function simulationFiles(result: SimulationResult, prefix: string): Readonly<Record<string, string>> {
  return {
    [`${prefix}manifest.json`]: manifestJson(result.manifest),
    [`${prefix}summary.json`]: summaryJson(result),
    [`${prefix}series.csv`]: seriesCsv(result),
    [`${prefix}index.html`]: simulationPage(result),
  };
}
