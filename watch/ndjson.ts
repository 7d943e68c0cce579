/** The lines of a file of exchanges (NDJSON): their form, their reader and their writer. */

import { isObject, type JsonObject, otherFormat } from '../spec/formats.js';
import { headersOf, type Observed, type ObservedReply, type Unread } from './exchange.js';
import { Fault, objectIn, type Read, ROUNDED_MS, reading, statusIn, textIn, urlIn } from './har.js';

/** The version of the form of such a file, in its first line. Files of others have no such line. */
const EXCHANGES_SCHEMA = 'aips-lab/exchanges/1';

/** The first line: where the services were, and stand-ins for the secrets of their target file. */
export interface ExchangesHead {
  readonly schema: typeof EXCHANGES_SCHEMA;
  readonly base_url: string;
  readonly beats_url?: string | undefined;
  readonly control_url?: string | undefined;
  readonly registration_secret?: string | undefined;
  readonly admin_key?: string | undefined;
  readonly partner_key?: string | undefined;
}

const UNREAD: readonly Unread[] = ['aborted', 'body', 'not-served', 'no-credentials', 'dropped', 'late'];

/** Whether a line is the first one of a file of this version. */
export function isHead(value: unknown): boolean {
  return isObject(value) && 'schema' in value && !('request' in value);
}

/** Reads the first line. */
export function exchangesHead(value: JsonObject): Read<ExchangesHead> {
  const other = otherFormat(value['schema'], EXCHANGES_SCHEMA);
  if (other !== undefined) return { ok: false, key: 'schema', message: other };
  return reading(() => {
    const optional = (key: keyof ExchangesHead) => (value[key] === undefined ? {} : { [key]: textIn(value, key) });
    return {
      schema: EXCHANGES_SCHEMA,
      base_url: textIn(value, 'base_url'),
      ...optional('beats_url'),
      ...optional('control_url'),
      ...optional('registration_secret'),
      ...optional('admin_key'),
      ...optional('partner_key'),
    };
  });
}

/**
 * Reads a line: `{request: {method, url, headers, body?}, reply?: {status, headers, body}, began_ms?, ended_ms?, client?}`. A body that is JSON
 * itself counts as its text.
 */
export function exchangeLine(value: unknown, source: string): Read<Observed> {
  return reading(() => {
    const line = isObject(value) ? value : {};
    const request = objectIn(line, 'request');
    const beganMs = timeIn(line, 'began_ms');
    const endedMs = timeIn(line, 'ended_ms') ?? beganMs;
    if (beganMs !== undefined && endedMs !== undefined && endedMs < beganMs)
      throw new Fault('ended_ms', 'must not be earlier than began_ms');
    const { unread, client } = line;
    if (client != null && typeof client !== 'string') throw new Fault('client', 'must be a text, such as 127.0.0.1');
    const reply = line['reply'] == null ? undefined : replyIn(objectIn(line, 'reply'));
    const why = UNREAD.find((each) => each === unread) ?? (reply === undefined ? 'aborted' : undefined);
    return {
      request: {
        method: textIn(request, 'method', 'request.method'),
        url: urlIn(request, 'request.url'),
        headers: headersIn(request),
        ...(request['body'] == null ? {} : { body: bodyText(request['body']) }),
      },
      reply,
      beganMs: beganMs ?? endedMs,
      endedMs,
      ...(Number.isInteger(beganMs) && Number.isInteger(endedMs) ? { inexactMs: ROUNDED_MS } : {}),
      client: typeof client === 'string' ? client : undefined,
      source,
      ...(why === undefined ? {} : { unread: why }),
      ...(line['lacks_body'] === true ? { lacksBody: true as const } : {}),
    };
  });
}

function replyIn(reply: JsonObject): ObservedReply {
  const { body } = reply;
  return {
    status: statusIn(reply, 'reply.status'),
    headers: headersIn(reply),
    body: body == null ? '' : bodyText(body),
  };
}

const bodyText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

function headersIn({ headers }: JsonObject): Record<string, string> {
  if (Array.isArray(headers))
    return headersOf(headers.filter(Array.isArray).map(([name, value]) => [String(name), String(value)]));
  return isObject(headers)
    ? headersOf(Object.entries(headers).map(([name, value]) => [name, [value].flat().map(String).join(', ')]))
    : {};
}

/** A time of JavaScript is at most this, in ms. */
const TIME_MS_MAX = 8.64e15;

function timeIn(line: JsonObject, key: string): number | undefined {
  const value = line[key];
  if (value == null) return undefined;
  if (typeof value === 'number' && value >= 0 && value <= TIME_MS_MAX) return value;
  throw new Fault(key, 'must be a time in Unix milliseconds, a number such as 1767225600000');
}

/** An exchange as a line. */
export function lineOf({ request, reply, beganMs, endedMs, client, unread, lacksBody }: Observed): string {
  const line = {
    began_ms: beganMs,
    ended_ms: endedMs,
    client,
    request,
    reply,
    unread,
    lacks_body: lacksBody,
  };
  return `${JSON.stringify(line)}\n`;
}
