/** `aips search`: reads the flags, and delivers what the search of a file finds. The searches are search-numbers.ts and search-response.ts. */

import { dirname, join, relative } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import type { SearchSource } from '../../experiments/search/numbers-search.js';
import { parseSearch } from '../../experiments/search/search-file.js';
import { type Json, jsonText } from '../../reports/json-text.js';
import { responseText, searchText } from '../../reports/search-console.js';
import {
  beginSearchFolder,
  endSearchFolder,
  resumeSearchFolder,
  type SearchMemory,
} from '../../runs/experiment/search-folder.js';
import { searchNumbers } from '../../runs/experiment/search-numbers.js';
import { searchResponse } from '../../runs/experiment/search-response.js';
import type { SearchPlaying } from '../../runs/experiment/searched-points.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from '../../runs/host/files.js';
import { refuseMissingBehaviours } from '../../runs/simulation/scenario-source.js';
import { readScenarioText } from '../../runs/simulation/scenario-text.js';
import { parseScenario } from '../../scenarios/schema.js';
import type { Command } from '../flags/command.js';

const options = {
  out: { type: 'string', describe: 'Folder of the results: search.json, and sweeps of all points that were played' },
  workers: { type: 'number', default: 1, describe: 'Threads' },
  resume: { type: 'string', describe: 'Continue the search in this folder' },
  json: { type: 'boolean', default: false, describe: 'Print search.json instead of the summary' },
} as const;

type SearchFlags = InferredOptionTypes<typeof options> & { file?: string | undefined };

/** `aips search FILE`: numbers within bounds that reach goals, or the policy that costs a population least. */
export const searchCommand: Command<SearchFlags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', describe: 'The search, a YAML file' })
      .options(options)
      .example('$0 search scenarios/experiments/cheap-enough.yaml --out out/search', 'which numbers reach the goals')
      .example(
        '$0 search scenarios/experiments/cheapest-life.yaml --workers 2',
        'which policy costs a population least for the same life',
      )
      .example('$0 search --resume out/search', 'after Ctrl-C, a crash or SIGKILL') as Argv<SearchFlags>,
  handler: async (flags) => {
    const { workers, json } = flags;
    if (!Number.isSafeInteger(workers) || workers < 1)
      throw new Failure('--workers must be a whole number, 1 or more.');
    const { source, out, memory } = await begun(flags);
    const [result, shown, found] = await searchOf(source, { out, workers, memory });
    const written = jsonText(result as unknown as Json);
    if (out !== undefined) {
      writeFiles(out, { 'search.json': written });
      endSearchFolder(out);
    }
    process.stdout.write(json ? written : shown);
    process.exitCode = found ? EXIT.clean : EXIT.unclean;
  },
};

/** A search that can go on. */
interface Begun {
  readonly source: SearchSource;
  readonly out: string | undefined;
  readonly memory: SearchMemory | undefined;
}

/** The search that the flags name: of a file, or one that was broken off. */
async function begun({ file, resume, out }: SearchFlags): Promise<Begun> {
  if (resume !== undefined) {
    if (file !== undefined) throw new Failure('FILE and --resume cannot go together.');
    if (out !== undefined) throw new Failure('--resume takes its search from the folder: leave out --out.');
    return { ...resumeSearchFolder(resume), out: resume };
  }
  if (file === undefined) throw new Failure('Name the search file.\nTry: aips search --help');
  const text = readText(file, 'search file');
  const { scenario } = parsedOrFail(parseSearch(text, file));
  const source = { file, text, ...(await scenarioOf(join(dirname(file), scenario), { file, text })) };
  if (out === undefined) return { source, out, memory: undefined };
  ensureFolder(out);
  return { source, out, memory: beginSearchFolder(out, source) };
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

/** The scenario that a search names. Failure if it cannot be read. */
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
