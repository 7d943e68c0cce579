/** `aips experiment search`: delivers what the search of a file finds. The searches are in runs/experiment. */

import { dirname, join, relative } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import { planResponse } from '../../experiments/search/best-response.js';
import { planNumbersSearch, type SearchSource } from '../../experiments/search/numbers-search.js';
import { parseSearch } from '../../experiments/search/search-file.js';
import { responseText, searchText } from '../../reports/experiment/search-console.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { beginSearchFolder, endSearchFolder, type SearchMemory } from '../../runs/experiment/search-folder.js';
import { searchNumbers } from '../../runs/experiment/search-numbers.js';
import { searchResponse } from '../../runs/experiment/search-response.js';
import type { SearchPlaying } from '../../runs/experiment/searched-points.js';
import { EXIT } from '../../runs/host/failure.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from '../../runs/host/files.js';
import { refuseMissingBehaviours } from '../../runs/simulation/scenario-source.js';
import { readScenarioText } from '../../runs/simulation/scenario-text.js';
import { parseScenario } from '../../scenarios/schema.js';
import type { Command } from '../flags/command.js';
import { json, out, threads } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';

const options = { ...out, ...threads, ...json } as const;

type Flags = InferredOptionTypes<typeof options> & { readonly file: string };

/** `aips experiment search FILE`: numbers within bounds that reach goals, or the policy that costs a population least. */
export const searchCommand: Command<Flags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The search, a YAML file' })
      .options(options)
      .example('$0 experiment search cheap-enough.yaml --out out/search', 'which numbers reach the goals')
      .example('$0 experiment search cheapest-life.yaml --threads 2', 'which policy costs least for the same life'),
  handler: async ({ file, out, threads: workers, json }) => {
    requireWhole(workers, '--threads');
    const text = readText(file, 'search file');
    const { scenario } = parsedOrFail(parseSearch(text, file));
    const source = { file, text, ...(await scenarioOf(join(dirname(file), scenario), { file, text })) };
    refuseSearch(source);
    if (out !== undefined) ensureFolder(out, ['search.json']);
    const memory = out === undefined ? undefined : beginSearchFolder(out, source);
    process.exitCode = await deliverSearch({ source, out, memory }, { workers, json });
  },
};

/** A search that can go on, and the folder of its results. */
interface Begun {
  readonly source: SearchSource;
  readonly out: string | undefined;
  readonly memory: SearchMemory | undefined;
}

/** Searches, and delivers what is found. Returns the exit status. */
export async function deliverSearch(
  { source, out, memory }: Begun,
  { workers, json }: { readonly workers: number; readonly json: boolean },
): Promise<number> {
  const [result, shown, found] = await searchOf(source, { out, workers, memory }).catch((error: unknown) => {
    // A folder without a run has nothing to continue, and can be used again.
    if (out !== undefined && memory?.isEmpty() === true) endSearchFolder(out);
    throw error;
  });
  const written = jsonText(result as unknown as Json);
  if (out !== undefined) {
    writeFiles(out, { 'search.json': written });
    endSearchFolder(out);
  }
  process.stdout.write(json ? written : shown);
  return found ? EXIT.clean : EXIT.unclean;
}

/** Throws a Failure for numbers, goals or a population that the scenario does not know, before a folder is begun. */
function refuseSearch(source: SearchSource): void {
  const file = parsedOrFail(parseSearch(source.text, source.file));
  if (file.find === 'numbers') parsedOrFail(planNumbersSearch(file, source, [{ ...file, path: [] }]));
  else parsedOrFail(planResponse(file, source));
}

/** Searches. Returns the result, its text, and whether something was found. */
async function searchOf(
  source: SearchSource,
  playing: SearchPlaying,
): Promise<readonly [result: unknown, shown: string, found: boolean]> {
  const file = parsedOrFail(parseSearch(source.text, source.file));
  if (file.find === 'numbers') {
    const result = await searchNumbers(file, source, playing);
    return [result, searchText(result), result.reached];
  }
  const result = await searchResponse(file, source, playing);
  return [result, responseText(result), result.policies.some(({ verdict }) => verdict === 'best')];
}

/** The scenario that a search names. Throws a Failure if it cannot be read. */
async function scenarioOf(
  path: string,
  by: Pick<SearchSource, 'file' | 'text'>,
): Promise<{ readonly scenarioFile: string; readonly scenarioText: string }> {
  const scenarioFile = relative('.', path);
  const scenarioText = await readScenarioText(path, by);
  refuseMissingBehaviours(parsedOrFail(parseScenario(scenarioText, scenarioFile)), {
    file: scenarioFile,
    text: scenarioText,
  });
  return { scenarioFile, scenarioText };
}
