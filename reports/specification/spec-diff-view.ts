/** How the writers of a comparison of specifications word its parts. They decide the layout themselves. */

import { countText, measureText, numberText } from '../../results/numbers.js';
import type { DiffEffect, SpecDiff, TouchedClause } from '../../results/spec-diff-result.js';
import { isFixed } from '../../spec/number-bounds.js';

/** Whether the interval of the difference leaves out zero: the change has an effect. */
export function isEffect({ difference, half_width }: DiffEffect): boolean {
  return Math.abs(difference) > half_width;
}

/** The effects by size, as a share of the value before; those that may be chance come last. */
export function bySize(effects: readonly DiffEffect[]): readonly DiffEffect[] {
  const sizeOf = ({ difference, from }: DiffEffect): number => (difference === 0 ? 0 : Math.abs(difference / from));
  return effects.toSorted((a, b) => Number(isEffect(b)) - Number(isEffect(a)) || sizeOf(b) - sizeOf(a));
}

/** The words before and after that differ, between those that both texts begin and end with. */
export function changedWords(
  before: string,
  after: string,
): readonly [start: string, was: string, now: string, end: string] {
  const [one, two] = [before.split(' '), after.split(' ')];
  const shorter = Math.min(one.length, two.length);
  let start = 0;
  while (start < shorter && one[start] === two[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === two.at(-1 - end)) end += 1;
  const words = (all: readonly string[], from: number, until: number): string => all.slice(from, until).join(' ');
  return [
    words(one, 0, start),
    words(one, start, one.length - end),
    words(two, start, two.length - end),
    words(one, one.length - end, one.length),
  ];
}

/** A difference of shares is one of points: in percent it would be taken for a part of the share. */
const distanceText = (value: number, unit: string): string =>
  unit === 'share' ? `${numberText(Number((100 * value).toPrecision(3)))} points` : measureText(value, unit);

/** The changed numbers that a registry in use cannot change, each in one line with what it takes. */
export function migrationLines({ numbers }: SpecDiff): readonly string[] {
  return numbers
    .filter(({ path }) => isFixed(path))
    .map(
      ({ path }) =>
        `${path}: a registry in use cannot change it, since what it has recorded would mean something else; it takes a new registry`,
    );
}

/** A touched clause in one line, its text before and after. */
export function clauseLine({ id, text, after }: TouchedClause): string {
  return after === undefined ? `${id}: ${text}` : `${id}: ${text} → ${after}`;
}

/** `± 2 points`, or from where to where, since an interval of a share ends where the share would leave 0 to 1. */
function intervalText({ difference, half_width: halfWidth, from, unit }: DiffEffect): string {
  const [low, high] = [Math.max(difference - halfWidth, -from), Math.min(difference + halfWidth, 1 - from)];
  const isWhole = unit !== 'share' || (low === difference - halfWidth && high === difference + halfWidth);
  if (isWhole) return `± ${distanceText(halfWidth, unit)}`;
  return `[${numberText(Number((100 * low).toPrecision(3)))} to ${distanceText(high, unit)}]`;
}

/** `-0.2 SOL ± 0.01 SOL (-12 %)`, or that there is none. */
export function differenceText(effect: DiffEffect): string {
  const { difference, half_width: halfWidth, from, unit } = effect;
  if (difference === 0 && halfWidth === 0) return 'none';
  const sign = difference > 0 ? '+' : '';
  const share = from === 0 ? '' : ` (${sign}${numberText(Number(((100 * difference) / from).toPrecision(3)))} %)`;
  const text = `${sign}${distanceText(difference, unit)} ${intervalText(effect)}${share}`;
  return isEffect(effect) ? text : `${text}, may be chance`;
}

/** A changed number as one line: path, from, to, unit. */
export function numberLine({ path, unit, from, to }: SpecDiff['numbers'][number]): string {
  return `${path}: ${numberText(from)} → ${numberText(to)}${unit === '' ? '' : ` ${unit}`}`;
}

/** A changed part that is not a number as one line: path, from, to. */
export function partLine({ path, from, to }: NonNullable<SpecDiff['parts']>[number]): string {
  return `${path}: ${from} → ${to}`;
}

/** How much of everything the change touches, in one line. */
export function countsLine({
  numbers,
  parts: others = [],
  clauses,
  errors,
  endpoints,
  checks,
  statements,
}: SpecDiff): string {
  const stated = statements.added.length + statements.removed.length + statements.changed.length;
  const parts = [
    countText(numbers.length, 'number'),
    ...(others.length > 0 ? [countText(others.length, 'part')] : []),
    ...(stated > 0 ? [countText(stated, 'statement')] : []),
    countText(clauses.length, 'clause'),
    countText(errors.length, 'error'),
    countText(endpoints.length, 'endpoint'),
    countText(checks.length, 'check'),
  ];
  return `changed or touched: ${parts.join(', ')}`;
}
