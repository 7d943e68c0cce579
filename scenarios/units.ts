/**
 * Parses durations, money, hash rates and arrival rates as a scenario file writes them. Printing numbers is for
 * reports/.
 */

import { DAY_SEC, HOUR_SEC } from '../spec/time.js';

const DURATION = /^(?:\d+(?:\.\d+)?[smhdw])+$/;
const DURATION_PART = /(\d+(?:\.\d+)?)([smhdw])/g;
const SECONDS = { s: 1, m: 60, h: HOUR_SEC, d: DAY_SEC, w: 604_800 } as const;
const LAMPORT_DIGITS = 9;

/** How a duration is written, for messages. */
export const DURATION_FORM = 'a duration in whole seconds such as 14d, 6h, 90s or 1h30m';
/** How an amount of money is written, for messages. */
export const MONEY_FORM = 'an amount such as 0.5 SOL, or a whole number of lamports';
/** How a hash rate is written, for messages. */
export const HASH_RATE_FORM = 'a hash rate above zero such as 2M hashes/s, 350k hashes/s or 900 hashes/s';
/** How a rate of arrivals is written, for messages. */
export const RATE_FORM = 'a rate above zero such as 200 per day, 12 per hour or 3 per minute';

/**
 * Seconds of a duration: numbers, each with s, m (minutes), h, d or w. Undefined for another form or a fraction of a
 * second.
 */
export function parseDurationSec(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let seconds = 0;
  for (const [, number, unit] of text.matchAll(DURATION_PART))
    seconds += Number(number) * SECONDS[unit as keyof typeof SECONDS];
  // 0.1d is 8,640 s; the product in floating point is slightly off.
  const whole = Math.round(seconds);
  return Math.abs(whole - seconds) < 1e-6 && Number.isSafeInteger(whole) ? whole : undefined;
}

/**
 * Lamports of `0.5 SOL` or `5000 lamports`, exactly. Undefined for another form, a fraction of a lamport or more than
 * 2^53 - 1.
 */
export function parseLamports(text: string): number | undefined {
  const [, whole, fraction = '', unit] = /^(\d+)(?:\.(\d+))? (SOL|lamports)$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (unit === 'lamports') return fraction === '' ? safe(whole) : undefined;
  const digits = fraction.replace(/0+$/, '');
  return digits.length > LAMPORT_DIGITS ? undefined : safe(whole + digits.padEnd(LAMPORT_DIGITS, '0'));
}

function safe(digits: string): number | undefined {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : undefined;
}

const PREFIX = { '': 1, k: 1e3, M: 1e6, G: 1e9 } as const;

/** Hashes a second of `2M hashes/s`, with k, M and G for 10^3, 10^6 and 10^9. Undefined for another form or zero. */
export function parseHashRate(text: string): number | undefined {
  const [, number, prefix] = /^(\d+(?:\.\d+)?)([kMG]?) hashes\/s$/.exec(text) ?? [];
  if (number === undefined || prefix === undefined) return undefined;
  const rate = Number(number) * PREFIX[prefix as keyof typeof PREFIX];
  return rate > 0 ? rate : undefined;
}

const PER = { minute: 60, hour: HOUR_SEC, day: DAY_SEC } as const;

/** Mean seconds between two arrivals at `200 per day`. Undefined for another form or zero. */
export function parseRateGapSec(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?) per (minute|hour|day)$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) return undefined;
  const gapSec = PER[unit as keyof typeof PER] / Number(number);
  return Number.isFinite(gapSec) ? gapSec : undefined;
}
