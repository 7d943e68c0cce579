/** Writes numbers, money, durations and counts as text, the same on every machine and in every locale. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../spec/time.js';

const LAMPORTS_PER_SOL = 1e9;

function withCommas(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/gu, ',');
}

function rounded(value: number, significant: number): number {
  return Number(value.toPrecision(significant));
}

/** `12,345` for whole numbers, four significant digits otherwise (`0.01235`). The same on every machine and locale. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return 'n/a';
  const text = String(Number.isInteger(value) ? value : rounded(value, Math.abs(value) < 1000 ? 4 : 7));
  if (text.includes('e')) return text;
  const [whole = '', fraction] = text.replace('-', '').split('.');
  return `${value < 0 ? '-' : ''}${withCommas(whole)}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** `950`, `1.2k`, `12.5k`, `3.4M`, `5.6G`: for axes. */
export function compactText(value: number): string {
  if (!Number.isFinite(value)) return 'n/a';
  const size = Math.abs(value);
  for (const [scale, letter] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    // 999,950 is 1M at three digits, not 1000k.
    if (rounded(size, 3) >= scale) return `${rounded(value / scale, 3)}${letter}`;
  }
  return String(rounded(value, 3));
}

/** An amount in lamports as SOL, with six significant digits. */
export function solText(lamports: number): string {
  return `${numberText(rounded(lamports / LAMPORTS_PER_SOL, 6))} SOL`;
}

/** A share of one as a percentage with three significant digits. */
export function percentText(share: number): string {
  return Number.isFinite(share) ? `${rounded(share * 100, 3)} %` : 'n/a';
}

const SPANS = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
  ['s', 1000],
] as const;

/** The two greatest units of a span in ms: `14 days`, `1 day 6 h`, `2 min 3 s`, `250 ms`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${numberText(ms)} ms`;
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, length] of SPANS) {
    const whole = Math.floor(rest / length);
    rest -= whole * length;
    if (whole > 0) parts.push(unit === 'd' ? countText(whole, 'day') : `${numberText(whole)} ${unit}`);
    if (parts.length === 2 || (parts.length === 1 && whole === 0)) break;
  }
  return parts.join(' ');
}

/** A wall time in seconds: `0.4 s`, `12.3 s`, `3 min 20 s`. */
export function secondsText(seconds: number): string {
  return seconds < 100 ? `${rounded(seconds, 3)} s` : durationText(Math.round(seconds) * 1000);
}

/** A measured value with its unit, in the unit that reads best. */
export function measureText(value: number, unit: string): string {
  switch (unit) {
    case 'lamports':
      return solText(value);
    case 'share':
      return percentText(value);
    case 'ms':
      return durationText(value);
    case '':
      return numberText(value);
    default:
      return `${numberText(value)} ${unit}`;
  }
}

/** `1 check`, `2 checks`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

const UNIT_SUFFIX = /^(?<words>.+)_(?<unit>lamports|share|ms)$/u;

/** A total by its name: `fees_lamports` is `fees`, in SOL; `frozen_share` is `frozen share`, in percent. */
export function totalText(name: string, value: number): { readonly label: string; readonly value: string } {
  const { words, unit } = UNIT_SUFFIX.exec(name)?.groups ?? {};
  if (words === undefined || unit === undefined) return { label: name.replaceAll('_', ' '), value: numberText(value) };
  const label = unit === 'share' ? `${words} share` : words;
  return { label: label.replaceAll('_', ' '), value: measureText(value, unit) };
}
