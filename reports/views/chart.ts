/** Charts as figures: lines or areas over protocol time, bars, arms with their bands. Each has its numbers as a table below. */

import { compactText, durationText, measureText, numberText } from '../../results/numbers.js';
import { shortLine } from '../../results/visible.js';
import { axisStep } from '../charts/axis-step.js';
import type { BarChart, Chart, ChartLine, TimeChart } from '../charts/chart-plan.js';
import { drawnUnit, roundTop, shownTop, timeUnit } from '../charts/chart-scale.js';
import { shortPath } from '../charts/svg-path.js';
import { thinned } from '../charts/thin.js';
import { html, type Markup } from './markup.js';
import { DataTable } from './parts.js';

/** A chart, and the beginning of the ids in its figure. */
interface ChartProps<Kind = Chart> {
  readonly chart: Kind;
  readonly id: string;
  /** The figure is as wide as the page. */
  readonly wide?: boolean;
}

/** The drawing is this many units wide and high, whatever the size of the page. */
const SIZE = 1000;
const POINTS_MAX = 320;
const TABLE_ROWS_MAX = 29;
/** Lines that a text alternative describes at most. */
const LINES_IN_WORDS_MAX = 8;

/** A chart of any kind with its title, its key and its table. */
export function ChartFigure({ chart, id, wide = false }: ChartProps): Markup {
  const content = chart.kind === 'bars' ? bars(chart) : timeContent(chart, id);
  return html`<figure class=${wide ? 'chart card broad' : 'chart card'} aria-labelledby="${id}-title"><figcaption>${wide ? html`<h3 id="${id}-title">${chart.title}</h3>` : html`<h4 id="${id}-title">${chart.title}</h4>`}</figcaption>${content}</figure>`;
}

function timeContent(chart: TimeChart, id: string): Markup {
  const rows = spread(chart.times_ms.length);
  return html`${plot(chart, rows, id)}<p class="unseen" id="${id}-text">${linesInWords(chart)}</p>${key(chart)}${heightNote(chart)}
<details class="data"><summary>The numbers</summary>${numbers(chart, rows)}</details>`;
}

/** The places of the samples in the table: the first, the last, and what lies evenly between. */
function spread(length: number): readonly number[] {
  const count = Math.min(length, TABLE_ROWS_MAX);
  return Array.from({ length: count }, (_, at) => (count < 2 ? 0 : Math.round((at * (length - 1)) / (count - 1))));
}

function plot(chart: TimeChart, rows: readonly number[], id: string): Markup {
  const { times_ms: times, lines } = chart;
  const { name, scale } = drawnUnit(chart.unit);
  const [start, end] = [times[0] ?? 0, times[times.length - 1] ?? 0];
  const unit = timeUnit(end - start);
  const x = (ms: number): number => Math.round((SIZE * (ms - start)) / Math.max(1, end - start));
  const stack = chart.kind === 'areas' ? stacked(lines) : lines.map(({ values }) => values);
  const [least, greatest] = [
    -maxOf(stack.map((values) => maxOf(values.map((value) => -value)))),
    maxOf(stack.map(maxOf)),
  ];
  const top = roundTop((shownTop(chart) ?? greatest) * scale || 1);
  const low = least < 0 ? -roundTop(-least * scale) : 0;
  const share = (value: number): number => (top - value) / (top - low);
  const y = (value: number): number => Math.max(0, Math.round(SIZE * share(value * scale)));
  const shown = thinned(times.length, stack, POINTS_MAX);
  const path = (values: readonly number[], below?: readonly number[]): string =>
    pathOf(
      shown,
      (row) => x(times[row] ?? 0),
      (row) => y(values[row] ?? Number.NaN),
      below && ((row) => y(below[row] ?? 0)),
    );
  const drawn = lines.map(({ slot }, at) => {
    const values = stack[at] ?? [];
    return chart.kind === 'areas'
      ? html`<path class="f-${slot}" d=${path(values, stack[at - 1] ?? values.map(() => 0))} />`
      : html`<path class="s-${slot}" d=${path(values)} />`;
  });
  const ticks = [
    ...ticksTo(-low)
      .slice(1)
      .map((tick) => -tick),
    ...ticksTo(top),
  ];
  return html`<p class="unit" aria-hidden="true">${shortLine(name, 24)}</p><div class="plot" data-at=${rows.map((row) => x(times[row] ?? 0)).join(' ')}>
<div class="y" aria-hidden="true">${ticks.map((tick) => html`<span style="top:${Number((100 * share(tick)).toFixed(2))}%">${compactText(tick)}</span>`)}</div>
<svg role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text" viewBox="0 0 ${SIZE} ${SIZE}" preserveAspectRatio="none"><path class="lines" d=${ticks.map((tick) => `M0 ${y(tick / scale)}H${SIZE}`).join('')} />${drawn}</svg>
<div class="x" aria-hidden="true">${ticksTo((end - start) / unit.ms).map((tick) => html`<span style="left:${x(start + tick * unit.ms) / 10}%">${compactText(tick + Math.round(start / unit.ms))}</span>`)}</div>
</div><p class="unit end" aria-hidden="true">${unit.name}</p>`;
}

function maxOf(values: readonly number[]): number {
  return values.reduce((most, value) => (value > most ? value : most), 0);
}

/** Each line on top of those before it. */
function stacked(lines: readonly ChartLine[]): readonly (readonly number[])[] {
  const sums: number[][] = [];
  for (const { values } of lines) {
    const below = sums.at(-1);
    sums.push(values.map((value, row) => (Number.isFinite(value) ? value : 0) + (below?.[row] ?? 0)));
  }
  return sums;
}

function ticksTo(top: number): readonly number[] {
  if (top === 0) return [0];
  const step = axisStep(top > 0 ? top : 1);
  const count = Math.floor(top / step + 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(6)));
}

/** The path of a line; with a lower edge, that of an area. A line has a gap where a measure had no value. */
function pathOf(
  rows: readonly number[],
  x: (row: number) => number,
  y: (row: number) => number,
  below?: (row: number) => number,
): string {
  let letter = 'M';
  const upper = rows.map((row) => {
    const height = y(row);
    const piece = Number.isFinite(height) ? `${letter}${x(row)} ${height}` : '';
    letter = piece === '' ? 'M' : 'L';
    return piece;
  });
  const lower = below === undefined ? [] : [...rows.toReversed().map((row) => `L${x(row)} ${below(row)}`), 'Z'];
  return shortPath([...upper, ...lower].join(''));
}

function key({ lines, unit }: TimeChart): Markup {
  const items = lines.map(
    ({ label, slot, values }) =>
      html`<li><span class="swatch b-${slot}"></span>${shortLine(label, 60)} <b>${lastText(values, unit)}</b></li>`,
  );
  return html`<ul class="key">${items}</ul>`;
}

/** Where the lines begin above the top of the chart, says how high they reach. */
function heightNote(chart: TimeChart): Markup {
  if (shownTop(chart) === undefined) return undefined;
  const greatest = maxOf(chart.lines.map(({ values }) => maxOf(values)));
  return html`<p class="why">At the beginning it reaches ${measureText(greatest, chart.unit)}, above the top of the chart.</p>`;
}

function lastText(values: readonly number[], unit: string): string {
  return measureText(values[values.length - 1] ?? Number.NaN, unit);
}

function linesInWords({ kind, lines, unit, times_ms: times }: TimeChart): string {
  const span = durationText((times[times.length - 1] ?? 0) - (times[0] ?? 0));
  const sentences = lines.slice(0, LINES_IN_WORDS_MAX).map(({ label, values }) => {
    const first = measureText(values[0] ?? Number.NaN, unit);
    return `${label} from ${first} to ${lastText(values, unit)}, at most ${measureText(
      values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
      unit,
    )}`;
  });
  return `${kind === 'areas' ? 'Stacked areas' : 'Lines'} over ${span}. ${sentences.join('; ')}.`;
}

function numbers({ title, lines, unit, times_ms: times }: TimeChart, rows: readonly number[]): Markup {
  return DataTable({
    label: `${title}: the numbers`,
    heads: ['time', ...lines.map(({ label }) => `#${shortLine(label, 60)}`)],
    rows: rows.map((row) => [
      durationText(times[row] ?? 0),
      ...lines.map(({ values }) => measureText(values[row] ?? Number.NaN, unit)),
    ]),
    plain: true,
  });
}

/** Bars that are their own table: each row has its parts end to end, and their numbers. */
function bars({ title, rows, parts, unit }: BarChart): Markup {
  const sums = rows.map((_, row) => parts.reduce((sum, { values }) => sum + (values[row] ?? 0), 0));
  const greatest = maxOf(sums) || 1;
  const piece =
    (row: number) =>
    ({ slot, values }: BarChart['parts'][number]): Markup =>
      html`<span class="b-${slot}" style="width:${Number(((100 * (values[row] ?? 0)) / greatest).toFixed(2))}%"></span>`;
  return DataTable({
    label: title,
    heads: [unit, 'bar', ...parts.map(({ label }) => `#${label}`)],
    rows: rows.map((row, at) => [
      row,
      html`<span class="hbar" aria-hidden="true">${parts.map(piece(at))}</span>`,
      ...parts.map(({ values }) => numberText(values[at] ?? 0)),
    ]),
    plain: true,
  });
}

/** An arm with its mean and its interval; null where there are too few runs for one. */
interface Band {
  readonly name: string;
  readonly mean: number;
  readonly interval: readonly [number, number] | null;
  readonly runs: number;
}

/** A measure of some arms. */
interface BandsProps {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly bands: readonly Band[];
}

/** Arms with their bands, all on one scale, as a table of their numbers. */
export function ArmBands({ id, title, unit, bands }: BandsProps): Markup {
  const edges = bands.flatMap(({ mean, interval }) => [mean, ...(interval ?? [])]);
  const [low, high] = [Math.min(...edges), Math.max(...edges)];
  const text = (value: number): string => measureText(value, unit);
  const place = (value: number): number =>
    Number((high === low ? 50 : 4 + (92 * (value - low)) / (high - low)).toFixed(2));
  const rows = bands.map(({ name, mean, interval, runs }) => {
    const [from, to] = interval ?? [mean, mean];
    const band = html`<span class="band" aria-hidden="true"><span style="left:${place(from)}%;width:${Math.max(0, place(to) - place(from))}%"></span><i style="left:${place(mean)}%"></i></span>`;
    const between = interval === null ? undefined : html`<small>${text(from)} to ${text(to)}</small>`;
    return [name, band, html`${text(mean)}${between}`, numberText(runs)];
  });
  const heads = ['arm', 'band', '#mean, 95 % interval', '#runs'];
  return html`<figure class="chart card bands" aria-labelledby="${id}-title"><figcaption><h4 id="${id}-title">${title}</h4><p class="why">${text(low)} to ${text(high)}</p></figcaption>${DataTable({ label: title, heads, rows, plain: true })}</figure>`;
}
