/** `aips search`: reads the flags, and delivers what the search of a file finds. The searches are search-numbers.ts and search-response.ts. */

import { dirname, join, relative } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import { parseSearch } from '../experiments/search/search-file.js';
import { type Json, jsonText } from '../reports/json-text.js';
import { responseText, searchText } from '../reports/search-console.js';
import { parseScenario } from '../scenarios/schema.js';
import type { Command } from './commands.js';
import { EXIT, Failure } from './failure.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from './files.js';
import { refuseMissingBehaviours } from './scenario-source.js';
import { readScenarioText } from './scenario-text.js';
import { searchNumbers } from './search-numbers.js';
import { searchResponse } from './search-response.js';
import { refuseUsedSearch } from './searched-points.js';

const options = {
  out: { type: 'string', describe: 'Folder of the results: search.json, and sweeps of all points that were played' },
  workers: { type: 'number', default: 1, describe: 'Threads' },
  json: { type: 'boolean', default: false, describe: 'Print search.json in place of the summary' },
} as const;

type SearchFlags = InferredOptionTypes<typeof options> & { file: string };

/** `aips search FILE`: numbers within bounds that reach goals, or the policy that costs a population least. */
export const searchCommand: Command<SearchFlags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The search, a YAML file' })
      .options(options)
      .example('$0 search scenarios/experiments/cheap-enough.yaml --out out/search', 'which numbers reach the goals')
      .example(
        '$0 search scenarios/experiments/cheapest-life.yaml --workers 2',
        'which policy costs a population least for the same life',
      ) as Argv<SearchFlags>,
  handler: async ({ file: path, out, workers, json }) => {
    if (!Number.isSafeInteger(workers) || workers < 1)
      throw new Failure('--workers must be a whole number, 1 or more.');
    const text = readText(path, 'search file');
    const file = parsedOrFail(parseSearch(text, path));
    const source = { file: path, text, ...(await scenarioOf(join(dirname(path), file.scenario))) };
    if (out !== undefined) {
      ensureFolder(out);
      refuseUsedSearch(out);
    }
    const playing = { out, workers };
    const [result, shown, found] =
      file.find === 'numbers'
        ? await searchNumbers(file, source, playing).then((it) => [it, searchText(it), it.reached] as const)
        : await searchResponse(file, source, playing).then(
            (it) => [it, responseText(it), it.policies.some(({ verdict }) => verdict === 'best')] as const,
          );
    const written = jsonText(result as unknown as Json);
    if (out !== undefined) writeFiles(out, { 'search.json': written });
    process.stdout.write(json ? written : shown);
    process.exitCode = found ? EXIT.clean : EXIT.unclean;
  },
};

/** The scenario of a search. Failure if it cannot be read. */
async function scenarioOf(path: string): Promise<{ readonly scenarioFile: string; readonly scenarioText: string }> {
  const scenarioFile = relative('.', path);
  const scenarioText = await readScenarioText(path);
  refuseMissingBehaviours(parsedOrFail(parseScenario(scenarioText, scenarioFile)), scenarioFile);
  return { scenarioFile, scenarioText };
}
