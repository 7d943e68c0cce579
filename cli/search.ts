/** `aips search`: looks for numbers that reach goals, and confirms what it finds by other runs. Points are played by searched-points.ts. */

import { createHash } from 'node:crypto';
import { dirname, join, relative } from 'node:path';
import type { Argv, InferredOptionTypes } from 'yargs';
import { multiStart } from '../experiments/search/multi-start.js';
import { type NumbersSearch, planNumbersSearch } from '../experiments/search/numbers-search.js';
import { parseSearch } from '../experiments/search/search-file.js';
import { type Aim, betterBy, confirmingSeed, subjectsOf, subjectText } from '../experiments/search/searched-sweep.js';
import { drawsOf } from '../experiments/statistics/draws.js';
import { estimateOf } from '../experiments/statistics/estimate.js';
import { type Json, jsonText } from '../reports/json-text.js';
import { searchText } from '../reports/search-console.js';
import { SEARCH_SCHEMA, type SearchExtreme, type SearchedPoint, type SearchResult } from '../reports/search-result.js';
import { measures } from '../scenarios/measures.js';
import { parseScenario } from '../scenarios/schema.js';
import type { Command } from './commands.js';
import { EXIT, Failure } from './failure.js';
import { ensureFolder, parsedOrFail, readText, writeFiles } from './files.js';
import { packageVersion } from './package.js';
import { refuseMissingBehaviours } from './scenario-source.js';
import {
  bestOf,
  followSearch,
  type PlayedPoint,
  type PlayedPoints,
  playPoints,
  writePoints,
} from './searched-points.js';
import { refuseUsedFolder } from './sweep-folder.js';

const options = {
  out: { type: 'string', describe: 'Folder of the results: search.json, and the sweeps points and confirmed' },
  workers: { type: 'number', default: 1, describe: 'Threads' },
  json: { type: 'boolean', default: false, describe: 'Print search.json in place of the summary' },
} as const;

type SearchFlags = InferredOptionTypes<typeof options> & { file: string };

/** `aips search FILE`: numbers within bounds that reach goals. */
export const searchCommand: Command<SearchFlags> = {
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The search, a YAML file' })
      .options(options)
      .example(
        '$0 search scenarios/experiments/cheap-enough.yaml --workers 2 --out out/search',
        'which numbers reach the goals of the file',
      ) as Argv<SearchFlags>,
  handler: async ({ file, out, workers, json }) => {
    if (!Number.isSafeInteger(workers) || workers < 1)
      throw new Failure('--workers must be a whole number, 1 or more.');
    if (out !== undefined) {
      ensureFolder(out);
      refuseUsedFolder(join(out, 'points'));
    }
    const result = await searchNumbers(file, { out, workers });
    const text = jsonText(result as unknown as Json);
    if (out !== undefined) writeFiles(out, { 'search.json': text });
    process.stdout.write(json ? text : searchText(result));
    process.exitCode = result.reached ? EXIT.clean : EXIT.unclean;
  },
};

async function searchNumbers(
  path: string,
  { out, workers }: Pick<SearchFlags, 'out' | 'workers'>,
): Promise<SearchResult> {
  const source = sourceOf(path);
  const search = parsedOrFail(planNumbersSearch(source));
  const { file, aim, dimensions, settingsAt } = search;
  const playing: PlayedPoints = {
    ...{ experiment: file, aim, workers, seed: file.seed, replicates: file.replicates },
    ...{ file: path, scenarioFile: source.scenarioFile, scenarioText: source.scenarioText },
  };
  const cube = multiStart({
    dimensions,
    starts: startsOf(search),
    draws: drawsOf(file.seed, 'search'),
    better: betterBy(aim),
    isEnough: ({ excess }) => aim.extreme === null && excess === 0,
  });
  const { points, stopped } = await followSearch(playing, cube, settingsAt, file.points);
  const best = bestOf(points, aim);
  const confirming = { ...playing, seed: confirmingSeed(file.seed), replicates: file.confirm };
  const [confirmed] = await playPoints(confirming, [best.set]);
  if (confirmed === undefined) throw new Error('the best point was not played again');
  if (out !== undefined) {
    writePoints(out, 'points', playing, points);
    writePoints(out, 'confirmed', confirming, [confirmed]);
  }
  const shown = searchedPoint(aim, confirmed, confirming.seed);
  return {
    schema: SEARCH_SCHEMA,
    version: packageVersion(),
    name: file.name,
    question: file.question,
    digest: createHash('sha256')
      .update(JSON.stringify([source.text, source.scenarioText]))
      .digest('hex'),
    points: points.length,
    stopped: aim.extreme === null && best.value.excess === 0 ? 'reached' : stopped,
    best: searchedPoint(aim, best, file.seed),
    confirmed: shown,
    reached: confirmed.value.excess === 0,
  };
}

/** The texts of a search. Failure for a file, or a scenario, that cannot be read. */
function sourceOf(file: string) {
  const text = readText(file, 'search file');
  const path = join(dirname(file), parsedOrFail(parseSearch(text, file)).scenario);
  const scenarioFile = relative('.', path);
  const scenarioText = readText(path, 'scenario file');
  refuseMissingBehaviours(parsedOrFail(parseScenario(scenarioText, scenarioFile)), scenarioFile);
  return { file, text, scenarioFile, scenarioText };
}

/** Enough points to see the cube, and not most of the budget. */
function startsOf({ dimensions, file }: NumbersSearch): number {
  return Math.min(file.points, Math.max(4 * (dimensions + 1), Math.floor(file.points / 4)));
}

/** A point as search.json shows it. Failure if a run of it failed. */
function searchedPoint(aim: Aim, { set, runs, value }: PlayedPoint, seed: number): SearchedPoint {
  const failed = runs.find(({ error }) => error !== undefined);
  if (failed !== undefined) {
    throw new Failure(
      `No point came to its end. The run of seed ${failed.seed} with ${JSON.stringify(set)}: ${failed.error}`,
    );
  }
  const goals = value.goals.map(({ mean, t95, limit, state }, i) => {
    const { text, subject } = aim.goals[i] as Aim['goals'][number];
    return { text, unit: measures[subject.measure].unit, mean, t95, limit, state };
  });
  return { set, seed, runs: runs.length, goals, extreme: extremeOf(aim, runs) };
}

function extremeOf(aim: Aim, runs: PlayedPoint['runs']): SearchExtreme | null {
  if (aim.extreme === null) return null;
  const { subject } = aim.extreme;
  const measure = subjectText(subject);
  const index = subjectsOf(aim).indexOf(measure);
  const { mean, t95 } = estimateOf(
    runs.map(({ values }) => values[index] as number),
    () => drawsOf(0, measure),
  );
  return { measure, unit: measures[subject.measure].unit, mean, t95: t95 ?? [mean, mean] };
}
