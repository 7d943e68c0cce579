/** Holds a reply against what the text demands: accepted, refused for one of the reasons that apply, or left open. */

import { endpoints } from '../../spec/endpoints/index.js';
import { type ErrorRow, errors } from '../../spec/errors.js';
import { errorRow } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import { at } from '../assertions/reply.js';
import { type Counted, count, limited, type State } from './state.js';

/** A reply that the text does not allow. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/** A reply of the service, parsed, with the request that it answers. */
export interface Answer {
  /** Method and path of the request. */
  readonly name: string;
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
}

/** A reason to refuse: its words, and the status and code that the text gives it. */
export interface Fault {
  readonly why: string;
  readonly status?: number;
  readonly code?: string;
}

/** The replies that the text allows. */
export interface Expectation {
  /** Reasons for which the request has to be refused; which of them the reply names is open. */
  readonly faults: readonly Fault[];
  /** Reasons for which it may be refused as well as accepted, since the text says nothing. */
  readonly open?: readonly string[];
  readonly counted?: readonly Counted[];
}

const EXCERPT_CHARS = 300;
/** Refusals of requests that were understood: they have passed the limit, and so count in it. */
const REACHED: readonly number[] = [402, 403, 404, 409, 429];

/** Whether a request was accepted. Throws a Mismatch where it must not have been answered so. */
export function settle(state: State, answer: Answer, { faults, open = [], counted = [] }: Expectation): boolean {
  const limits = counted.map((each) => limited(state, each));
  const accepted = answer.status >= 200 && answer.status < 300;
  const code = at(answer.json, 'code');
  const isRate = answer.status === 429 && code === 'RATE_LIMITED';
  const reached = accepted || (REACHED.includes(answer.status) && !isRate);
  for (const [bucket, , what] of counted) count(state, bucket, what === 'accepted' ? accepted : reached);
  const rate: Fault = { why: 'a rate limit is reached', status: 429, code: 'RATE_LIMITED' };
  const reasons = limits.includes('must') ? [...faults, rate] : faults;
  const came = `${answer.name} answered ${answer.status} ${answer.text.slice(0, EXCERPT_CHARS)}`;
  if (accepted) {
    if (reasons.length === 0) return true;
    throw new Mismatch(`${came}, but has to refuse: ${reasons.map(({ why }) => why).join('; ')}`);
  }
  if (answer.status < 400 || answer.status > 499)
    throw new Mismatch(`${came}, which is neither a success nor a refusal`);
  if (isRate) {
    hasWords(answer);
    if (limits.some((each) => each !== 'no') || counted.length === 0) return false;
    throw new Mismatch(`${came} before its limit is reached`);
  }
  const named = reasons.find((fault) => fits(fault, answer, state.protocol));
  if (named?.code !== undefined) hasWords(answer);
  if (named !== undefined || open.length > 0) return false;
  if (reasons.length === 0) throw new Mismatch(`${came}, but nothing is wrong with the request`);
  throw new Mismatch(`${came}, and the text has ${reasons.map(words).join(', or ')}`);
}

/** 7: a refusal that the table has carries its words. */
function hasWords(answer: Answer): void {
  that(answer, 'error', 'a text', (value) => typeof value === 'string');
}

/** Whether a refusal is what a fault leads to: the status and code of the text, or those that a change gives its row. */
function fits({ status, code }: Fault, { name, status: came, json }: Answer, protocol: Protocol): boolean {
  const given = at(json, 'code');
  if ((status === undefined || status === came) && (code === undefined || code === given)) {
    return !rowsAt(name).some((row) => row.code === code && isChanged(row, protocol));
  }
  return rowsAt(name)
    .filter((row) => row.status === status && (code === undefined || row.code === code) && isChanged(row, protocol))
    .map((row) => errorRow(row, protocol))
    .some((row) => row.status === came && (code === undefined || row.code === given));
}

const isChanged = (row: ErrorRow, protocol: Protocol): boolean => errorRow(row, protocol) !== row;

/** The rows of errors of an endpoint, by the name of an answer. */
function rowsAt(name: string): readonly ErrorRow[] {
  const [method, path = ''] = name.split(' ');
  const stem = endpoints.find((each) => each.method === method && path.endsWith(each.path))?.stem;
  return Object.values<ErrorRow>(errors).filter(({ endpoint }) => endpoint === stem);
}

function words({ why, status, code }: Fault): string {
  return `${[status ?? '4xx', code].filter(Boolean).join(' ')} (${why})`;
}

/** Throws a Mismatch unless the value at a path is the expected one. */
export function equals(answer: Answer, path: string, expected: unknown): void {
  that(answer, path, JSON.stringify(expected), (value) => alike(value, expected));
}

/**
 * Throws a Mismatch where a value is shown and is not the expected one. For what the text demands of a reply whose form it leaves
 * open: it may be shown elsewhere, or not at all.
 */
export function shown(answer: Answer, path: string, expected: unknown): void {
  if (at(answer.json, path) !== undefined) equals(answer, path, expected);
}

/** Throws a Mismatch unless the value at a path passes a test. */
export function that(answer: Answer, path: string, expected: string, test: (value: unknown) => boolean): void {
  const value = at(answer.json, path);
  if (!test(value))
    throw new Mismatch(`${answer.name}: ${path} is ${JSON.stringify(value)}, and ${expected} is expected`);
}

/** Whether two JSON values are the same, whatever the order of fields; agent hashes in either case. */
export function alike(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string' && /^0x[0-9a-f]{64}$/i.test(one)) {
    return one.toLowerCase() === other.toLowerCase();
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && alike(at1(one, key), at1(other, key)))
  );
}

const at1 = (value: object, key: string): unknown => (value as Record<string, unknown>)[key];

export const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
export const isHex = (chars: number): ((value: unknown) => boolean) => {
  const pattern = new RegExp(`^[0-9a-f]{${chars}}$`, 'i');
  return (value) => typeof value === 'string' && pattern.test(value);
};
export const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
