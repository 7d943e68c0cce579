/**
 * Tests of a single JSON value, each with its expectation in words for reports. They are as tolerant as the text of the
 * specification: hex of either case, and an instant in any ISO 8601 form. forms.ts assigns tests to fields.
 */

import { isObject as isJsonObject } from '../../spec/formats.js';
import { DAY_MS } from '../../spec/time.js';

export interface FieldTest {
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
  /** A missing field is no evidence for this row, since another row requires the field. */
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

/** A day in ISO 8601: as month and day, week and day (2026-W01-4), or day of the year (2026-001). */
const DAY = /^(?:(\d{4})-?(\d{2})-?(\d{2})|(\d{4})-?W(\d{2})-?([1-7])|(\d{4})-?(\d{3}))(?=$|T)/i;
/** The time of day after the day, with an offset. */
const TIME = /^(?:T\d{2}(:?\d{2}(:?\d{2}([.,]\d+)?)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** The calendar day, YYYY-MM-DD, of an ISO 8601 text; undefined if it does not begin with one. */
function dayOf(text: string): string | undefined {
  const [, year, month, day, weekYear, week, weekDay, ordinalYear, ordinal] = DAY.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  const from = weekYear ?? ordinalYear;
  if (from === undefined) return undefined;
  const first = Date.UTC(Number(from), 0, 1);
  // Week 1 contains the 4th of January, and begins on a Monday.
  const fourth = new Date(first + 3 * DAY_MS).getUTCDay() || 7;
  const days = ordinal === undefined ? 4 - fourth + 7 * (Number(week) - 1) + Number(weekDay) - 1 : Number(ordinal) - 1;
  return new Date(first + days * DAY_MS).toISOString().slice(0, 10);
}

/** The instant of an ISO 8601 text of any form, in Unix ms; undefined for other values. */
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
/** Section 2: Unix milliseconds. A number of seconds would be before 1971, so it is refused. */
export const isUnixMs = test('a number of Unix milliseconds', (value) =>
  typeof value === 'number' && Number.isFinite(value) && value > 31_536_000_000);
/** A moment without a unit in the text: a number (such as an anchor index or Unix time), or an ISO 8601 text. */
export const isMoment = test('a number, or an ISO 8601 string', (value) =>
  isNumber.holds(value) || isInstant.holds(value));
export const isAgentHash = test('0x and 64 hex characters', (value) =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value));
export const isUuid = test('a string in the shape of a UUID', (value) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value));
export const isZeros = test('a string of zeros', (value) => typeof value === 'string' && /^(0x)?0+$/.test(value));
export const isHttps = test('an https URL', (value) =>
  typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value));

/** Tests for one of these values. */
export function oneOf(values: readonly (string | number | null)[]): FieldTest {
  return test(`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`, (value) =>
    (values as readonly unknown[]).includes(value));
}

/** Tests for this number of bytes in hex of either case. */
export function isHex(bytes: number): FieldTest {
  return test(`${bytes * 2} hex characters`, (value) =>
    typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/i.test(value));
}

/** Tests for a string that matches a pattern. */
export function matches(pattern: RegExp, words: string): FieldTest {
  return test(words, (value) => typeof value === 'string' && pattern.test(value));
}

/** Tests for a number within bounds. */
export function within(least: number, most: number): FieldTest {
  return test(`a number from ${least} to ${most}`, (value) =>
    typeof value === 'number' && value >= least && value <= most);
}

/** Accepts null, and every value that another test accepts. */
export function orNull({ words, holds }: FieldTest): FieldTest {
  return test(`${words}, or null`, (value) => value === null || holds(value));
}

/** Accepts an absent field, and every value that another test accepts. */
export function orAbsent({ words, holds }: FieldTest): FieldTest {
  return test(`${words}, or nothing`, (value) => value === undefined || holds(value));
}

/** Applies another test if the field is present. A missing field is no evidence. */
export function whereGiven(test: FieldTest): FieldTest {
  return { ...test, whereGiven: true };
}

/** Tests that the field is absent. */
export const isAbsent = test('nothing', (value) => value === undefined);

/** An instant may be cut to whole seconds. */
const NEAR_MS = 1_000;
/** Whether two instants are equal, or differ only because one is cut to whole seconds, or by the slack of a clock. */
export const isNear = (one: number | undefined, other: number, slackMs = 0): boolean =>
  one !== undefined && Math.abs(one - other) <= NEAR_MS + slackMs;
