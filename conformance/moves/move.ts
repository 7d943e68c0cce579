/**
 * A move: one request to the service as plain data, before it is sent. Each file of this folder has the moves of one endpoint, right and
 * with named faults. Checks write sequences of moves, and the fuzzer draws them; moves pay nothing, draw nothing and judge nothing.
 */

import type { Endpoint } from '../../spec/endpoint.js';
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';

/** The parts of a request without its method and path. */
export interface Sent {
  /** Sent as Authorization: Bearer. */
  readonly key?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string;
  /** In addition to the usual headers, or replacing them; an empty value leaves the header out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>;
  /** The client address, for a target that reads X-Forwarded-For. */
  readonly address?: string | undefined;
}

/** A request of an endpoint. */
export interface Move extends Sent {
  readonly endpoint: EndpointId;
}

/** A request by method and path, of an endpoint or of none. */
export interface Call extends Sent {
  readonly method: string;
  readonly path: string;
  readonly service?: Endpoint['service'];
}

/** An agent that sends a move under its key. */
export interface Sender {
  readonly key?: string | undefined;
}

/** The call of a move: an endpoint that takes a body gets `{}` where the move has none. */
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

/** A text with one character exchanged, by default in the middle, since some encodings ignore bits at the end. */
export function near(text: string, at = Math.floor(text.length / 2)): string {
  return text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);
}

/** A hash that differs in its last digit. */
export const nearHash = (hash: string): string => hash.slice(0, -1) + (hash.endsWith('0') ? '1' : '0');

/** Forms of a hash: the right one, in capitals, and two that no agent has. */
export const hashForms = {
  right: (hash: string): string => hash,
  capitals: (hash: string): string => `0x${hash.slice(2).toUpperCase()}`,
  near: nearHash,
  short: (hash: string): string => hash.slice(0, -1),
} as const;

/** The names of a table. */
export const namesOf = <T extends object>(table: T): readonly (keyof T & string)[] =>
  Object.keys(table) as (keyof T & string)[];

/** The distance of a number beyond a bound that rounding would turn into the bound. */
export const JUST_BEYOND = 0.4;
