/** The text of a clause under changed numbers: the number that it quotes is replaced, where the text quotes it just once. */

import type { ChangedNumber } from './change.js';
import { clausesOfNumber } from './numbers.js';
import { DAY_SEC, HOUR_SEC, MINUTE_SEC } from './time.js';

/** Larger units in which texts quote a number: by unit, the size of one and its words. */
const LARGER: Readonly<Record<string, readonly (readonly [size: number, one: string, many: string])[]>> = {
  s: [
    [DAY_SEC, ' day', ' days'],
    [HOUR_SEC, ' hour', ' hours'],
    [MINUTE_SEC, ' minute', ' minutes'],
  ],
  lamports: [[1e9, ' SOL', ' SOL']],
  bps: [
    [100, ' %', ' %'],
    [100, '%', '%'],
  ],
};

/** Every form in which a text may quote a number, each for both values; those with a unit first, since they say most. */
function formsOf({ unit, from, to }: ChangedNumber): readonly (readonly [before: string, after: string])[] {
  const amount = (value: number, size: number): string => String(Number((value / size).toPrecision(12)));
  // A text says 2 s, not 0.0333333333333 minutes.
  const isPlain = (value: number, size: number): boolean => amount(value, size).length <= 8;
  const units = (LARGER[unit] ?? []).filter(([size]) => isPlain(from, size) && isPlain(to, size));
  const larger = units.map(([size, one, many]) => {
    const text = (value: number): string => amount(value, size) + (value === size ? one : many);
    return [text(from), text(to)] as const;
  });
  const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
  return [...larger, [grouped(from), grouped(to)], [String(from), String(to)]];
}

/** Replaces a form that `text` has exactly once; undefined for any other text. */
function replacedOnce(text: string, before: string, after: string): string | undefined {
  const quoted = before.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const places = [...text.matchAll(new RegExp(`(?<![\\w.,-])${quoted}(?![\\w]|[.,]\\d)`, 'g'))];
  const [place] = places;
  if (place === undefined || places.length > 1) return undefined;
  return text.slice(0, place.index) + after + text.slice(place.index + before.length);
}

/** The text of a clause under the changed numbers; undefined where it does not quote each of those that it states just once. */
export function clauseTextUnder(id: string, text: string, numbers: readonly ChangedNumber[]): string | undefined {
  const stated = numbers.filter(({ path }) => clausesOfNumber(path).includes(id));
  if (stated.length === 0) return undefined;
  return stated.reduce<string | undefined>((under, number) => {
    for (const [before, after] of under === undefined ? [] : formsOf(number)) {
      const replaced = replacedOnce(under as string, before, after);
      if (replaced !== undefined) return replaced;
    }
    return undefined;
  }, text);
}
