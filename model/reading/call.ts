/** Reads one exchange: its call, key, address and body. */

import { CONTROL_PATH, type Endpoint, matches } from '../../spec/endpoint.js';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import { endpoints } from '../../spec/endpoints/index.js';
import { isObject, type JsonObject } from '../../spec/formats.js';
import { placed } from './places.js';
import type { Settings } from './settings.js';
import { shaped } from './shapes.js';
import { parse } from './values.js';

/** A request as it goes over the wire. */
export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A reply, its body as JSON. */
export interface ReadReply {
  readonly status: number;
  readonly json: unknown;
}

/** A call of an endpoint, read from its request. */
export interface Call {
  readonly endpoint: Endpoint;
  /** Method and path of the endpoint, as findings name it. */
  readonly name: string;
  /** The hash in its path, in lower case. */
  readonly hash: string | undefined;
  readonly hashWritten: string | undefined;
  /** The bearer token; undefined without a header of that form. */
  readonly bearer: string | undefined;
  readonly hasAuthorization: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The client's address; empty for that of the connection. */
  readonly address: string;
  readonly isJson: boolean;
  /** The body; undefined if it is not a JSON object. */
  readonly body: JsonObject | undefined;
  readonly bodyBytes: number;
  /** For a complaint: how many complaints reviews had closed when it was sent. */
  closedBefore?: number;
}

/** A call with its reply. */
export type AnsweredCall = Call & ReadReply;

/** A call of the control API: `POST clock/advance`. */
export interface ControlCall {
  readonly control: string;
  readonly body: JsonObject;
}

/** The path of a URL below a base; undefined where it is not below it. */
function below(url: string, base: string | null | undefined): string | undefined {
  if (base == null || !url.startsWith(`${base.replace(/\/$/, '')}/`)) return undefined;
  return url.slice(base.replace(/\/$/, '').length).replace(/[?#].*$/, '');
}

/** Reads a request; undefined if no endpoint matches. A service may have its control API at its own address. */
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
    address: (headers['x-forwarded-for'] ?? '').split(',').at(entry)?.trim() ?? '',
    isJson: /^application\/json *(;|$)/i.test(headers['content-type'] ?? ''),
    body: isObject(sent) ? sent : undefined,
    bodyBytes: Buffer.byteLength(body),
  };
}

/** A call with its reply, whose values are moved to the places that decisions give them. */
export function answered({ shapes }: Settings, call: Call, { status, json }: ReadReply): AnsweredCall {
  const id = call.endpoint.id as EndpointId;
  return { ...call, status, json: placed(id, shaped(id, json, shapes[id]), call.body) };
}
