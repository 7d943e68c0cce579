/** The language of expectations: a measure, a comparison, a value, a time. Judging them is in the simulator's run/. */

import { didYouMean } from '../spec/nearest-name.js';
import { type MeasureName, type MeasureUnit, measureNames, measures } from './measures.js';
import { parseDurationSec, parseLamports } from './units.js';

const COMPARISONS = ['<', '<=', '>', '>=', '='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** The samples of an expectation: the last one, the one at a moment, or all from a moment on. */
export type ExpectationTime =
  | { readonly kind: 'end' }
  | { readonly kind: 'at'; readonly sec: number }
  | { readonly kind: 'after'; readonly sec: number };

/** A statement about a measure, such as `frozen_share.workers < 5% after 7d`. */
export interface Expectation<M extends string = MeasureName> {
  /** As written. */
  readonly text: string;
  readonly measure: M;
  /** A class or a population; null for all agents. */
  readonly group: string | null;
  readonly comparison: Comparison;
  /** In the unit of the measure. */
  readonly value: number;
  readonly time: ExpectationTime;
}

/** The groups and the time that an expectation may name in its scenario. */
interface ExpectationScope<M extends string = MeasureName> {
  readonly groups: readonly string[];
  readonly durationSec: number;
  /** The units of names that are measures of all agents in this file alone; absent: none. */
  readonly named?: ReadonlyMap<M, MeasureUnit>;
}

/** The reason why a text is no expectation; `column`, from 1, is that of the first wrong character. */
interface ExpectationProblem {
  readonly ok: false;
  readonly column: number;
  readonly message: string;
}

type ReadPart<T> = ({ readonly ok: true } & T) | ExpectationProblem;

interface Word {
  readonly text: string;
  readonly column: number;
}

function problemAt(word: Word, message: string): ExpectationProblem {
  return { ok: false, column: word.column, message };
}

/**
 * Parses `MEASURE[.GROUP] < VALUE [at DURATION | after DURATION]`. Comparisons are < <= > >= and =. A value is a number, a
 * percentage for a share, an amount in SOL for money. Without a time the expectation is about the end of the run.
 */
export function parseExpectation<M extends string = MeasureName>(
  text: string,
  scope: ExpectationScope<M>,
): ReadPart<{ readonly value: Expectation<M> }> {
  const words = wordsOf(text);
  const end: Word = { text: '', column: text.length + 1 };
  const subject = subjectOf(words.shift() ?? end, scope);
  if (!subject.ok) return subject;
  const comparison = comparisonOf(words.shift() ?? end);
  if (!comparison.ok) return comparison;
  const value = amountOf(words.shift() ?? end, words, subject);
  if (!value.ok) return value;
  const time = timeOf(words, end, scope);
  if (!time.ok) return time;
  const [rest] = words;
  if (rest !== undefined) return problemAt(rest, `"${rest.text}" follows the end of the expectation`);
  const { measure, group } = subject;
  const parsed = { text, measure, group, comparison: comparison.comparison, value: value.value, time: time.time };
  return { ok: true, value: parsed };
}

/** A measure of a group at one time, such as `frozen_share.workers at 7d`. */
export interface Subject<M extends string = MeasureName> {
  readonly measure: M;
  /** A class or a population; null for all agents. */
  readonly group: string | null;
  /** Null: at the end of the run. */
  readonly atSec: number | null;
}

/** Parses `MEASURE[.GROUP] [at DURATION]`. */
export function parseSubject<M extends string = MeasureName>(
  text: string,
  scope: ExpectationScope<M>,
): ReadPart<{ readonly value: Subject<M> }> {
  const words = wordsOf(text);
  const end: Word = { text: '', column: text.length + 1 };
  const subject = subjectOf(words.shift() ?? end, scope);
  if (!subject.ok) return subject;
  const time = timeOf(words, end, scope);
  if (!time.ok) return time;
  if (time.time.kind === 'after') return { ok: false, column: 1, message: 'names many moments: write at, not after' };
  const [rest] = words;
  if (rest !== undefined) return problemAt(rest, `"${rest.text}" follows the end of the measure`);
  const atSec = time.time.kind === 'at' ? time.time.sec : null;
  return { ok: true, value: { measure: subject.measure, group: subject.group, atSec } };
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/<=|>=|[<>=]|[^\s<>=]+/g)].map(({ 0: word, index }) => ({ text: word, column: index + 1 }));
}

interface NamedSubject<M extends string> {
  readonly measure: M;
  readonly group: string | null;
  readonly unit: MeasureUnit;
}

function subjectOf<M extends string>(word: Word, scope: ExpectationScope<M>): ReadPart<NamedSubject<M>> {
  const dot = word.text.indexOf('.');
  const name = dot < 0 ? word.text : word.text.slice(0, dot);
  const unit = scope.named?.get(name as M);
  if (unit !== undefined && dot < 0) return { ok: true, measure: name as M, group: null, unit };
  if (unit !== undefined) return problemAt(word, `${name} is a formula and has no groups: name them in the formula`);
  const known = measureNames.find((each) => each === name);
  if (known === undefined) {
    const all = [...(scope.named?.keys() ?? []), ...measureNames];
    return problemAt(word, `"${name}" is not a measure; known: ${all.join(', ')}${didYouMean(name, all)}`);
  }
  const own = { measure: known as string as M, unit: measures[known].unit };
  if (dot < 0) return { ok: true, ...own, group: null };
  const group = word.text.slice(dot + 1);
  if (scope.groups.includes(group)) return { ok: true, ...own, group };
  const at = { text: group, column: word.column + dot + 1 };
  return problemAt(
    at,
    `"${group}" is not a class or population here; known: ${scope.groups.join(', ')}${didYouMean(group, scope.groups)}`,
  );
}

function comparisonOf(word: Word): ReadPart<{ comparison: Comparison }> {
  const comparison = COMPARISONS.find((known) => known === word.text);
  if (comparison !== undefined) return { ok: true, comparison };
  return problemAt(word, `"${word.text}" is not a comparison; known: ${COMPARISONS.join(' ')}`);
}

/** Takes a second word from `rest` if the unit is a word of its own: `3 SOL`. */
function amountOf(
  word: Word,
  rest: Word[],
  { measure, unit }: Pick<NamedSubject<string>, 'measure' | 'unit'>,
): ReadPart<{ value: number }> {
  const [next] = rest;
  if (next?.text === 'SOL' || next?.text === 'lamports') {
    if (unit !== 'lamports') return problemAt(next, `${measure} is not an amount of money`);
    rest.shift();
    // A profit can be a loss.
    const [, sign, amount] = /^(-?)(.*)$/.exec(word.text) as unknown as [string, string, string];
    const size = parseLamports(`${amount} ${next.text}`);
    const lamports = size === undefined ? undefined : sign === '-' ? -size : size;
    if (lamports === undefined) return problemAt(word, `"${word.text}" is not an amount in ${next.text}`);
    return { ok: true, value: lamports };
  }
  const [, digits, percent] = /^(-?\d+(?:\.\d+)?)(%?)$/.exec(word.text) ?? [];
  if (digits === undefined) return problemAt(word, `"${word.text}" is not a number`);
  if (percent === '') return { ok: true, value: Number(digits) };
  if (unit !== 'share') return problemAt(word, `${measure} is not a share, and has no percentage`);
  return { ok: true, value: Number(digits) / 100 };
}

function timeOf(
  words: Word[],
  end: Word,
  scope: Pick<ExpectationScope, 'durationSec'>,
): ReadPart<{ time: ExpectationTime }> {
  const kind = words.shift();
  if (kind === undefined) return { ok: true, time: { kind: 'end' } };
  if (kind.text !== 'at' && kind.text !== 'after') {
    return problemAt(kind, `"${kind.text}" is not "at" or "after" with a duration`);
  }
  const word = words.shift() ?? end;
  const sec = parseDurationSec(word.text);
  if (sec === undefined) return problemAt(word, `"${word.text}" is not a duration such as 7d, 12h or 90m`);
  if (sec > scope.durationSec) return problemAt(word, `"${word.text}" is after the end of the scenario`);
  return { ok: true, time: { kind: kind.text, sec } };
}

/** Whether a measured value has this relation to another. */
export function compare(comparison: Comparison, measured: number, value: number): boolean {
  switch (comparison) {
    case '<':
      return measured < value;
    case '<=':
      return measured <= value;
    case '>':
      return measured > value;
    case '>=':
      return measured >= value;
    case '=':
      return measured === value;
    default:
      return comparison satisfies never;
  }
}
