/** Looks for numbers that reach goals, and confirms what it finds by other runs. Points are played by searched-points.ts. */

import { agreementOf } from '../../experiments/search/agreement.js';
import { multiStart } from '../../experiments/search/multi-start.js';
import { numbersSpread, planNumbersSearch, type SearchSource } from '../../experiments/search/numbers-search.js';
import { defaultPoints, type NumbersFile } from '../../experiments/search/search-file.js';
import { betterBy, confirmingSeed } from '../../experiments/search/searched-sweep.js';
import { drawsOf } from '../../experiments/statistics/draws.js';
import { SEARCH_SCHEMA, type SearchResult } from '../../results/search-result.js';
import { parsedOrFail } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { digestOf } from './search-folder.js';
import {
  followSearch,
  type PlayedPoints,
  playPoint,
  type SearchPlaying,
  sameSettings,
  searchedPoint,
  writePoints,
} from './searched-points.js';
import { warnOfIdlePoints } from './sweep-outputs.js';

/** Searches the bounds of a file, and warns of keys without effect. Failure for numbers or goals that its scenario does not know. */
export async function searchNumbers(
  file: NumbersFile,
  source: SearchSource,
  { out, workers, memory }: SearchPlaying,
): Promise<SearchResult> {
  const { aim, dimensions, settingsAt } = parsedOrFail(planNumbersSearch(file, source, [{ ...file, path: [] }]));
  const { points: pointsMax = defaultPoints(dimensions) } = file;
  const playing: PlayedPoints = {
    ...source,
    aim,
    workers,
    memory,
    experiment: file,
    seed: file.seed,
    replicates: file.replicates,
  };
  const cube = multiStart({
    dimensions,
    spread: numbersSpread(dimensions, pointsMax),
    pointsMax,
    draws: drawsOf(file.seed, 'search'),
    better: betterBy(aim),
    isSame: sameSettings(settingsAt),
    isEnough: ({ excess }) => aim.extreme === null && excess === 0,
  });
  const { points, best, stopped } = await followSearch(playing, cube, settingsAt, pointsMax);
  warnOfIdlePoints(source.scenarioFile, points, best);
  const confirming = { ...playing, seed: confirmingSeed(file.seed), replicates: file.confirm };
  const confirmed = await playPoint(confirming, best.set);
  if (out !== undefined) {
    writePoints(out, 'points', playing, points);
    writePoints(out, 'confirmed', confirming, [confirmed]);
  }
  return {
    schema: SEARCH_SCHEMA,
    find: 'numbers',
    version: packageVersion(),
    name: file.name,
    question: file.question,
    digest: digestOf(source),
    points: points.length,
    stopped: aim.extreme === null && best.value.excess === 0 ? 'reached' : stopped,
    starts: agreementOf(cube.descents, best.value, settingsAt),
    best: searchedPoint(aim, best, file.seed),
    confirmed: searchedPoint(aim, confirmed, confirming.seed),
    reached: confirmed.value.excess === 0,
  };
}
