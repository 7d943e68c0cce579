/** Reads an entry of a HAR 1.2 file. Splitting the file into its entries is in json-items.ts. */

import { isObject, type JsonObject } from '../spec/formats.js';
import { headersOf, type Observed, type Unread } from './exchange.js';

/** An entry that was read, or the key and the message of what is wrong with it. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly key: string; readonly message: string };

/** A fault of an entry, thrown within its reader alone. */
export class Fault extends Error {
  constructor(
    readonly key: string,
    message: string,
  ) {
    super(message);
  }
}

/** Runs a reader, and returns the fault that it throws. */
export function reading<T>(read: () => T): Read<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, key: error.key, message: error.message };
  }
}

/** The object at a key. */
export function objectIn(of: JsonObject, key: string, path = key): JsonObject {
  const value = of[key];
  if (!isObject(value)) throw new Fault(path, value === undefined ? 'is missing' : 'must be an object');
  return value;
}

/** The text at a key. */
export function textIn(of: JsonObject, key: string, path = key): string {
  const value = of[key];
  if (typeof value !== 'string') throw new Fault(path, value === undefined ? 'is missing' : 'must be a text');
  return value;
}

/** The URL at a key. */
export function urlIn(of: JsonObject, path: string): string {
  const url = textIn(of, 'url', path);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new Fault(path, 'must be an http or https URL');
  return url;
}

/** The status of a reply: a whole number of three digits, or 0 and -1 where `absent` allows a reply that never came. */
export function statusIn(of: JsonObject, path: string, absent = false): number {
  const { status } = of;
  const isNumber = typeof status === 'number' && Number.isInteger(status);
  if (isNumber && ((status >= 100 && status <= 999) || (absent && status <= 0))) return status;
  throw new Fault(path, status === undefined ? 'is missing' : 'must be a status of HTTP');
}

/** Reads an entry of `log.entries`. `source`: its place, as reports name it. */
export function harEntry(value: unknown, source: string): Read<Observed> {
  return reading(() => {
    if (!isObject(value)) throw new Fault('', 'must be an object');
    const request = objectIn(value, 'request');
    const response = objectIn(value, 'response');
    const status = statusIn(response, 'response.status', true);
    const sent = postData(request);
    const got = content(response);
    const unread = unreadOf(value, status, got);
    return {
      request: {
        method: textIn(request, 'method', 'request.method'),
        url: urlIn(request, 'request.url'),
        headers: headersOf(pairsIn(request['headers'], 'request.headers')),
        ...(sent.text === undefined ? {} : { body: sent.text }),
      },
      reply:
        status <= 0 || got === undefined
          ? undefined
          : { status, headers: headersOf(pairsIn(response['headers'], 'response.headers')), body: got },
      ...timesOf(value),
      client: undefined,
      source,
      ...(unread === undefined ? {} : { unread }),
      ...(sent.isLost ? { lacksBody: true as const } : {}),
    };
  });
}

function pairsIn(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Fault(path, 'must be a list');
  return value.map((each, at): readonly [string, string] => {
    const [name, text] = isObject(each) ? [each['name'], each['value']] : [];
    if (typeof name !== 'string' || typeof text !== 'string') throw new Fault(`${path}.${at}`, 'has no name and value');
    return [name, text];
  });
}

/** The body of a request; `isLost`: there is one, and the file does not have it. */
function postData(request: JsonObject): { readonly text: string | undefined; readonly isLost: boolean } {
  const data = request['postData'];
  const size = request['bodySize'];
  if (!isObject(data)) return { text: undefined, isLost: typeof size === 'number' && size > 0 };
  const { text, params } = data;
  if (typeof text === 'string' && (text !== '' || !Array.isArray(params) || params.length === 0)) {
    // Some authors write a binary body in base64, as they do in replies.
    return { text: data['encoding'] === 'base64' ? fromBase64(text) : text, isLost: false };
  }
  if (!Array.isArray(params)) return { text: undefined, isLost: typeof size === 'number' && size > 0 };
  const fields = params.filter(isObject).map((each) => [String(each['name']), String(each['value'] ?? '')]);
  return { text: new URLSearchParams(fields).toString(), isLost: params.some((each) => 'fileName' in Object(each)) };
}

/** The body of a reply; undefined where the file leaves it out. */
function content(response: JsonObject): string | undefined {
  const value = response['content'];
  if (!isObject(value)) return hasBytes(response['bodySize']) ? undefined : '';
  const { text, encoding, size } = value;
  if (typeof text !== 'string') return hasBytes(size) ? undefined : '';
  return encoding === 'base64' ? fromBase64(text) : text;
}

const hasBytes = (size: unknown): boolean => typeof size === 'number' && size > 0;

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

/** Marks of Playwright and of browsers on entries that no server answered. */
const NOT_SERVED = ['_wasFulfilled', '_fromCache', '_fetchedViaServiceWorker'];

function unreadOf(entry: JsonObject, status: number, body: string | undefined): Unread | undefined {
  const cached = ['disk', 'memory', 'prefetch'].includes(String(entry['_fromCache']));
  if (cached || NOT_SERVED.some((name) => entry[name] === true)) return 'not-served';
  if (status <= 0 || entry['_wasAborted'] === true) return 'aborted';
  return body === undefined ? 'body' : undefined;
}

/** Times with milliseconds at most are rounded, so that two of them that differ by less are in no known order. */
export const ROUNDED_MS = 1;

function timesOf(entry: JsonObject): Pick<Observed, 'beganMs' | 'endedMs' | 'inexactMs'> {
  const { startedDateTime: started, time } = entry;
  if (started === undefined) return { beganMs: undefined, endedMs: undefined };
  const beganMs = typeof started === 'string' ? Date.parse(started) : Number.NaN;
  if (Number.isNaN(beganMs)) throw new Fault('startedDateTime', 'must be a time in ISO 8601');
  const took = typeof time === 'number' && Number.isFinite(time) && time > 0 ? time : 0;
  return { beganMs, endedMs: beganMs + took, inexactMs: ROUNDED_MS };
}
