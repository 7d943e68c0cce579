/** The results of a scenario: charts of all arms with their differences, lines that are switched on and off, bounds, and what can be saved. */

import { CATEGORIES, PALETTE } from '../../../reports/charts/palette.js';
import { thinned } from '../../../reports/charts/thin.js';
import { kindOfGroup } from '../../../results/group-kind.js';
import { numberText, solText } from '../../../results/numbers.js';
import type { SimulationResult } from '../../../results/simulation-result.js';
import type { Bound } from '../../server/simulation/simulation-actions.js';
import type { TotalDifference } from '../../server/simulation/simulation-desk.js';
import { useKept } from '../drafts.js';
import { html, useLive, useState, type VNode } from '../markup.js';
import { choices, figure, panel, pill, table } from '../parts.js';
import { saveFile } from '../save-file.js';
import { ShellCommand } from '../shell-command.js';
import { attempt, samples } from '../store.js';
import { seedWords } from './arm-words.js';
import type { Line } from './charts.js';
import { MeasureChart, type NamedBound } from './measure-chart.js';

/** An arm of which a run has ended. */
export interface Arm extends Pick<SimulationResult, 'question' | 'series' | 'command'> {
  readonly arm: string;
  readonly text: string;
  readonly timesMs: readonly number[];
  /** From the first arm; empty for that one. */
  readonly differences: readonly TotalDifference[];
  /** The first seed, of which are series, files and headlines, and how many successive ones were played. */
  readonly seed: number;
  readonly seeds: number;
  readonly headlines: readonly { readonly label: string; readonly value: string }[];
  readonly expectations: readonly {
    readonly text: string;
    readonly holds: boolean;
    readonly measured: string;
    readonly bound: Bound | null;
  }[];
}

const CHARTS_MAX = 6;
const POINTS_MAX = 600;
const GROUPINGS = [
  ['all', 'All agents'],
  ['class', 'By class'],
  ['population', 'By population'],
  ['option', 'By option'],
] as const;
type Grouping = (typeof GROUPINGS)[number][0];
const WRONG = { '<': 'above', '<=': 'above', '>': 'below', '>=': 'below', '=': 'both' } as const;

/** Lines with the colours of their places, and how the user switches them. */
function useLegend(
  name: string,
): readonly [
  (names: readonly string[]) => VNode | null,
  (line: string, at: number) => Pick<Line, 'colour' | 'isHidden'>,
] {
  const [switched, set] = useKept<readonly string[]>(`simulation/switched/${name}`, []);
  // More lines than colours begin hidden.
  const isHidden = (line: string, at: number): boolean => switched.includes(line) !== at >= CATEGORIES.length;
  const colourOf = (at: number): (typeof PALETTE)[number] =>
    PALETTE.find(({ slot }) => slot === CATEGORIES[at % CATEGORIES.length]) ?? PALETTE[0];
  const toggle = (line: string): void =>
    set(switched.includes(line) ? switched.filter((each) => each !== line) : [...switched, line]);
  const legend = (names: readonly string[]): VNode | null => {
    if (names.length < 2) return null;
    const shown = names.filter((line, at) => !isHidden(line, at)).length;
    return html`<div class="legend" role="group" aria-label="Lines">${names.map((line, at) => html`<button type="button" aria-pressed=${String(!isHidden(line, at))} onClick=${() => toggle(line)}><i class=${`b-${colourOf(at).slot}`}></i>${line}</button>`)}</div>${shown === names.length ? null : html`<p class="soft">${shown} of ${names.length} lines are shown: a press on a name shows or hides its line.</p>`}`;
  };
  return [legend, (line, at) => ({ colour: colourOf(at), isHidden: isHidden(line, at) })];
}

/** Apart from the view, which is not drawn again with each sample. */
export function LiveCharts({ name }: { readonly name: string }): VNode {
  const live = useLive(() => samples.value);
  const arms = Object.entries(live);
  const [legend, look] = useLegend(name);
  const names = Object.keys(arms[0]?.[1].values ?? {}).slice(0, CHARTS_MAX);
  const times = timesOf(arms.map(([, { timesSec }]) => timesSec));
  return html`${legend(arms.map(([arm]) => arm))}<div class="charts">${names.map(
    (
      measure,
    ) => html`<${MeasureChart} key=${measure} title=${nameText(measure)} unit=${measure.endsWith('_lamports') ? 'lamports' : ''} timesSec=${times}
    lines=${arms.map(([arm, { timesSec, values }], at): Line => ({ name: arm, ...look(arm, at), values: along(times, timesSec, values[measure] ?? []) }))} />`,
  )}</div>`;
}

/** The times at which some arm has a sample. */
function timesOf(arms: readonly (readonly number[])[]): readonly number[] {
  const longest = arms.toSorted((a, b) => b.length - a.length)[0] ?? [];
  if (arms.every((times) => times.every((time, at) => time === longest[at]))) return longest;
  return [...new Set(arms.flat())].toSorted((a, b) => a - b);
}

/** Values at their own times, at each of all times; null where there is none. */
function along(all: readonly number[], own: readonly number[], values: readonly number[]): readonly (number | null)[] {
  if (own.every((time, at) => time === all[at])) return values;
  const found = new Map(own.map((time, at) => [time, values[at] ?? null]));
  return all.map((time) => found.get(time) ?? null);
}

/** A scenario that has been played. */
export function Played({ name, arms }: { readonly name: string; readonly arms: readonly Arm[] }): VNode {
  const [base] = arms;
  const [grouping, group] = useKept<Grouping>('simulation/grouping', 'all');
  const [chosen, choose] = useKept<readonly string[]>(`simulation/measures/${name}`, []);
  const [legend, look] = useLegend(`${name}/${grouping}`);
  const [open, setOpen] = useState(false);
  if (base === undefined) return html`<p class="empty">The run was stopped before its end.</p>`;
  const measures = telling(arms);
  const few = measures.filter((series) =>
    chosen.length === 0 ? measures.indexOf(series) < CHARTS_MAX : chosen.includes(series.name),
  );
  const times = timesOf(arms.map(({ timesMs }) => timesMs));
  const groups = groupsOf(base, grouping);
  const timesSec = times.map((ms) => ms / 1_000);
  const valuesOf = (measure: string, { timesMs, series }: Arm, group: string | undefined): Line['values'] =>
    along(times, timesMs, series.find((one) => one.name === measure && one.group === group)?.values ?? []);
  const named = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(', ');
  const kinds = [
    ...groups.flatMap((of) =>
      arms.map((arm) => ({
        name: named(arms.length > 1 || of === undefined ? arm.arm : '', of),
        valuesIn: (measure: string) => valuesOf(measure, arm, of),
      })),
    ),
    ...groups.flatMap((of) =>
      arms.slice(1).map((arm) => ({
        name: named(`${arm.arm} − ${base.arm}`, of),
        dashed: true,
        valuesIn: (measure: string) => minus(valuesOf(measure, arm, of), valuesOf(measure, base, of)),
      })),
    ),
  ].map((kind, at) => ({ ...kind, ...look(kind.name, at) }));
  const linesOf = (measure: string): readonly Line[] =>
    kinds.map(({ valuesIn, ...kind }) => ({ ...kind, values: valuesIn(measure) }));
  const save = async (series: Arm['series'][number], lines: readonly Line[]): Promise<void> => {
    const rows = thinned(
      times.length,
      lines.map(({ values }) => values.map((value) => value ?? Number.NaN)),
      POINTS_MAX,
    );
    const at = <T>(list: readonly T[]) => rows.map((row) => list[row] ?? null);
    const chart = { id: series.name, name, title: series.label, unit: series.unit, times_ms: at(times) };
    const answer = await attempt<{ readonly text: string }>('simulation/chart', {
      ...chart,
      lines: lines.map((line) => ({ label: line.name, values: at(line.values), dashed: line.dashed === true })),
    });
    if (answer !== undefined) saveFile(`${name}.${series.name}.svg`, answer.text);
  };
  const toggle = (measure: string): void => {
    const now = few.map((series) => series.name);
    choose(now.includes(measure) ? now.filter((each) => each !== measure) : [...now, measure]);
  };
  return html`${arms.slice(1).map(({ arm, differences: own }) => panel(arms.length > 2 ? `What ${arm} does` : 'What the change does', differenceTable(own), html`<span class="soft">${own[0]?.interval === null ? 'one pair: no interval; give more seeds' : 'mean of the pairs, with its interval of 95 %'}</span>`))}
    ${base.seeds > 1 ? html`<p class="soft">Figures, charts, expectations and files are of ${seedWords(base)}.</p>` : null}
    <dl class="figures">${base.headlines.slice(0, 5).map(({ label, value }) => figure(label, value))}</dl>
    <div class="tools">${choices(
      'Lines',
      GROUPINGS.filter(([id]) => id === 'all' || groupsOf(base, id).length > 1),
      grouping,
      group,
    )}
      <button type="button" onClick=${() => import('./charts.js').then(({ showWhole }) => showWhole())}>Whole time</button>
      <details open=${open} onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}><summary>Measures</summary>${open ? html`<fieldset class="measures"><legend class="unseen">Measures</legend>${measures.map((series) => html`<label><input type="checkbox" checked=${few.includes(series)} onChange=${() => toggle(series.name)} />${series.label}</label>`)}</fieldset>` : null}</details></div>
    ${legend(kinds.map((kind) => kind.name))}
    <div class="charts">${few.map((series) => html`<${MeasureChart} key=${`done ${series.name}`} title=${series.label} unit=${series.unit} timesSec=${timesSec} lines=${linesOf(series.name)} bounds=${boundsOf(arms, series.name, groups)} save=${(lines: readonly Line[]) => save(series, lines)} />`)}</div>
    ${arms.map((arm) => html`${arm.expectations.length === 0 ? null : panel(`Expectations, ${arm.arm} arm`, html`<ul class="evidence">${arm.expectations.map(({ text, holds, measured }) => html`<li>${pill(holds ? 'passes' : 'fails', holds ? 'good' : 'bad')} <code>${text}</code> <span class="soft">${measured}</span></li>`)}</ul>`)}<${ShellCommand} text=${arm.command} /><${Exports} arm=${arm.arm} of=${name} files=${arm === base ? FILES : [...FILES, DIFFERENCES]} seed=${seedWords(arm)} />`)}`;
}

function groupsOf({ series }: Arm, grouping: Grouping): readonly (string | undefined)[] {
  if (grouping === 'all') return [undefined];
  return [
    ...new Set(series.flatMap(({ group }) => (group !== undefined && kindOfGroup(group) === grouping ? [group] : []))),
  ];
}

function minus(one: Line['values'], other: Line['values']): Line['values'] {
  return one.map((value, at) => (value === null || other[at] == null ? null : value - (other[at] ?? 0)));
}

/** The bounds of a measure; one passes where it does in every arm. */
function boundsOf(
  arms: readonly Arm[],
  measure: string,
  groups: readonly (string | undefined)[],
): readonly NamedBound[] {
  const found = new Map<string, NamedBound>();
  for (const { text, holds, bound } of arms.flatMap(({ expectations }) => expectations)) {
    if (bound === null || bound.measure !== measure || !groups.includes(bound.group ?? undefined)) continue;
    const span = { fromSec: bound.fromMs / 1_000, toSec: bound.toMs / 1_000 };
    const both = holds && (found.get(text)?.holds ?? true);
    found.set(text, { text, value: bound.value, ...span, wrong: WRONG[bound.comparison], holds: both });
  }
  return [...found.values()];
}

const FILES = [
  ['CSV', 'measures.csv', 'csv'],
  ['Parquet', 'measures.parquet', 'parquet'],
  ['Scenario', 'scenario.yaml', 'yaml'],
] as const;
const DIFFERENCES = ['Differences', 'differences.csv', 'differences.csv'] as const;

/** Saves the files of an arm or of a sweep, each by a click. */
export function Exports({
  arm,
  of,
  files,
  seed = '',
}: {
  readonly arm: string;
  /** The seed that the files are of, in words. */
  readonly seed?: string;
  readonly of: string;
  /** Each with the end of the name under which it is saved. */
  readonly files: readonly (readonly [label: string, file: string, ending: string])[];
}): VNode {
  const save = async (file: string, ending: string): Promise<void> => {
    const answer = await attempt<{ readonly text?: string; readonly base64?: string }>('simulation/file', {
      arm,
      name: file,
      of,
    });
    if (answer === undefined) return;
    const stem = [of.replace('sweep/', ''), arm].join('.').replaceAll(/[^A-Za-z0-9.-]+/g, '-');
    const bytes = Uint8Array.from(atob(answer.base64 ?? ''), (each) => each.charCodeAt(0));
    saveFile(`${stem}.${ending}`, answer.text ?? bytes);
  };
  return html`<p class="steps" role="group" aria-label=${`Save ${arm}`}><span class="soft">Save ${arm}${seed === '' ? '' : `, ${seed}`}:</span>${files.map(([label, file, ending]) => html`<button type="button" onClick=${() => save(file, ending)}>${label}</button>`)}</p>`;
}

/** The measures of all agents: those that differ between the arms come first, those that never change last. */
function telling([base, ...others]: readonly Arm[]): Arm['series'] {
  const rank = ({ name, values }: Arm['series'][number]): number => {
    const differs = others.some(({ series }) => {
      const other = series.find((each) => each.name === name && each.group === undefined)?.values ?? values;
      return values.some((value, at) => value !== other[at]);
    });
    if (differs) return 0;
    return values.some((value) => value !== values.at(-1)) ? 1 : 2;
  };
  return (base?.series ?? []).filter(({ group }) => group === undefined).toSorted((a, b) => rank(a) - rank(b));
}

const nameText = (name: string): string => name.replace(/_lamports$/u, '').replaceAll('_', ' ');

function differenceTable(differences: readonly TotalDifference[]): VNode {
  const moved = differences.filter(({ difference }) => difference !== 0);
  const clear = (each: TotalDifference): boolean =>
    each.interval !== null && (each.interval[0] > 0 || each.interval[1] < 0);
  const number = (total: string, value: number): string =>
    total.endsWith('lamports')
      ? solText(value)
      : Number.isInteger(value)
        ? numberText(value)
        : String(Number(value.toPrecision(4)));
  return table<TotalDifference>(
    'Paired differences',
    [
      { name: 'total', of: ({ total }) => nameText(total) },
      {
        name: 'difference',
        numeric: true,
        of: ({ total, difference, interval }) =>
          html`<b>${difference > 0 ? '+' : ''}${number(total, difference)}</b>${interval === null ? null : html`<br /><small class="soft">${interval.map((end) => number(total, end).replace(' SOL', '')).join(' to ')}</small>`}`,
      },
      ...(differences[0]?.interval === null
        ? []
        : [
            {
              name: 'verdict',
              of: (each: TotalDifference) => (clear(each) ? pill('clear', 'good') : pill('may be chance', 'plain')),
            },
          ]),
      { name: 'base', numeric: true, of: ({ total, base }) => number(total, base) },
      { name: 'changed', numeric: true, of: ({ total, changed }) => number(total, changed) },
    ],
    moved,
    'Nothing is different: this number does not matter to this population.',
  );
}
