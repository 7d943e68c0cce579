/** Counts, orders and words that several writers of a simulation's result share. It writes no report. */

import { kindOfGroup } from '../../results/group-kind.js';
import { countText, durationText, measureText, numberText, totalText } from '../../results/numbers.js';
import type {
  CensoredGrowth,
  ExpectationResult,
  NoEffect,
  OperationCount,
  SimulationResult,
} from '../../results/simulation-result.js';

/** Refusals of one code. */
interface CodeCount {
  readonly code: string;
  readonly count: number;
}

/** The refusals of all kinds together, by code, the most frequent first and equal counts by code. */
export function refusalsByCode(kinds: readonly OperationCount[]): readonly CodeCount[] {
  const codes = new Map<string, number>();
  for (const { refused } of kinds) {
    for (const [code, count] of Object.entries(refused)) codes.set(code, (codes.get(code) ?? 0) + count);
  }
  return [...codes]
    .map(([code, count]) => ({ code, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

/** How many calls of one kind were refused, whatever the code. */
export function refusedOf(kind: OperationCount): number {
  return Object.values(kind.refused).reduce((sum, count) => sum + count, 0);
}

/** A number of the simulation as a reader wants it. */
interface Headline {
  readonly label: string;
  readonly value: string;
}

/** The totals in their order; one that has the name of a measure has its label and unit. */
export function headlines({ totals, series }: Pick<SimulationResult, 'totals' | 'series'>): readonly Headline[] {
  return Object.entries(totals).map(([name, total]) => {
    const measure = series.find((one) => one.name === name);
    if (measure === undefined) {
      const { label, value } = totalText(name, total);
      return { label: label.charAt(0).toUpperCase() + label.slice(1), value };
    }
    return { label: measure.label, value: measureText(total, measure.unit) };
  });
}

/** The totals that say most, where a scenario has them. */
const TELLING = ['heartbeats', 'fees_lamports', 'frozen_share'];

/** A few headlines: the most informative totals, filled up with the first others. */
export function fewHeadlines(
  { totals, series }: Pick<SimulationResult, 'totals' | 'series'>,
  count = TELLING.length,
): readonly Headline[] {
  const names = Object.keys(totals);
  const chosen = [
    ...TELLING.filter((name) => names.includes(name)),
    ...names.filter((name) => !TELLING.includes(name)),
  ];
  const few = chosen.slice(0, count).map((name) => [name, totals[name] ?? Number.NaN]);
  return headlines({ totals: Object.fromEntries(few), series });
}

/** The measures of an option at the end that are shown, with a short label. */
const OF_OPTIONS = [
  ['present_share', 'share'],
  ['present', 'present'],
  ['switches', 'switches to it'],
  ['profit_day_lamports', 'profit a day'],
] as const;

/** Of each option of a population, those of these that are measured, at the end. */
export function optionTable({ series }: Pick<SimulationResult, 'series'>): {
  readonly heads: readonly string[];
  readonly rows: readonly { readonly group: string; readonly values: readonly string[] }[];
} {
  const options = series.filter(({ group }) => group !== undefined && kindOfGroup(group) === 'option');
  const groups = [...new Set(options.flatMap(({ group }) => group ?? []))];
  const shown = OF_OPTIONS.filter(([measure]) => options.some(({ name }) => name === measure));
  return {
    heads: shown.map(([, label]) => label),
    rows: groups.map((group) => ({
      group,
      values: shown.map(([measure]) => {
        const found = options.find((each) => each.name === measure && each.group === group);
        return measureText(found?.values.at(-1) ?? Number.NaN, found?.unit ?? '');
      }),
    })),
  };
}

/** The measured value of an expectation, in the unit of the measure that its text begins with, or why there is none. */
export function measuredText({ text, measured, no_value }: Omit<ExpectationResult, 'holds'>): string {
  if (no_value === true) return 'no value: it divides by nothing';
  return totalText(/^\s*(?<name>\w*)/u.exec(text)?.groups?.['name'] ?? '', measured).value;
}

/** `the count of sybils (300) ended its growth at 3d: 12 births prevented`. */
export function censoredText({ population, count, at_ms, births_prevented }: CensoredGrowth): string {
  const births = countText(births_prevented, 'birth');
  return `the count of ${population} (${numberText(count)}) ended its growth at ${durationText(at_ms)}: ${births} prevented`;
}

/** `interventions.0 has no effect: no key was revoked`. */
export function noEffectText({ key, text }: NoEffect): string {
  return `${key} has no effect: ${text}`;
}

/** `3 of 4 expectations pass`. */
export function heldText({ expectations }: Pick<SimulationResult, 'expectations'>): string {
  if (expectations.length === 0) return 'nothing was expected';
  const passed = expectations.filter((expectation) => expectation.holds).length;
  const all = `${expectations.length} ${expectations.length === 1 ? 'expectation' : 'expectations'}`;
  return `${passed} of ${all} ${passed === 1 ? 'passes' : 'pass'}`;
}
