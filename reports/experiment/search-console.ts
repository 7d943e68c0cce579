/** Prints a search on a terminal: the numbers that were found with the state of the goals, or the policies with their costs. The result is search.json. */

import type { Json } from '../../results/json-text.js';
import { countText, measureText, numberText, percentText } from '../../results/numbers.js';
import type {
  ResponseResult,
  SearchExtreme,
  SearchedPoint,
  SearchedPolicy,
  SearchedPrice,
  SearchResult,
  SearchStarts,
  SearchStopped,
} from '../../results/search-result.js';
import { visible } from '../../results/visible.js';

/** Why a search stopped, in words. */
export const STOPPED: Readonly<Record<SearchStopped, string>> = {
  reached: 'the goals are reached',
  converged: 'no neighbour of the best point is better',
  points:
    'the budget ended before all neighbours of the best point were tried: a better one may be near. Raise points.',
};

/** How far the starts of a search agree. */
export function startsLines(
  { begun, ended, agreeing, tolerance, values, distance }: SearchStarts,
  extreme: SearchExtreme | null,
): string[] {
  // A single start shows nothing, and ends of a minority may be anywhere.
  const isAgreed = begun === 1 || (agreeing > 1 && 2 * agreeing >= begun);
  const within = isAgreed
    ? `${agreeing} of ${countText(begun, 'start')} came within ${percentText(tolerance)} of the best point`
    : `the starts disagree: ${agreeing} of ${begun} came within ${percentText(tolerance)} of the best point, and a better one may be elsewhere. Raise points`;
  const cut = ended === begun ? '' : `; ${begun - ended} had not come to an end when the search stopped`;
  if (begun === 1) return [`${within}${cut}: one start shows no agreement`];
  const range =
    values === null || extreme === null
      ? ''
      : `, and their values from ${measureText(values[0], extreme.unit)} to ${measureText(values[1], extreme.unit)}`;
  return [`${within}${cut}`, `their ends lie up to ${percentText(distance)} of a range apart${range}`];
}

/** The result of a search of numbers, for a terminal. */
export function searchText(result: SearchResult): string {
  const { name, question, points, stopped, starts, best, confirmed, reached } = result;
  const width = Math.max(...Object.keys(best.set).map(({ length }) => length));
  const lines = [
    `${name}: ${question}`,
    `${numberText(points)} points of ${best.runs} runs (seed ${best.seed}): ${STOPPED[stopped]}`,
    ...(starts === null ? [] : startsLines(starts, best.extreme)),
    '',
    ...Object.entries(best.set).map(
      ([path, value]) => `  ${path.padEnd(width)}  ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
    '',
    `confirmed by ${confirmed.runs} other runs (seed ${confirmed.seed}):`,
    ...goalLines(confirmed),
    '',
    reached ? 'The goals are reached.' : 'The goals are not shown to be reached. The closest point is above.',
  ];
  return `${visible(lines.join('\n'))}\n`;
}

function goalLines({ goals, extreme }: SearchedPoint): string[] {
  const lines = goals.map(({ text, unit, mean, t95, state }) => `  ${text}: ${meanText(mean, t95, unit)}: ${state}`);
  if (extreme === null) return lines;
  const { measure, unit, mean, t95 } = extreme;
  return [...lines, `  ${measure}: ${meanText(mean, t95, unit)}`];
}

/** A mean with its interval, such as `98.2 % (95 %: 97.9 % to 98.5 %)`. */
export function meanText(mean: number, [low, high]: readonly [number, number], unit: string): string {
  return `${measureText(mean, unit)} (95 %: ${measureText(low, unit)} to ${measureText(high, unit)})`;
}

const PRICES: Readonly<Record<SearchedPrice['price'], string>> = {
  heartbeat: 'The fee of heartbeats (4.5)',
  sigil: 'The fee of SIGILs (4.6)',
  reissuance: 'The fee of a reissued passport (4.7)',
};

/** The result of a best response as text. */
export function responseText(result: ResponseResult): string {
  const { name, question, policies, life } = result;
  const [first] = policies;
  const lines = [
    `${name}: ${question}`,
    `The life of ${result.population}: ${life.join(', ')}.`,
    first === undefined
      ? ''
      : `Cost: ${first.confirmed.extreme?.measure}, over ${first.confirmed.runs} runs (seed ${first.confirmed.seed}).`,
  ];
  for (const identityClass of new Set(policies.map((policy) => policy.class))) {
    lines.push(
      '',
      ...(identityClass === null ? [] : [identityClass]),
      ...policyLines(
        policies.filter((policy) => policy.class === identityClass),
        result.population,
      ),
    );
  }
  lines.push('', ...agreementLines(result), ...priceLines(result), ...classLines(result));
  for (const { policy, reason } of result.left) lines.push(`${policy} was left out: it ${reason}`);
  return `${visible(lines.join('\n')).trimEnd()}\n`;
}

/** Where the numbers of policies may not be the best: the budget ended first, or starts ended apart. */
function agreementLines({ policies }: ResponseResult): string[] {
  const nameOf = ({ class: identityClass, policy }: SearchedPolicy): string =>
    identityClass === null ? policy : `${policy} (${identityClass})`;
  const cut = policies.filter(({ stopped }) => stopped === 'points').map(nameOf);
  const apart = policies.flatMap((each) => {
    const { starts } = each;
    return starts === null || starts.agreeing === starts.begun
      ? []
      : [`${nameOf(each)} ${starts.agreeing} of ${starts.begun}`];
  });
  const tolerance = policies.find(({ starts }) => starts !== null)?.starts?.tolerance ?? 0;
  return [
    ...(cut.length === 0 ? [] : [`The budget of points ended before all neighbours were tried: ${cut.join(', ')}.`]),
    ...(apart.length === 0
      ? []
      : [`Starts that came within ${percentText(tolerance)} of the best point: ${apart.join(', ')}.`]),
  ];
}

function policyLines(policies: readonly SearchedPolicy[], population: string): string[] {
  const width = Math.max(...policies.map(({ policy }) => policy.length));
  const ordered = policies.toSorted((a, b) => rank(a) - rank(b) || costOf(a) - costOf(b));
  return ordered.map(({ policy, confirmed, verdict, more }) => {
    const missed = confirmed.goals.find(({ state }) => state !== 'reached');
    const how = settingsText(confirmed, population);
    if (verdict === 'another life' && missed !== undefined) {
      const { text, mean, t95, unit } = missed;
      return `  ${policy.padEnd(width)}  another life: ${text}: ${meanText(mean, t95, unit)}${how}`;
    }
    const { extreme } = confirmed;
    const cost = extreme === null ? '' : meanText(extreme.mean, extreme.t95, extreme.unit);
    const above = more === null ? '' : `: ${meanText(more.mean, more.t95, more.unit)} more`;
    return `  ${policy.padEnd(width)}  ${cost}  ${verdict}${above}${how}`;
  });
}

function rank({ verdict }: SearchedPolicy): number {
  return verdict === 'another life' ? 1 : 0;
}

function costOf({ confirmed }: SearchedPolicy): number {
  return confirmed.extreme?.mean ?? 0;
}

/** The numbers of a policy, by the last words of their paths. */
function settingsText({ set }: SearchedPoint, population: string): string {
  const shown = Object.entries(set).flatMap(([path, value]) => {
    const [, of, key = ''] = path.split('.');
    if (key === 'class') return [];
    return [`${of === population ? '' : `${of} `}${key} ${flat(value)}`];
  });
  return shown.length === 0 ? '' : `  [${shown.join('; ')}]`;
}

function flat(value: Json): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map((item) => flat(item as Json)).join(' ');
  return Object.entries(value as Readonly<Record<string, Json>>)
    .map(([key, item]) => `${key} ${flat(item)}`)
    .join(', ');
}

function priceLines({ dominated_prices: prices }: ResponseResult): string[] {
  return prices.map(({ class: identityClass, price, paying, avoiding, more }) => {
    const where = identityClass === null ? '' : ` for ${identityClass}`;
    return `${PRICES[price]} is dominated${where}: ${paying}, the cheapest policy that pays it, costs ${meanText(more.mean, more.t95, more.unit)} more than ${avoiding}, which leads the same life without it.`;
  });
}

function classLines({ classes_without_life: classes }: ResponseResult): string[] {
  return classes.map(
    ({ class: identityClass, closest, with_cap: capped, without_cap: uncapped, cap_decides: decides }) => {
      const index = capped.goals.findIndex(({ state }) => state !== 'reached');
      const [missed, then] = [capped.goals[index], uncapped.goals[index]];
      const state =
        missed === undefined || then === undefined
          ? ''
          : ` (${missed.text}: ${measureText(missed.mean, missed.unit)}, without the cap ${measureText(then.mean, then.unit)})`;
      const why = decides
        ? `and reaches it without the cap of the class: the cap cannot keep ${identityClass} alive`
        : 'and does not reach it without the cap of the class either';
      return `No policy leads this life in ${identityClass}: ${closest} comes closest${state}, ${why}.`;
    },
  );
}
