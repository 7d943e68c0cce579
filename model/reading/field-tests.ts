/**
 * Tests of a single JSON value, each with the words in which a report says what was expected. They are as tolerant as the
 * specification's text: hex of either case, and an instant in any ISO 8601 form. Which field takes which test is in forms.ts.
 */

import { isObject as isJsonObject } from '../../spec/formats.js';
import { DAY_MS } from '../../spec/time.js';

export interface FieldTest {
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
  /** A reply without the field is no evidence, since another row requires the field. */
  readonly whereGiven?: boolean;
}

const test = (words: string, holds: (value: unknown) => boolean): FieldTest => ({ words, holds });

export const isString = test('a string', (value) => typeof value === 'string');
export const isFilled = test('a string that is not empty', (value) => typeof value === 'string' && value !== '');
export const isNumber = test('a number', (value) => typeof value === 'number');
export const isBoolean = test('a boolean', (value) => typeof value === 'boolean');
export const isTrue = test('true', (value) => value === true);
export const isObject = test('an object', isJsonObject);
export const isList = test('an array', (value) => Array.isArray(value));
export const isStrings = test('an array of strings', (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string'));

/** A day as ISO 8601 writes it: of a month, of a week (2026-W01-4), or of a year (2026-001). */
const DAY = /^(?:(\d{4})-?(\d{2})-?(\d{2})|(\d{4})-?W(\d{2})-?([1-7])|(\d{4})-?(\d{3}))(?=$|T)/i;
/** A time of day after it, and its offset. */
const TIME = /^(?:T\d{2}(:?\d{2}(:?\d{2}([.,]\d+)?)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** The calendar day, YYYY-MM-DD, of an ISO 8601 text; undefined if it does not begin with one. */
function dayOf(text: string): string | undefined {
  const [, year, month, day, weekYear, week, weekDay, ordinalYear, ordinal] = DAY.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  const from = weekYear ?? ordinalYear;
  if (from === undefined) return undefined;
  const first = Date.UTC(Number(from), 0, 1);
  // The first week of a year is that of the 4th of January, and begins on a Monday.
  const fourth = new Date(first + 3 * DAY_MS).getUTCDay() || 7;
  const days = ordinal === undefined ? 4 - fourth + 7 * (Number(week) - 1) + Number(weekDay) - 1 : Number(ordinal) - 1;
  return new Date(first + days * DAY_MS).toISOString().slice(0, 10);
}

/** The instant of an ISO 8601 text in Unix ms, in whatever form it is written; undefined for anything else. */
export function instantMs(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const day = dayOf(value);
  const rest = value.replace(DAY, '');
  if (day === undefined || !TIME.test(rest)) return undefined;
  const time = rest.toUpperCase().replace(/^T/, '').replace(',', '.');
  const [, clock = '', zone = ''] = /^([\d:.]*)(Z|[+-][\d:]+)?$/.exec(time) ?? [];
  const plain = clock.replaceAll(':', '');
  const [hours, minutes, seconds] = [plain.slice(0, 2) || '00', plain.slice(2, 4) || '00', plain.slice(4) || '00'];
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
  const ms = Date.parse(`${day}T${hours}:${minutes}:${seconds}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}

export const isInstant = test('an ISO 8601 string', (value) => instantMs(value) !== undefined);
/** Section 2: Unix milliseconds. Seconds would be a thousand times smaller, and lie before 1971. */
export const isUnixMs = test('a number of Unix milliseconds', (value) =>
  typeof value === 'number' && Number.isFinite(value) && value > 31_536_000_000);
/** A moment whose unit the text leaves open: a number, such as an index of anchors or Unix time, or an ISO 8601 text. */
export const isMoment = test('a number, or an ISO 8601 string', (value) =>
  isNumber.holds(value) || isInstant.holds(value));
export const isAgentHash = test('0x and 64 hex characters', (value) =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value));
export const isUuid = test('a string in the shape of a UUID', (value) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value));
export const isZeros = test('a string of zeros', (value) => typeof value === 'string' && /^(0x)?0+$/.test(value));
export const isHttps = test('an https URL', (value) =>
  typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value));

/** One of these values. */
export function oneOf(values: readonly (string | number | null)[]): FieldTest {
  return test(`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`, (value) =>
    (values as readonly unknown[]).includes(value));
}

/** A number of bytes in hex, of either case. */
export function isHex(bytes: number): FieldTest {
  return test(`${bytes * 2} hex characters`, (value) =>
    typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/i.test(value));
}

/** A string that matches. */
export function matches(pattern: RegExp, words: string): FieldTest {
  return test(words, (value) => typeof value === 'string' && pattern.test(value));
}

/** A number within bounds. */
export function within(least: number, most: number): FieldTest {
  return test(`a number from ${least} to ${most}`, (value) =>
    typeof value === 'number' && value >= least && value <= most);
}

/** Passes for null and for whatever another test accepts. */
export function orNull({ words, holds }: FieldTest): FieldTest {
  return test(`${words}, or null`, (value) => value === null || holds(value));
}

/** Passes for an absent field and for whatever another test accepts. */
export function orAbsent({ words, holds }: FieldTest): FieldTest {
  return test(`${words}, or nothing`, (value) => value === undefined || holds(value));
}

/** Applies another test where the field is present; its absence is no evidence either way. */
export function whereGiven(test: FieldTest): FieldTest {
  return { ...test, whereGiven: true };
}

/** No such field. */
export const isAbsent = test('nothing', (value) => value === undefined);

/** An instant may be cut to whole seconds. */
const NEAR_MS = 1_000;
/** Whether an instant is another one, or that cut to whole seconds. */
export const isNear = (one: number | undefined, other: number): boolean =>
  one !== undefined && Math.abs(one - other) <= NEAR_MS;
