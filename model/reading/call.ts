/** Reads one exchange: which call it is, whose, from where, and what it says. */

import { placed } from '../../conformance/assertions/places.js';
import { parse } from '../../conformance/assertions/reply.js';
import type { Endpoint } from '../../spec/endpoint.js';
import { endpoints } from '../../spec/endpoints/index.js';
import type { State } from '../state.js';

/** A request as it goes over the wire. */
export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request with its reply. */
export interface Exchange extends Request {
  readonly status: number;
  readonly replyHeaders: Readonly<Record<string, string>>;
  readonly replyBody: string;
}

/** A request as the model sees it, with the reply. */
export interface Call {
  readonly endpoint: Endpoint;
  /** Method and path of the endpoint, as findings name it. */
  readonly name: string;
  /** The hash in its path. */
  readonly hash: string | undefined;
  /** The bearer token; undefined without a header of that form. */
  readonly bearer: string | undefined;
  readonly hasAuthorization: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The client's address; '' for that of the connection. */
  readonly address: string;
  readonly isJson: boolean;
  /** The body; undefined where it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly bodyBytes: number;
  readonly status: number;
  readonly json: unknown;
  readonly replyHeaders: Readonly<Record<string, string>>;
}

/** A call of the control API: `POST clock/advance`. */
export interface ControlCall {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly json: unknown;
}

/** The path of a URL below a base; undefined where it is not below it. */
export function below(url: string, base: string | null | undefined): string | undefined {
  if (base == null || !url.startsWith(`${base.replace(/\/$/, '')}/`)) return undefined;
  return url.slice(base.replace(/\/$/, '').length).replace(/[?#].*$/, '');
}

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replace(/:[a-z]+/g, '([^/]+)')}$`),
}));

export function callOf({ settings }: State, exchange: Exchange): Call | undefined {
  const { method, url, headers, body = '', status, replyHeaders, replyBody } = exchange;
  const [registry, beats] = [below(url, settings.baseUrl), below(url, settings.beatsUrl)];
  const service = beats !== undefined && registry === undefined ? 'beats' : 'registry';
  const path = registry ?? beats;
  const found = patterns.find(
    ({ endpoint, pattern }) =>
      endpoint.method === method && endpoint.service === service && path !== undefined && pattern.test(path),
  );
  if (found === undefined || path === undefined) return undefined;
  const { endpoint, pattern } = found;
  const authorization = headers['authorization'];
  const sent = body === '' ? {} : parse(body);
  return {
    endpoint,
    name: `${endpoint.method} ${endpoint.path}`,
    hash: pattern.exec(path)?.[1]?.toLowerCase(),
    bearer: /^Bearer (.+)$/i.exec(authorization ?? '')?.[1],
    hasAuthorization: authorization !== undefined,
    headers,
    address: (headers['x-forwarded-for'] ?? '').split(',')[0]?.trim() ?? '',
    isJson: /^application\/json *(;|$)/i.test(headers['content-type'] ?? ''),
    body: typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? (sent as Call['body']) : undefined,
    bodyBytes: Buffer.byteLength(body),
    status,
    json: placed(endpoint.id as Parameters<typeof placed>[0], parse(replyBody), sent),
    replyHeaders,
  };
}

/** An accepted call of the control API. */
export function controlCallOf({ settings }: State, exchange: Exchange): ControlCall | undefined {
  const path = below(exchange.url, settings.controlUrl);
  if (path === undefined || exchange.status >= 300) return undefined;
  const sent = parse(exchange.body ?? '{}');
  return {
    name: `${exchange.method} ${path.replace('/control/v1/', '')}`,
    body: typeof sent === 'object' && sent !== null ? (sent as ControlCall['body']) : {},
    json: parse(exchange.replyBody),
  };
}
