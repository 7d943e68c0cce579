/** Other ways of writing JSON and HTTP: orders, spaces, additional fields, headers, statuses of successes. */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import { isObject } from '../../spec/formats.js';
import { type FormTable, only } from './form.js';

const CREATING: readonly EndpointId[] = ['register', 'sigil', 'sponsor.post', 'flag', 'subsidy.post', 'register-token'];

const CREATING_MORE: readonly EndpointId[] = [
  'init',
  'heartbeat',
  'reissue-proof',
  'wallet',
  'spawn',
  'partner-webhook.put',
  'work-proof.post',
];

const ACCEPTING: readonly EndpointId[] = ['beats-submit', 'resync'];

const reordered =
  (order: (names: readonly string[]) => readonly string[]) =>
  (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reordered(order));
    if (!isObject(value)) return value;
    return Object.fromEntries(order(Object.keys(value)).map((name) => [name, reordered(order)(value[name])]));
  };
const backwards = reordered((names) => names.toReversed());
const sorted = reordered((names) => names.toSorted());

interface Tokens {
  readonly string?: (text: string) => string;
  readonly number?: (digits: string) => string;
}

/** Rewrites the strings or the numbers of a JSON text. */
function eachToken(text: string, { string = (each) => each, number = (each) => each }: Tokens): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? string(token) : number(token),
  );
}

/** Escapes of other JSON serializers: slashes, and everything outside ASCII. */
const escaped = (text: string): string =>
  text
    .replaceAll('/', '\\/')
    .replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes every character of a string as an escape, including those of names. */
const allEscaped = (token: string): string =>
  `"${(JSON.parse(token) as string)
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join('')}"`;

/** A space after each comma and colon outside of strings. */
const spaced = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => (token.startsWith('"') ? token : `${token} `));

export const wireForms: FormTable = {
  'extra-fields': {
    open: '2: further fields',
    reply: (json) => ({ ...json, request_id: 'r-1', links: { self: '/' } }),
  },
  'extra-fields-inside': {
    open: '2: further fields',
    reply: (json) =>
      Object.fromEntries(
        Object.entries(json).map(([name, value]) => [
          name,
          typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          name !== 'metadata' &&
          name !== 'passport' &&
          name !== 'lineage_proof'
            ? { ...value, extra: 1 }
            : value,
        ]),
      ),
  },
  'fields-backwards': {
    group: 'order',
    open: 'JSON: order of fields',
    reply: (json) => Object.fromEntries(Object.entries(json).toReversed()),
  },
  'fields-backwards-inside': { group: 'order', open: 'JSON: order of fields', reply: (json) => backwards(json) },
  'fields-sorted': { group: 'order', open: 'JSON: order of fields', reply: (json) => sorted(json) },
  charset: {
    group: 'content-type',
    open: 'HTTP: headers',
    answer: (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'application/json;charset=UTF-8', 'x-powered-by': 'other' },
    }),
  },
  'created-201': {
    group: 'created',
    open: '4: statuses of successes',
    answer: (reply, at) => (at.ok && CREATING.includes(at.endpoint) ? { ...reply, status: 201 } : reply),
  },
  'content-type-of-a-vendor': {
    group: 'content-type',
    open: 'HTTP: headers',
    answer: (reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'application/vnd.aips+json' } }),
  },
  'headers-more': {
    open: 'HTTP: headers',
    answer: (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'cache-control': 'no-store', vary: 'Accept', etag: 'W/"1"', 'set-cookie': 'a=1' },
    }),
  },
  'created-201-more': {
    group: 'created',
    open: '4: statuses of successes',
    answer: (reply, at) => (at.ok && CREATING_MORE.includes(at.endpoint) ? { ...reply, status: 201 } : reply),
  },
  'created-202': {
    group: 'created',
    open: '4: statuses of successes',
    answer: (reply, at) => (at.ok && CREATING.includes(at.endpoint) ? { ...reply, status: 202 } : reply),
  },
  'accepted-202': {
    open: '4: statuses of successes',
    answer: (reply, at) => (at.ok && ACCEPTING.includes(at.endpoint) ? { ...reply, status: 202 } : reply),
  },
  'retry-after-date': {
    open: 'HTTP: Retry-After is seconds or a date',
    answer: (reply) => {
      const sec = Number(reply.headers['retry-after'] ?? Number.NaN);
      if (Number.isNaN(sec)) return reply;
      const date = (ms: number): string => new Date(ms).toUTCString();
      return { ...reply, headers: { ...reply.headers, date: date(0), 'retry-after': date(sec * 1_000) } };
    },
  },
  'deliveries-signed-with-bytes': {
    open: '6, rule 2: whether the key is the text of webhook_secret or the bytes that it stands for',
    signsWithBytes: true,
  },
  'events-backwards': {
    open: '4.18: order of events',
    reply: (json) => (Array.isArray(json['events']) ? { ...json, events: json['events'].toReversed() } : json),
  },
  'updated-fields-backwards': {
    open: '4.11: order of updated_fields',
    reply: only(['metadata'], (json) =>
      Array.isArray(json['updated_fields']) ? { ...json, updated_fields: json['updated_fields'].toReversed() } : json,
    ),
  },
  'sponsorships-backwards': {
    open: '4.13: order of the listing',
    reply: only(['sponsor.get'], (json) =>
      Array.isArray(json['sponsorships']) ? { ...json, sponsorships: json['sponsorships'].toReversed() } : json,
    ),
  },
  'spaces-python': { group: 'spacing', open: 'JSON: spacing', text: (text) => spaced(text) },
  'spaces-lines': {
    group: 'spacing',
    open: 'JSON: spacing',
    text: (text) => JSON.stringify(JSON.parse(text), null, 2),
  },
  'spaces-tabs': {
    group: 'spacing',
    open: 'JSON: spacing',
    text: (text) => `\r\n${JSON.stringify(JSON.parse(text), null, '\t')}\n`,
  },
  'escapes-of-all': {
    group: 'escapes',
    open: 'JSON: escapes',
    text: (text) => eachToken(text, { string: allEscaped }),
  },
  escapes: { group: 'escapes', open: 'JSON: escapes', text: (text) => eachToken(text, { string: escaped }) },
  'numbers-with-point': {
    group: 'numbers',
    open: 'JSON: notation of numbers',
    text: (text) => eachToken(text, { number: (digits) => (/^-?\d+$/.test(digits) ? `${digits}.0` : digits) }),
  },
  'numbers-with-exponent': {
    group: 'numbers',
    open: 'JSON: notation of numbers',
    text: (text) => eachToken(text, { number: (digits) => Number(digits).toExponential() }),
  },
};
