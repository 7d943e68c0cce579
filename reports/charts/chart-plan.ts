/**
 * Decides which charts a simulation's page has and which lines each shows. Nothing is drawn here: charts.ts does that.
 */

import { kindOfGroup } from '../../results/group-kind.js';
import type { Series, SimulationResult } from '../../results/simulation-result.js';
import { refusalsByCode, refusedOf } from '../simulation/simulation-view.js';
import { CATEGORIES, type Slot } from './palette.js';

/** One line or area of a chart: a value for each time of the chart. */
export interface ChartLine {
  readonly label: string;
  readonly slot: Slot;
  readonly values: readonly number[];
  readonly dashed?: boolean;
}

/** A chart over protocol time. Areas are stacked, because they add up to a whole. */
export interface TimeChart {
  readonly kind: 'lines' | 'areas';
  readonly title: string;
  readonly unit: string;
  readonly times_ms: readonly number[];
  readonly lines: readonly ChartLine[];
  /** The kind of groups that the lines are of; absent: of none. */
  readonly by?: 'class' | 'population' | 'option';
}

/** Horizontal bars, one for each row; the parts of a row are placed end to end. */
export interface BarChart {
  readonly kind: 'bars';
  readonly title: string;
  readonly unit: string;
  readonly rows: readonly string[];
  readonly parts: readonly { readonly label: string; readonly slot: Slot; readonly values: readonly number[] }[];
}

export type Chart = TimeChart | BarChart;

const TIME_CHARTS_MAX = 14;
const BARS_MAX = 12;

/** Measures that count the agents of one status, from the bottom of the stack to its top. */
const STATUSES: readonly { readonly name: string; readonly slot: Slot }[] = [
  { name: 'active', slot: 'good' },
  { name: 'warning', slot: 'warm' },
  { name: 'frozen', slot: 'cold' },
  { name: 'refused', slot: 'bad' },
];

/** All series of one measure: that of all agents, those of the classes, those of the populations. */
type Family = readonly Series[];

/**
 * The charts of a simulation, the most informative first: statuses, money, the other measures, then operations and refusals. A
 * measure that is zero from beginning to end has no chart of its own.
 */
export function planCharts(result: SimulationResult): readonly Chart[] {
  const families = gathered(result.series, ({ name }) => name).filter(moves);
  const statuses = statusChart(families, result.times_ms);
  const rest = statuses === undefined ? families : families.filter((family) => !isStatus(family));
  const charts = gathered(rest, kinship).flatMap((relatives) => kinCharts(relatives, result.times_ms));
  const overTime = [...(statuses === undefined ? [] : [statuses]), ...charts.sort((a, b) => rank(a) - rank(b))];
  return [...(result.times_ms.length > 1 ? overTime.slice(0, TIME_CHARTS_MAX) : []), ...operationCharts(result)];
}

/** Money that adds up, shares, counts, prices; all of these by class before any by option, then by population. Shares of options come first. */
function rank({ kind, unit, by }: TimeChart): number {
  const units = ['share', '', 'agents'];
  const place = kind === 'areas' ? 0 : units.includes(unit) ? 1 + units.indexOf(unit) : 1 + units.length;
  if (by === 'option') return unit === 'share' ? -1 : 5 + place;
  return by === 'population' ? 10 + place : place;
}

/** Groups items of the same key, in the order in which each key first appears. */
function gathered<T>(list: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  const sets = new Map<string, T[]>();
  for (const one of list) sets.set(keyOf(one), [...(sets.get(keyOf(one)) ?? []), one]);
  return [...sets.values()];
}

function moves(family: Family): boolean {
  return family.some(({ values }) => values.some((value) => value !== 0));
}

function isStatus([first]: Family): boolean {
  return first?.unit === 'agents' && [...STATUSES.map(({ name }) => name), 'registered'].includes(first.name);
}

/** Agents by status, where at least two statuses are measured for all agents. */
function statusChart(families: readonly Family[], times: readonly number[]): TimeChart | undefined {
  const wholeOf = (name: string): readonly number[] | undefined =>
    families.find((family) => isStatus(family) && family[0]?.name === name)?.find(isOfAll)?.values;
  const lines = STATUSES.flatMap(({ name, slot }) => {
    const values = wholeOf(name);
    return values === undefined ? [] : [{ label: name, slot, values }];
  });
  if (lines.length < 2) return undefined;
  const registered = wholeOf('registered');
  const parts = lines.map(({ values }) => values);
  // Statuses that together are more than all agents overlap, and a stack of them would say something untrue.
  const stacks = registered === undefined || registered.every((all, row) => sumAt(parts, row) <= all);
  const chart = { title: 'Agents by status', unit: 'agents', times_ms: times };
  if (stacks) return { ...chart, kind: 'areas', lines };
  return { ...chart, kind: 'lines', lines: [...lines, { label: 'registered', slot: 'plain', values: registered }] };
}

function sumAt(parts: readonly (readonly number[])[], row: number): number {
  return parts.reduce((sum, values) => sum + (values[row] ?? 0), 0);
}

function isOfAll({ group }: Series): boolean {
  return group === undefined;
}

/** Measures of one unit whose names begin with the same word, as `resyncs` and `resyncs_refused`, share a chart; so do the parts of the fees. */
function kinship([first]: Family): string {
  return `${first?.unit ?? ''} ${/^(?:fees_to|[^_]*)/.exec(first?.name ?? '')?.[0] ?? ''}`;
}

function kinCharts(relatives: readonly Family[], times: readonly number[]): TimeChart[] {
  const wholes = relatives.flatMap((family) => family.find(isOfAll) ?? []);
  if (relatives.length === 1 || wholes.length < 2) return relatives.flatMap((family) => groupCharts(family, times));
  const lines = wholes.map(({ label, values }, at) => ({ label, slot: category(at), values }));
  const title = commonStart(wholes.map(({ label }) => label));
  return [{ kind: 'lines', title, unit: wholes[0]?.unit ?? '', times_ms: times, lines }];
}

/** The words that all labels begin with, or all labels without such words: `Heartbeats` of accepted and refused ones. */
function commonStart(labels: readonly string[]): string {
  const words = labels.map((label) => label.split(' '));
  const [first = []] = words;
  const length = first.findIndex((word, at) => words.some((other) => other[at] !== word));
  return (length < 0 ? first : first.slice(0, length)).join(' ') || labels.join(', ');
}

/** A measure by class, by population and by option, where there are several of these. */
function groupCharts(family: Family, times: readonly number[]): TimeChart[] {
  const whole = family.find(isOfAll);
  const groupings = (['class', 'population', 'option'] as const)
    .map((by) => ({ by, members: family.filter(({ group }) => group !== undefined && kindOfGroup(group) === by) }))
    .filter(({ members }) => members.length > 1);
  if (groupings.length === 0) return plainChart(whole ?? family[0], times);
  return groupings.map(({ by, members }) => {
    const sums = addsUp(members, whole);
    const areas = sums && members[0]?.unit === 'lamports';
    const lines = members.map(({ group, values }, at) => line(group ?? '', category(at), values));
    // A share or a price of all lies among those of the groups; a sum of all would press the groups to the ground.
    const all = sums || whole === undefined || !liesAmong(members, whole) ? [] : [line('all', 'plain', whole.values)];
    return {
      kind: areas ? 'areas' : 'lines',
      title: `${members[0]?.label ?? ''}, by ${by}`,
      unit: members[0]?.unit ?? '',
      times_ms: times,
      lines: [...all, ...lines],
      by,
    };
  });
}

function plainChart(series: Series | undefined, times: readonly number[]): TimeChart[] {
  if (series === undefined) return [];
  const { label, unit, group, values } = series;
  return [
    { kind: 'lines', title: label, unit, times_ms: times, lines: [{ label: group ?? 'all', slot: 'one', values }] },
  ];
}

function line(label: string, slot: Slot, values: readonly number[]): ChartLine {
  return { label, slot, values };
}

function liesAmong(members: readonly Series[], { values: whole }: Series): boolean {
  return whole.every((value, row) => members.some(({ values }) => value <= (values[row] ?? 0)));
}

function addsUp(members: readonly Series[], whole: Series | undefined): boolean {
  const parts = members.map(({ values }) => values);
  return whole?.values.every((value, row) => sumAt(parts, row) === value) ?? false;
}

function category(at: number): Slot {
  return CATEGORIES[at % CATEGORIES.length] ?? 'plain';
}

function operationCharts({ manifest: { operations } }: SimulationResult): BarChart[] {
  const kinds = operations.by_kind
    .map((kind) => ({ kind: kind.kind, accepted: kind.accepted, refused: refusedOf(kind) }))
    .filter(({ accepted, refused }) => accepted + refused > 0)
    .sort((a, b) => b.accepted + b.refused - (a.accepted + a.refused) || (a.kind < b.kind ? -1 : 1))
    .slice(0, BARS_MAX);
  const codes = refusalsByCode(operations.by_kind).slice(0, BARS_MAX);
  const byKind: BarChart = {
    kind: 'bars',
    title: 'Operations by kind',
    unit: 'operations',
    rows: kinds.map(({ kind }) => kind),
    parts: [
      { label: 'accepted', slot: 'good', values: kinds.map(({ accepted }) => accepted) },
      { label: 'refused', slot: 'bad', values: kinds.map(({ refused }) => refused) },
    ],
  };
  const byCode: BarChart = {
    kind: 'bars',
    title: 'Refusals by code',
    unit: 'refusals',
    rows: codes.map(({ code }) => code),
    parts: [{ label: 'refused', slot: 'bad', values: codes.map(({ count }) => count) }],
  };
  return [...(kinds.length > 0 ? [byKind] : []), ...(codes.length > 0 ? [byCode] : [])];
}
