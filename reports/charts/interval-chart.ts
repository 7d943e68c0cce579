/**
 * Draws estimates of a sweep as an SVG file: a row for each arm with its mean and its 95 % interval, a panel for each measure.
 * Measures over time are drawn by charts.ts.
 */

import { compactText, measureText } from '../../results/numbers.js';
import type { SweepEstimate, SweepSummary } from '../../results/sweep-result.js';
import { shownInterval } from '../experiment/shown-interval.js';
import { xmlText } from '../text/xml.js';
import { lightOf } from './palette.js';
import { type LogAxes, plotAxis } from './plot-axis.js';

const WIDTH = 720;
const LABEL_WIDTH = 230;
const VALUE_WIDTH = 104;
const ROW_HEIGHT = 22;
const TITLE_HEIGHT = 34;
const AXIS_HEIGHT = 30;
const FONT = 'system-ui, sans-serif';
const LAMPORTS_PER_SOL = 1e9;

/** A panel: one measure of all arms that have it. */
interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly rows: readonly { readonly name: string; readonly estimate: SweepEstimate }[];
}

/**
 * The estimates of some measures (as expectations name them: `frozen_share.workers`), each in a panel of its own. Undefined if the
 * sweep has none of them that the axis can show. `command` is the one that makes the file; it is printed below.
 */
export function intervalChart(
  summary: SweepSummary,
  measures: readonly string[],
  log: Pick<LogAxes, 'x'>,
  command: string,
): string | undefined {
  const panels = measures.flatMap((name) => panelOf(summary, name) ?? []);
  if (panels.length === 0) return undefined;
  const heights = panels.map(({ rows }) => TITLE_HEIGHT + rows.length * ROW_HEIGHT + AXIS_HEIGHT);
  const height = heights.reduce((sum, each) => sum + each, 0) + 44;
  let top = 0;
  const drawn = panels.map((panel, i) => {
    const svg = panelSvg(panel, top, log.x);
    top += heights[i] ?? 0;
    return svg;
  });
  if (drawn.some((each) => each === undefined)) return undefined;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${xmlText(`${summary.name}: ${panels.map(({ title }) => title).join(', ')}`)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...drawn,
    text(8, height - 24, 'dot: mean; line: 95 % interval', 'start', 11),
    text(8, height - 8, command, 'start', 9),
    '</svg>\n',
  ].join('\n');
}

function panelOf({ arms, estimates }: SweepSummary, name: string): Panel | undefined {
  const own = estimates.filter(({ measure, group }) => name === (group === null ? measure : `${measure}.${group}`));
  const [first] = own;
  if (first === undefined) return undefined;
  const rows = own.map((estimate) => ({ name: arms[estimate.arm]?.name ?? '', estimate }));
  return { title: name, unit: first.unit, rows };
}

function panelSvg({ title, unit, rows }: Panel, top: number, log: boolean): string | undefined {
  const scale = unit === 'lamports' ? 1 / LAMPORTS_PER_SOL : unit === 'share' ? 100 : 1;
  const unitName = unit === 'lamports' ? 'SOL' : unit === 'share' ? '%' : unit;
  if (log && rows.some(({ estimate }) => estimate.mean <= 0)) return undefined;
  const ends = rows.flatMap(({ estimate }) => [estimate.mean, ...intervalOf(estimate)].map((each) => each * scale));
  const axis = plotAxis(ends, log);
  if (axis === undefined) return undefined;
  const { marks } = axis;
  const left = LABEL_WIDTH;
  const x = (value: number): number => rounded(left + axis.place(value) * (WIDTH - left - VALUE_WIDTH));
  const bottom = top + TITLE_HEIGHT + rows.length * ROW_HEIGHT;
  return [
    text(8, top + 22, `${title}${unitName === '' ? '' : ` (${unitName})`}`, 'start', 14),
    ...marks.map((mark) => line(x(mark), top + TITLE_HEIGHT - 4, x(mark), bottom, lightOf('grid'), 1)),
    ...marks.map((mark) => text(x(mark), bottom + 16, compactText(mark), 'middle', 11)),
    ...rows.map(({ name, estimate }, i) => {
      const y = top + TITLE_HEIGHT + i * ROW_HEIGHT + ROW_HEIGHT / 2;
      const [low, high] = intervalOf(estimate);
      return [
        text(left - 8, y + 4, name, 'end', 12),
        line(x(low * scale), y, x(high * scale), y, lightOf('one'), 3),
        `<circle cx="${x(estimate.mean * scale)}" cy="${y}" r="4" fill="${lightOf('one')}"/>`,
        text(WIDTH - 8, y + 4, measureText(estimate.mean, unit), 'end', 11),
      ].join('');
    }),
  ].join('\n');
}

/** The interval that is shown; the mean alone where there is none. */
function intervalOf(estimate: SweepEstimate): readonly [number, number] {
  return shownInterval(estimate) ?? [estimate.mean, estimate.mean];
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function line(x1: number, y1: number, x2: number, y2: number, colour: string, width: number): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" stroke-width="${width}"/>`;
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end', size: number): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="${FONT}" font-size="${size}" fill="${lightOf('text')}">${xmlText(words)}</text>`;
}
