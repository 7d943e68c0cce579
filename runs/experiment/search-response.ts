/** Looks for the policy that costs a population least for the same life. Dominated policies are found in experiments/search. */

import { agreementOf } from '../../experiments/search/agreement.js';
import {
  type Confirmed,
  cheapest,
  classOf,
  dominatedPrices,
  type PolicySearch,
  planResponse,
  verdicts,
  withoutCap,
} from '../../experiments/search/best-response.js';
import { multiStart } from '../../experiments/search/multi-start.js';
import type { SearchSource } from '../../experiments/search/numbers-search.js';
import type { ResponseFile } from '../../experiments/search/search-file.js';
import { amounts, betterBy, confirmingSeed } from '../../experiments/search/searched-sweep.js';
import type { Difference } from '../../experiments/statistics/difference.js';
import { drawsOf } from '../../experiments/statistics/draws.js';
import {
  type ResponseResult,
  SEARCH_SCHEMA,
  type SearchExtreme,
  type SearchedClass,
  type SearchedPolicy,
  type SearchedPrice,
} from '../../results/search-result.js';
import { parseScenario } from '../../scenarios/schema.js';
import type { IdentityClass } from '../../spec/vocabulary.js';
import { parsedOrFail } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { digestOf } from './search-folder.js';
import {
  followSearch,
  type PlayedPoint,
  type PlayedPoints,
  playPoint,
  type SearchPlaying,
  sameSettings,
  searchedPoint,
  writePoints,
} from './searched-points.js';

/** A policy whose best numbers were played again with other seeds. */
interface Response extends Confirmed {
  readonly found: Pick<SearchedPolicy, 'points' | 'stopped' | 'starts'>;
  readonly confirming: PlayedPoints;
  readonly confirmed: PlayedPoint;
}

/** Searches every policy in every class of a file. Failure for a population or goals that its scenario does not know. */
export async function searchResponse(
  file: ResponseFile,
  source: SearchSource,
  playing: SearchPlaying,
): Promise<ResponseResult> {
  const { searches, left } = parsedOrFail(planResponse(file, source));
  const responses: Response[] = [];
  for (const search of searches) responses.push(await respond(search, file, source, playing));
  const byClass = [...new Set(searches.map(({ identityClass }) => identityClass))].map((identityClass) =>
    responses.filter(({ search }) => search.identityClass === identityClass),
  );
  const own = classOf(parsedOrFail(parseScenario(source.scenarioText, source.scenarioFile)), file.population);
  const lifeless: SearchedClass[] = [];
  for (const list of byClass) {
    const identityClass = list[0]?.search.identityClass ?? own;
    if (cheapest(list) === undefined && identityClass !== null)
      lifeless.push(await lifelessClass(identityClass, list, playing));
  }
  return {
    schema: SEARCH_SCHEMA,
    find: 'best_response',
    version: packageVersion(),
    name: file.name,
    question: file.question,
    digest: digestOf(source),
    population: file.population,
    life: file.life,
    policies: byClass.flatMap(searchedPolicies),
    dominated_prices: byClass.flatMap(searchedPrices),
    classes_without_life: lifeless,
    left,
  };
}

/** Finds the numbers with which a policy leads the life at the least cost, and plays them again with other seeds. */
async function respond(
  search: PolicySearch,
  file: ResponseFile,
  source: SearchSource,
  { out, workers, memory }: SearchPlaying,
): Promise<Response> {
  const { aim, family, identityClass, scenarioText, settingsAt } = search;
  const playing: PlayedPoints = {
    ...{ ...source, scenarioText, aim, workers, memory },
    ...{ experiment: file, seed: file.seed, replicates: file.replicates },
  };
  const dimensions = family.ranges.length;
  const cube = multiStart({
    dimensions,
    spread:
      dimensions === 0 ? 1 : Math.max(1, Math.min(file.points, Math.max(dimensions + 3, Math.floor(file.points / 2)))),
    pointsMax: file.points,
    draws: drawsOf(file.seed, `search ${family.name}`),
    better: betterBy(aim),
    isSame: sameSettings(settingsAt),
    isEnough: () => false,
  });
  const { points, best, stopped } = await followSearch(playing, cube, settingsAt, file.points);
  const starts = agreementOf(cube.descents, best.value, settingsAt);
  const confirming = { ...playing, seed: confirmingSeed(file.seed), replicates: file.confirm };
  const confirmed = await playPoint(confirming, best.set);
  if (out !== undefined) {
    const name = identityClass === null ? family.name : `${identityClass}-${family.name}`;
    writePoints(out, `points/${name}`, playing, points);
    writePoints(out, `confirmed/${name}`, confirming, [confirmed]);
  }
  const { excess } = confirmed.value;
  const costs = amounts(aim, confirmed.runs) ?? [];
  const found = { points: points.length, stopped, starts };
  return { search, lives: excess === 0, excess, costs, found, confirming, confirmed };
}

function extremeOf(difference: Difference, { search }: Response): SearchExtreme {
  const { name = '', unit = '' } = search.aim.extreme?.amount ?? {};
  return { measure: name, unit, mean: difference.difference, t95: difference.t95 };
}

function searchedPolicies(list: readonly Response[]): readonly SearchedPolicy[] {
  const found = verdicts(list);
  return list.map((response, i) => {
    const { search, found: searched, confirmed, confirming } = response;
    const verdict = found[i] as (typeof found)[number];
    return {
      class: search.identityClass,
      policy: search.family.name,
      ...searched,
      confirmed: searchedPoint(search.aim, confirmed, confirming.seed),
      verdict: verdict.verdict,
      more: 'more' in verdict ? extremeOf(verdict.more, response) : null,
    };
  });
}

function searchedPrices(list: readonly Response[]): readonly SearchedPrice[] {
  return dominatedPrices(list).map(({ price, paying, avoiding, more }) => ({
    class: paying.search.identityClass,
    price,
    paying: paying.search.family.name,
    avoiding: avoiding.search.family.name,
    more: extremeOf(more, paying),
  }));
}

/** Plays the policy that comes closest to the life once more without the cap of its class. */
async function lifelessClass(
  identityClass: IdentityClass,
  list: readonly Response[],
  { out }: SearchPlaying,
): Promise<SearchedClass> {
  const [first, ...others] = list;
  if (first === undefined) throw new Error('a class was searched without a policy');
  const closest = others.reduce((best, each) => (each.excess < best.excess ? each : best), first);
  const { search, confirming, confirmed } = closest;
  const uncapped = await playPoint(confirming, { ...confirmed.set, ...withoutCap(identityClass) });
  if (out !== undefined) writePoints(out, `without-cap/${identityClass}`, confirming, [uncapped]);
  return {
    class: identityClass,
    closest: search.family.name,
    with_cap: searchedPoint(search.aim, confirmed, confirming.seed),
    without_cap: searchedPoint(search.aim, uncapped, confirming.seed),
    cap_decides: uncapped.value.excess === 0,
  };
}
