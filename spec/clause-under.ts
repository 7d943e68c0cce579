/** The text of a clause under changed numbers: each form in which it quotes a number is replaced, where it does so just once. */

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

/** Every form in which a text may quote a number, each for both values, larger units first: their words hold plain digits, too. */
function formsOf({ unit, from, to }: ChangedNumber): readonly (readonly [before: string, after: string])[] {
  const amount = (value: number, size: number): string => String(Number((value / size).toPrecision(12)));
  // A text says 2 s, not 0.0333333333333 minutes.
  const isPlain = (text: string): boolean => text.length <= 8 && !text.includes('e');
  const larger = (LARGER[unit] ?? []).map(([size, one, many]) => {
    const text = (value: number): string => amount(value, size) + (value === size ? one : many);
    return [text(from), isPlain(amount(to, size)) ? text(to) : `${grouped(to)} ${unit}`] as const;
  });
  const plain = [grouped(from), grouped(to)] as const;
  return [...larger, plain, ...(grouped(from) === String(from) ? [] : [[String(from), String(to)] as const])];
}

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** The number in each form that a text quotes it in; undefined for a text that quotes none, or one twice. */
function replaced(text: string, number: ChangedNumber): string | undefined {
  const forms = new Map(formsOf(number));
  const any = [...forms.keys()].map((form) => form.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const quotes = new RegExp(`(?<![\\w.,-])(${any})(?![\\w]|[.,]\\d)`, 'g');
  const found = [...text.matchAll(quotes)].map(([form]) => form);
  if (found.length === 0 || new Set(found).size < found.length) return undefined;
  return text.replaceAll(quotes, (form) => forms.get(form) ?? form);
}

/** The text of a clause under the changed numbers; undefined where it does not quote each of those that it states just once. */
export function clauseTextUnder(id: string, text: string, numbers: readonly ChangedNumber[]): string | undefined {
  const stated = numbers.filter(({ path }) => clausesOfNumber(path).includes(id));
  if (stated.length === 0) return undefined;
  return stated.reduce<string | undefined>(
    (under, number) => (under === undefined ? undefined : replaced(under, number)),
    text,
  );
}
