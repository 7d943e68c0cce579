/** Prints a design on a terminal: the numbers, what they bring and what the present ones do, the front or the region near the optimum, and what agents choose. The result is design.json. */

import type { DesignPoint, DesignResult } from '../../results/design-result.js';
import { countText, numberText, percentText } from '../../results/numbers.js';
import { visible } from '../../results/visible.js';
import { csvNumber, csvText } from '../text/csv.js';
import { gainText, sharesText } from './equilibrium-console.js';
import { meanText, STOPPED, startsLines } from './search-console.js';

/** A result for a terminal. */
export function designText(result: DesignResult): string {
  const { name, question, points, seed, before, stopped, starts, reached } = result;
  const chosen = chosenPoint(result);
  const ended = stopped === null ? 'one search for each objective, and some between them' : STOPPED[stopped];
  const lines = [
    `${name}: ${question}`,
    `${countText(points, 'point')} (seed ${seed}): ${ended}`,
    ...(starts === null ? [] : startsLines(starts, chosen.objectives[0] ?? null)),
    '',
    ...settingLines(chosen),
    '',
    `measured by ${chosen.runs} other runs (seed ${chosen.seed}):`,
    ...chosen.goals.map(({ text, unit, mean, t95, state }) => `  ${text}: ${meanText(mean, t95, unit)}: ${state}`),
    ...comparisonLines(before, chosen),
    ...regionLines(result),
    ...frontLines(result),
    ...gameLines(result),
    '',
    reached ? 'The goals are reached.' : 'The goals are not shown to be reached. The closest point is above.',
  ];
  return `${visible(lines.join('\n'))}\n`;
}

/** The point that a design proposes. */
export function chosenPoint({ front, chosen }: DesignResult): DesignPoint {
  const point = front[chosen];
  if (point === undefined) throw new Error(`the front has no point ${chosen}`);
  return point;
}

function settingLines({ set }: DesignPoint): string[] {
  const width = Math.max(...Object.keys(set).map(({ length }) => length));
  return Object.entries(set).map(([path, value]) => `  ${path.padEnd(width)}  ${JSON.stringify(value)}`);
}

/** Each objective with the numbers of today and with those that were chosen. */
export function comparisonLines(before: DesignPoint, after: DesignPoint): string[] {
  return after.objectives.map(({ measure, unit, mean, t95 }, k) => {
    const was = before.objectives[k];
    const then = was === undefined ? '' : `; before ${meanText(was.mean, was.t95, unit)}`;
    return `  ${measure}: ${meanText(mean, t95, unit)}${then}`;
  });
}

function regionLines({ region }: DesignResult): string[] {
  if (region === null) return [];
  const { tolerance, points, ranges } = region;
  return [
    '',
    `${countText(points, 'point')} not shown to be worse than the best by more than ${percentText(tolerance)} (in pairs of runs), at`,
    ...ranges.map(({ path, from, to }) => `  ${path} from ${numberText(from)} to ${numberText(to)}`),
  ];
}

function frontLines({ front, objectives, chosen }: DesignResult): string[] {
  if (objectives.length === 1) return [];
  const rows = front.map((point, i) => {
    const values = point.objectives.map(({ mean, t95, unit }) => meanText(mean, t95, unit)).join('  ');
    return `  ${values}${i === chosen ? '  chosen' : ''}${point.dominated ? '  dominated in these runs' : ''}`;
  });
  const names = objectives.map(({ direction, measure }) => `${direction} ${measure}`).join(', ');
  return ['', `${countText(front.length, 'point')} that no other beats (${names}):`, ...rows];
}

function gameLines({ equilibrium }: DesignResult): string[] {
  if (equilibrium === null) return [];
  const { moves, before, after } = equilibrium;
  const verdict =
    moves === null
      ? 'One of the two games has no equilibrium that was found.'
      : moves
        ? 'Agents choose otherwise after the change.'
        : 'Agents choose the same after the change.';
  return ['', ...[before, after].map((game, i) => `  ${i === 0 ? 'before' : 'after'}: ${playText(game)}`), verdict];
}

/** The first equilibrium of a game in a line. */
export function playText(game: NonNullable<DesignResult['equilibrium']>['before']): string {
  const [first] = game.equilibria;
  if (game.answer === 'none' || first === undefined) return 'no equilibrium was found';
  return `${sharesText(game, first.mixture)}, ${first.status}: the best other option gains ${gainText(first.regret)}`;
}

/** The points of a front as CSV: a row for each point and objective. */
export function frontCsv({ front, objectives }: DesignResult): string {
  const paths = Object.keys(front[0]?.set ?? {});
  const head = ['point', ...paths, 'objective', 'direction', 'unit', 'mean', 'low95', 'high95', 'runs', 'dominated'];
  const rows = front.flatMap((point, i) =>
    point.objectives.map(({ measure, unit, mean, t95 }, k) => [
      csvNumber(i),
      ...paths.map((path) => csvNumber(Number(point.set[path]))),
      ...[csvText(measure), objectives[k]?.direction ?? '', csvText(unit)],
      ...[mean, ...t95, point.runs].map(csvNumber),
      String(point.dominated),
    ]),
  );
  return `${[head, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}
