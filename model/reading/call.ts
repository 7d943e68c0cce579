/** Reads one exchange: its call, key, address and body. */

import { CONTROL_PATH, type Endpoint, matches } from '../../spec/endpoint.js';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import { endpoints } from '../../spec/endpoints/index.js';
import { isObject, type JsonObject } from '../../spec/formats.js';
import { placed } from './places.js';
import type { Settings } from './settings.js';
import { shaped } from './shapes.js';
import { parse } from './values.js';

/** A request as it is sent. */
export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address of its client, if the observer knows it. */
  readonly client?: string;
}

/** A reply with its body as JSON. `seen`: when the exchange took place, if an observer has said so. */
export interface ReadReply {
  readonly status: number;
  readonly json: unknown;
  readonly seen?: Seen;
}

/** When an exchange took place, by the clock of an observer in ms, and the Date header of its reply. */
export interface Seen {
  readonly beganMs: number;
  readonly endedMs: number;
  readonly dateMs: number | undefined;
}

/** A call of an endpoint, read from its request. */
export interface Call {
  readonly endpoint: Endpoint;
  /** Method and path of the endpoint, as findings name it. */
  readonly name: string;
  /** The agent hash in its path, in lower case. */
  readonly hash: string | undefined;
  readonly hashWritten: string | undefined;
  /** The bearer token; undefined without an Authorization header of this scheme. */
  readonly bearer: string | undefined;
  readonly hasAuthorization: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The client address in X-Forwarded-For; empty if the connection determines it. */
  readonly address: string;
  readonly isJson: boolean;
  /** The body; undefined if it is not a JSON object. */
  readonly body: JsonObject | undefined;
  readonly bodyBytes: number;
  /** For a complaint: the number of complaints that reviews had closed when it was sent. */
  closedBefore?: number;
  /** The buckets of rate limits that counted it when it was sent. */
  countedIn?: readonly string[];
}

/** A call with its reply. */
export type AnsweredCall = Call & ReadReply;

/** A call of the control API: `POST clock/advance`. */
export interface ControlCall {
  readonly control: string;
  readonly body: JsonObject;
}

/** The path of a URL relative to a base; undefined if the URL does not begin with the base. */
function below(url: string, base: string | null | undefined): string | undefined {
  if (base == null || !url.startsWith(`${base.replace(/\/$/, '')}/`)) return undefined;
  return url.slice(base.replace(/\/$/, '').length).replace(/[?#].*$/, '');
}

/** Reads a request; undefined if it matches no endpoint. The control API may have an address of its own. */
export function requestOf(settings: Settings, request: Request): Call | ControlCall | undefined {
  const { method, url, headers, body = '' } = request;
  const sent = body === '' ? {} : parse(body);
  const control = below(url, settings.controlUrl && `${settings.controlUrl}${CONTROL_PATH}`);
  if (control !== undefined) return { control: `${method} ${control.slice(1)}`, body: isObject(sent) ? sent : {} };
  const [registry, beats] = [below(url, settings.baseUrl), below(url, settings.beatsUrl)];
  const [service, path] = registry === undefined ? (['beats', beats] as const) : (['registry', registry] as const);
  const endpoint =
    path === undefined ? undefined : endpoints.find((each) => each.service === service && matches(each, method, path));
  if (endpoint === undefined || path === undefined) return undefined;
  const authorization = headers['authorization'];
  const entry = settings.dialect.forwardedFor === 'last' ? -1 : 0;
  const place = endpoint.path.split('/').findIndex((part) => part.startsWith(':'));
  const hashWritten = place === -1 ? undefined : path.split('/')[place];
  return {
    endpoint,
    name: `${method} ${endpoint.path}`,
    hash: hashWritten?.toLowerCase(),
    hashWritten,
    bearer: /^Bearer (.+)$/i.exec(authorization ?? '')?.[1],
    hasAuthorization: authorization !== undefined,
    headers,
    address: (headers['x-forwarded-for'] ?? request.client ?? '').split(',').at(entry)?.trim() ?? '',
    isJson: /^application\/json *(;|$)/i.test(headers['content-type'] ?? ''),
    body: isObject(sent) ? sent : undefined,
    bodyBytes: Buffer.byteLength(body),
  };
}

/** A call with its reply; values without a place in the text are moved to the places that decisions give. */
export function answered({ shapes }: Settings, call: Call, { status, json }: ReadReply): AnsweredCall {
  const id = call.endpoint.id as EndpointId;
  return { ...call, status, json: placed(id, shaped(id, json, shapes[id]), call.body) };
}
