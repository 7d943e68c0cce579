/** Prints a search on a terminal: the numbers that were found, and how the goals stand with them. The result is search.json. */

import { measureText, numberText } from './numbers.js';
import type { SearchedPoint, SearchResult } from './search-result.js';

const STOPPED: Readonly<Record<SearchResult['stopped'], string>> = {
  reached: 'the goals are reached',
  converged: 'no better point was found near the best ones',
  points: 'all points of the budget were played',
};

/** The result as text. */
export function searchText(result: SearchResult): string {
  const { name, question, points, stopped, best, confirmed, reached } = result;
  const width = Math.max(...Object.keys(best.set).map(({ length }) => length));
  const lines = [
    `${name}: ${question}`,
    `${numberText(points)} points of ${best.runs} runs (seed ${best.seed}): ${STOPPED[stopped]}`,
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
  return `${lines.join('\n')}\n`;
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
