/**
 * Writes one measure of a simulation as an SVG file of its own. Charts inside the HTML page are planned in
 * chart-plan.ts.
 */

import { kindOfGroup } from '../../results/group-kind.js';
import { measureText } from '../../results/numbers.js';
import type { SimulationResult } from '../../results/simulation-result.js';
import { xmlText } from '../text/xml.js';
import type { ChartLine, TimeChart } from './chart-plan.js';
import { chartSvg } from './charts.js';
import { CATEGORIES, lightOf } from './palette.js';

const WIDTH = 500;
const TITLE_HEIGHT = 34;
const CHART_HEIGHT = 270;
const KEY_HEIGHT = 18;
const FONT = 'system-ui, sans-serif';

/**
 * One measure over time as an SVG file of its own, with title and key: a line for each population; for each option
 * where there is one population, or the one of all agents where it has none. Undefined for a measure that the result does not have.
 */
export function chartFile(result: SimulationResult, measure: string): string | undefined {
  const family = result.series.filter(({ name }) => name === measure);
  const whole = family.find(({ group }) => group === undefined);
  if (whole === undefined) return undefined;
  const groupsOf = (kind: string) => family.filter(({ group }) => group !== undefined && kindOfGroup(group) === kind);
  const populations = groupsOf('population');
  const groups = populations.length < 2 ? groupsOf('option') : populations;
  // The second line of a colour is dashed.
  const lines = (groups.length < 2 ? [whole] : groups).map(({ group, values }, at) => ({
    ...{ label: group ?? 'all agents', values },
    dashed: Math.floor(at / CATEGORIES.length) % 2 === 1,
  }));
  const { label: title, unit } = whole;
  return linesFile({ id: measure, name: result.manifest.scenario.name, title, unit, times_ms: result.times_ms, lines });
}

/** Lines over time of a scenario of this name; after the last colour comes the first. `id` begins the ids inside. */
interface LinesFile extends Pick<TimeChart, 'title' | 'unit' | 'times_ms'> {
  readonly id: string;
  readonly name: string;
  readonly lines: readonly Omit<ChartLine, 'slot'>[];
}

/** Lines over time as an SVG file of its own, with title and key. */
export function linesFile({ id, name, lines: all, ...of }: LinesFile): string {
  const lines = all.map((line, at): ChartLine => ({ ...line, slot: CATEGORIES[at % CATEGORIES.length] ?? 'plain' }));
  const inner = chartSvg({ kind: 'lines', ...of, lines }, id).replace(
    '<svg ',
    `<svg y="${TITLE_HEIGHT}" width="${WIDTH}" height="${CHART_HEIGHT}" `,
  );
  const height = TITLE_HEIGHT + CHART_HEIGHT + KEY_HEIGHT * lines.length + 8;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${xmlText(`${of.title}: ${name}`)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="8" y="22" font-family="${FONT}" font-size="15" fill="${lightOf('text')}">${xmlText(of.title)}</text>`,
    inner,
    ...lines.map((line, i) => keyRow(line, TITLE_HEIGHT + CHART_HEIGHT + KEY_HEIGHT * i, of.unit)),
    '</svg>\n',
  ].join('\n');
}

function keyRow({ label, slot, values, dashed }: ChartLine, y: number, unit: string): string {
  const last = measureText(values.at(-1) ?? 0, unit);
  const marks = dashed === true ? [[12, 4] as const, [18, 4] as const] : [[12, 10] as const];
  return [
    ...marks.map(([x, width]) => `<rect x="${x}" y="${y + 3}" width="${width}" height="10" fill="${lightOf(slot)}"/>`),
    `<text x="28" y="${y + 12}" font-family="${FONT}" font-size="12" fill="${lightOf('text')}">${xmlText(`${label}: ${last} at the end`)}</text>`,
  ].join('');
}
