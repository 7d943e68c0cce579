/** `aips experiment equilibrium`: delivers the equilibria of a file. The search is in runs/experiment. */

import { dirname, join, relative } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import { parseEquilibrium } from '../../experiments/equilibrium/equilibrium-file.js';
import { type EquilibriumSource, planEquilibrium } from '../../experiments/equilibrium/equilibrium-plan.js';
import { invasionFiles } from '../../reports/charts/invasion-chart.js';
import { equilibriumText } from '../../reports/experiment/equilibrium-console.js';
import { nfgText } from '../../reports/experiment/nfg.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { searchEquilibria } from '../../runs/experiment/equilibrium.js';
import { beginSearchFolder, endSearchFolder, type SearchMemory } from '../../runs/experiment/search-folder.js';
import { EXIT } from '../../runs/host/failure.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from '../../runs/host/files.js';
import { withRules } from '../../runs/host/with-rules.js';
import { refuseMissingBehaviours } from '../../runs/simulation/scenario-source.js';
import { readScenarioText } from '../../runs/simulation/scenario-text.js';
import { parseScenario } from '../../scenarios/schema.js';
import type { Command } from '../flags/command.js';
import { json, out, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';

const options = { ...out, ...threads, ...json } as const;

type Flags = InferredOptionTypes<typeof options> & { readonly file: string };

/** `aips experiment equilibrium FILE`: exit 0 if an equilibrium is confirmed, 1 if not. */
export const equilibriumCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The options and limits, a YAML file' })
      .options(options)
      .example('$0 experiment equilibrium freezing.yaml --out out/game', 'what do agents end up doing?'),
  handler: async ({ file, out, threads: workers, json }) => {
    requireWhole(workers, '--threads');
    const text = readText(file, 'equilibrium file');
    const path = join(dirname(file), parsedOrFail(parseEquilibrium(text, file)).scenario);
    const scenarioFile = relative('.', path);
    const source = { file, text, scenarioFile, scenarioText: await readScenarioText(path, { file, text }) };
    const scenario = parsedOrFail(parseScenario(source.scenarioText, scenarioFile));
    refuseMissingBehaviours(scenario, { file: scenarioFile, text: source.scenarioText });
    parsedOrFail(planEquilibrium(parsedOrFail(parseEquilibrium(text, file)), source));
    if (out !== undefined) ensureFolder(out, ['equilibrium.json']);
    const memory = out === undefined ? undefined : beginSearchFolder(out, source, 'equilibrium');
    process.exitCode = await deliverEquilibrium({ source, out, memory }, { workers, json });
  },
};

/** Searches, and delivers what is found. Returns the exit status. */
export async function deliverEquilibrium(
  {
    source,
    out,
    memory,
  }: {
    readonly source: EquilibriumSource;
    readonly out: string | undefined;
    readonly memory: SearchMemory | undefined;
  },
  { workers, json }: { readonly workers: number; readonly json: boolean },
): Promise<number> {
  const file = parsedOrFail(parseEquilibrium(source.text, source.file));
  const result = await searchEquilibria(file, source, { out, workers, memory }).catch((error: unknown) => {
    // A folder without a run has nothing to continue, and can be used again.
    if (out !== undefined && memory?.isEmpty() === true) endSearchFolder(out);
    throw error;
  });
  const written = jsonText(result as unknown as Json);
  if (out !== undefined) {
    const nfg = nfgText(result);
    writeFiles(out, {
      'equilibrium.json': written,
      ...(nfg === undefined ? {} : { 'game.nfg': nfg }),
      ...invasionFiles(result, withRules(`aips experiment equilibrium ${source.file}`)),
    });
    endSearchFolder(out);
  }
  process.stdout.write(json ? written : equilibriumText(result));
  return result.answer === 'confirmed' ? EXIT.clean : EXIT.unclean;
}
