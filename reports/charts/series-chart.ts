/**
 * Draws a sweep's measures over time as an SVG file: a panel for each measure with a line and a 95 % band for each arm, and below it how far
 * each arm is from the first; and its curves of survival in steps. The lines and bands are computed in experiments/.
 */

import { compactText } from '../../results/numbers.js';
import type { SeriesPoint, SurvivalPoint, SweepArm } from '../../results/sweep-result.js';
import { xmlText } from '../text/xml.js';
import { drawnUnit, timeUnit } from './chart-scale.js';
import { CATEGORIES, lightOf } from './palette.js';
import { type LogAxes, plotAxis } from './plot-axis.js';
import { thinned } from './thin.js';

const WIDTH = 720;
const PLOT_HEIGHT = 210;
const LEFT = 76;
const RIGHT = 24;
const TITLE_HEIGHT = 34;
const AXIS_HEIGHT = 40;
const KEY_HEIGHT = 18;
const POINTS_MAX = 400;
const FONT = 'system-ui, sans-serif';

/** The measures of a sweep over time. */
interface SweptSeries {
  readonly name: string;
  readonly arms: readonly Pick<SweepArm, 'name'>[];
  readonly means: readonly SeriesPoint[];
  readonly differences: readonly SeriesPoint[];
}

/** How lines are drawn and named. */
interface LineForm {
  readonly steps: boolean;
  readonly about: string;
  readonly file: string;
  readonly titleOf: (name: string) => string;
}

const SERIES: LineForm = {
  ...{ steps: false, about: 'line: mean; band: pointwise 95 % interval', file: 'series.csv' },
  titleOf: (name) => name,
};
const SURVIVAL: LineForm = {
  ...{
    steps: true,
    about: 'line: Kaplan-Meier estimate; band: pointwise 95 % interval (log-log)',
    file: 'survival.csv',
  },
  titleOf: (name) => `not yet frozen since registration${name.slice('first_freeze'.length).replace('.', ': ')}`,
};

interface Panel {
  readonly title: string;
  readonly steps: boolean;
  readonly unit: string;
  readonly log: LogAxes;
  /** By arm. */
  readonly lines: readonly { readonly arm: number; readonly points: readonly SeriesPoint[] }[];
}

/**
 * Panels for some measures (`frozen_share.workers`); the arms after the eighth are not drawn. Undefined if none of them has values that the axes
 * can show. `command` is the one that makes the file; it is printed below.
 */
export function seriesChart(
  series: SweptSeries,
  measures: readonly string[],
  log: LogAxes,
  command: string,
  form: LineForm = SERIES,
): string | undefined {
  const { steps, titleOf } = form;
  const panels = measures.flatMap((name) => [
    { ...panelOf(series.means, name, log), title: titleOf(name), steps },
    {
      // A difference can be on either side of 0, which no axis by ratio has.
      ...panelOf(series.differences, name, { ...log, y: false }),
      ...{ title: `${name}: less ${series.arms[0]?.name ?? ''}, in pairs`, steps },
    },
  ]);
  const drawn = panels.filter(({ lines }) => lines.length > 0);
  const svgs = drawn.flatMap((panel, i) => panelSvg(panel, i * (TITLE_HEIGHT + PLOT_HEIGHT + AXIS_HEIGHT)) ?? []);
  if (svgs.length === 0) return undefined;
  const shown = series.arms.slice(0, CATEGORIES.length);
  const keys = svgs.length * (TITLE_HEIGHT + PLOT_HEIGHT + AXIS_HEIGHT);
  const height = keys + shown.length * KEY_HEIGHT + 44;
  const left = series.arms.length - shown.length;
  const notes = [
    form.about,
    ...(log.y ? ['values at or below 0 are left out'] : []),
    ...(left > 0 ? [`${left} more arms are in ${form.file}`] : []),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${xmlText(`${series.name}: ${measures.join(', ')} over time`)}</title>`,
    `<rect x="0" y="0" width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...svgs,
    ...shown.map(({ name }, i) => keyRow(name, i, keys + i * KEY_HEIGHT)),
    text(8, height - 24, notes.join('; '), 'start', 11),
    text(8, height - 8, command, 'start', 9),
    '</svg>\n',
  ].join('\n');
}

/**
 * Curves of survival: a panel for all agents and one for each group, with a line for each arm; of a single arm one panel, with a line for each group.
 */
export function survivalChart(
  name: string,
  arms: readonly SweepArm[],
  points: readonly SurvivalPoint[],
  log: LogAxes,
  command: string,
): string | undefined {
  const groups = [...new Set(points.flatMap(({ group }) => group ?? []))];
  const single = arms.length === 1 && groups.length > 0;
  const means = points
    .filter(({ group }) => !single || group !== null)
    .map(
      ({ survival, at_risk: n, ...point }): SeriesPoint => ({
        ...{ ...point, measure: 'first_freeze', unit: 'share', mean: survival, n, less_arm: null },
        ...(single ? { arm: groups.indexOf(point.group ?? ''), group: null } : {}),
      }),
    );
  const shown = single ? groups.map((each) => ({ name: each })) : arms;
  const names = ['first_freeze', ...(single ? [] : groups.map((group) => `first_freeze.${group}`))];
  return seriesChart({ name, arms: shown, means, differences: [] }, names, log, command, SURVIVAL);
}

function panelOf(points: readonly SeriesPoint[], name: string, log: LogAxes): Omit<Panel, 'title' | 'steps'> {
  const own = points
    .filter(({ measure, group, arm }) => {
      return name === (group === null ? measure : `${measure}.${group}`) && arm < CATEGORIES.length;
    })
    .map(withinShare);
  const arms = [...new Set(own.map(({ arm }) => arm))];
  const lines = arms.map((arm) => ({ arm, points: thinnedPoints(own.filter((point) => point.arm === arm)) }));
  return { unit: own[0]?.unit ?? '', log, lines };
}

/** A point whose interval stays between 0 and 1, if it is a share and no difference of shares. */
function withinShare(point: SeriesPoint): SeriesPoint {
  const { unit, less_arm, low, high } = point;
  if (unit !== 'share' || less_arm !== null || low === null || high === null) return point;
  return { ...point, low: Math.max(0, low), high: Math.min(1, high) };
}

function thinnedPoints(points: readonly SeriesPoint[]): readonly SeriesPoint[] {
  const kept = thinned(points.length, [points.map(({ mean }) => mean)], POINTS_MAX);
  return kept.map((row) => points[row] as SeriesPoint);
}

/** A panel; undefined where its axes cannot show any of its values. */
function panelSvg({ title, steps, unit, log, lines }: Panel, top: number): string | undefined {
  const { name, scale } = drawnUnit(unit);
  const points = lines.flatMap((line) => line.points);
  const times = points.map(({ time_ms }) => time_ms);
  const time = timeUnit(Math.max(...times) - Math.min(...times));
  const ends = points.flatMap(({ mean, low, high }) => [mean, low ?? mean, high ?? mean].map((each) => each * scale));
  const xAxis = plotAxis(
    times.map((each) => each / time.ms),
    log.x,
  );
  const yAxis = plotAxis(ends, log.y);
  if (xAxis === undefined || yAxis === undefined) return undefined;
  const bottom = top + TITLE_HEIGHT + PLOT_HEIGHT;
  const x = (value: number): number => rounded(LEFT + xAxis.place(value) * (WIDTH - LEFT - RIGHT));
  const y = (value: number): number => rounded(bottom - yAxis.place(value) * PLOT_HEIGHT);
  // An axis by ratio has no place for the start.
  const isShown = ({ time_ms, mean }: SeriesPoint): boolean => !(log.x && time_ms <= 0) && !(log.y && mean <= 0);
  const pathOf = (row: readonly SeriesPoint[], of: (point: SeriesPoint) => number): string[] =>
    row.flatMap((point, i) => {
      const [left, before] = [x(point.time_ms / time.ms), row[i - 1]];
      const start = steps && before !== undefined ? [`${left},${y(of(before) * scale)}`] : [];
      return [...start, `${left},${y(of(point) * scale)}`];
    });
  return [
    text(8, top + 22, `${title}${name === '' ? '' : ` (${name})`}`, 'start', 14),
    ...yAxis.marks.map((mark) => line(LEFT, y(mark), WIDTH - RIGHT, y(mark), lightOf(mark === 0 ? 'axis' : 'grid'))),
    ...yAxis.marks.map((mark) => text(LEFT - 6, y(mark) + 4, compactText(mark), 'end', 11)),
    ...xAxis.marks.map((mark) => line(x(mark), bottom, x(mark), bottom + 4, lightOf('axis'))),
    ...xAxis.marks.map((mark) => text(x(mark), bottom + 16, compactText(mark), 'middle', 11)),
    text((LEFT + WIDTH - RIGHT) / 2, bottom + 30, time.name, 'middle', 11),
    ...lines.map(({ arm, points: all }) => {
      const row = all.filter(isShown);
      const band = bandOf(row, steps);
      const edge = [...pathOf(band, ({ high }) => high ?? 0), ...pathOf(band, ({ low }) => low ?? 0).toReversed()];
      return `<polygon points="${edge.join(' ')}" fill="${colourOf(arm)}" opacity="0.18"/>`;
    }),
    ...lines.map(({ arm, points: all }) => {
      const row = pathOf(all.filter(isShown), ({ mean }) => mean);
      return `<polyline points="${row.join(' ')}" fill="none" stroke="${colourOf(arm)}" stroke-width="2"/>`;
    }),
  ].join('\n');
}

/** The points that have an interval; in steps the last interval holds until the next point. */
function bandOf(row: readonly SeriesPoint[], steps: boolean): readonly SeriesPoint[] {
  const hasBand = ({ low, high }: SeriesPoint): boolean => low !== null && high !== null;
  return row.flatMap((point, i) => {
    const before = row[i - 1];
    if (hasBand(point)) return [point];
    return steps && before !== undefined && hasBand(before) ? [{ ...before, time_ms: point.time_ms }] : [];
  });
}

function keyRow(name: string, arm: number, y: number): string {
  return `<rect x="12" y="${y + 3}" width="10" height="10" fill="${colourOf(arm)}"/>${text(28, y + 12, name, 'start', 12)}`;
}

function colourOf(arm: number): string {
  return lightOf(CATEGORIES[arm % CATEGORIES.length] ?? 'plain');
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function line(x1: number, y1: number, x2: number, y2: number, colour: string): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" stroke-width="1"/>`;
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end', size: number): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="${FONT}" font-size="${size}" fill="${lightOf('text')}">${xmlText(words)}</text>`;
}
