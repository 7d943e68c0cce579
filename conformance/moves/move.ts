/**
 * A move is one request as plain data, before it is sent. Each file of this folder has the moves of one endpoint, valid and with named
 * faults. Checks list moves, and the fuzzer draws them. A move does not pay, draw or judge.
 */

import type { Endpoint } from '../../spec/endpoint.js';
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';

/** The parts of a request without its method and path. */
export interface Sent {
  /** Sent as Authorization: Bearer. */
  readonly key?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A body that is sent unchanged in place of `body`. */
  readonly rawBody?: string;
  /** Headers that are added or replace the usual ones; an empty value removes a header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>;
  /** The client address in X-Forwarded-For, if the target reads it. */
  readonly address?: string | undefined;
}

/** A request of an endpoint. */
export interface Move extends Sent {
  readonly endpoint: EndpointId;
}

/** A request by method and path, which may belong to no endpoint. */
export interface Call extends Sent {
  readonly method: string;
  readonly path: string;
  readonly service?: Endpoint['service'];
}

/** An agent that sends a move under its key. */
export interface Sender {
  readonly key?: string | undefined;
}

/** The call of a move. If the endpoint takes a body and the move has none, the body is `{}`. */
export function callOf({ endpoint, ...sent }: Move): Call {
  const { method, path, service, body: takes } = endpointOf(endpoint);
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(sent.params?.[name] ?? ''));
  const body = sent.body ?? (takes === null || sent.rawBody !== undefined ? undefined : {});
  return { ...sent, method, path: filled, service, body };
}

/** The HTTP request of a call to a service at `base`. */
export function requestOf(base: string, { method, path, key, body, rawBody, headers, address }: Call) {
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const all = Object.entries({
    ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    ...headers,
  }).filter(([, value]) => value !== '');
  return {
    method,
    url: base + path,
    headers: Object.fromEntries(all),
    ...(text === undefined ? {} : { body: text }),
  };
}

/** Changes one character of a text. By default it is the middle one, since some encodings ignore bits at the end. */
export function near(text: string, at = Math.floor(text.length / 2)): string {
  return text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);
}

/** Changes the last digit of a hash. */
export const nearHash = (hash: string): string => hash.slice(0, -1) + (hash.endsWith('0') ? '1' : '0');

/** Forms of a hash: unchanged, in capitals, and two hashes that no agent has. */
export const hashForms = {
  right: (hash: string): string => hash,
  capitals: (hash: string): string => `0x${hash.slice(2).toUpperCase()}`,
  near: nearHash,
  short: (hash: string): string => hash.slice(0, -1),
} as const;

/** The keys of a table. */
export const namesOf = <T extends object>(table: T): readonly (keyof T & string)[] =>
  Object.keys(table) as (keyof T & string)[];

/** A number beyond a bound by this distance would be rounded to the bound. */
export const JUST_BEYOND = 0.4;
