/**
 * The type of a permitted form, one way in which a server may differ where the specification is silent, and the functions of which
 * forms are made. The forms are in values.ts, shapes.ts, refusals.ts, bounds.ts and wire.ts.
 */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import { isObject, type JsonObject as Json, jsonOf } from '../../spec/formats.js';
import { mergedOverlay, type Overlay } from '../../spec/overlay.js';
import type { Transport, WireReply, WireRequest } from '../wire/transport.js';

/** One way in which a server may differ. Its functions change requests and replies; an absent one changes nothing. */
export interface PermittedForm {
  readonly id: string;
  /** The section of the specification, and what it leaves open. */
  readonly open: string;
  /** Forms of a group exclude each other. */
  readonly group?: string;
  /** Changes a whole reply: its status, its headers, or a body that is no object. Applied before `reply`. */
  readonly answer?: (reply: WireReply, at: ReplyContext) => WireReply;
  /** Changes the JSON object that is the body of a reply. */
  readonly reply?: (json: Json, at: ReplyContext) => unknown;
  /** Changes the text of a JSON body: spaces, escapes, orders. Applied last. */
  readonly text?: (text: string) => string;
  /** Changes a request on its way in, so that the server understands values that `reply` has changed. */
  readonly request?: (request: WireRequest) => WireRequest;
  /** Numbers of the server that replace those of a decision. The suite keeps those of the decision. */
  readonly numbers?: Overlay;
  /** Wraps the transport of one server, and may remember its traffic: called once for each server. */
  readonly around?: (send: Transport) => Transport;
  /** The server signs deliveries with the bytes that the hex of webhook_secret stands for. */
  readonly signsWithBytes?: boolean;
  /** The most must clauses that can no longer be judged because their evidence depends on the form. */
  readonly lost: number;
}

/** Forms by their id; without `lost` they cost no judgement. */
export type FormTable = Readonly<Record<string, Omit<PermittedForm, 'id' | 'lost'> & { readonly lost?: number }>>;

/** The numbers of a server with these forms, over those of an overlay. */
export const numbersWith = (overlay: Overlay, forms: readonly PermittedForm[]): Overlay =>
  forms.reduce((each, { numbers = {} }) => mergedOverlay(each, numbers), overlay);

/** Whether a server with these forms signs deliveries with the bytes of its secret. */
export const signsWithBytes = (forms: readonly PermittedForm[]): boolean => forms.some((form) => form.signsWithBytes);

/** The endpoint of a reply, its status, and the request. */
export interface ReplyContext {
  readonly endpoint: EndpointId;
  readonly status: number;
  readonly ok: boolean;
  /** The JSON object that was sent; without one an empty one. */
  readonly sent: Json;
  /** The body as it was sent; absent: there was none. */
  readonly body?: string;
}

/** A copy in which every string is changed. */
export function eachString(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((item) => eachString(item, change, key));
  // Values that a client sent come back unchanged.
  if (typeof value !== 'object' || value === null || key === 'metadata') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, eachString(inner, change, name)]));
}

/** Changes the successful replies of some endpoints only. */
export const only =
  (endpoints: readonly EndpointId[], change: (json: Json, at: ReplyContext) => unknown) =>
  (json: Json, at: ReplyContext): unknown =>
    at.ok && endpoints.includes(at.endpoint) ? change(json, at) : json;

/** Changes the refusals of some endpoints, except those for too many requests. */
export const refusals =
  (endpoints: readonly EndpointId[], change: (json: Json, at: ReplyContext) => unknown) =>
  (json: Json, at: ReplyContext): unknown =>
    at.status >= 400 && at.status !== 429 && endpoints.includes(at.endpoint) ? change(json, at) : json;

/** Gives some replies another status, and perhaps another body. */
export const answered =
  (when: (at: ReplyContext, json: Json) => boolean, status: number, change: (json: Json) => unknown = (json) => json) =>
  (reply: WireReply, at: ReplyContext): WireReply => {
    const json = objectOf(reply.body);
    return when(at, json) ? { ...reply, status, body: JSON.stringify(change(json)) } : reply;
  };

/** An object without some of its fields. */
export const without = (json: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));

/** Changes the inner object of this name, if there is one. */
export function inner(json: Json, name: string, change: (value: Json) => unknown): Json {
  const value = json[name];
  return isObject(value) ? { ...json, [name]: change(value) } : json;
}

/** Changes each result of a batch. */
export function eachResult(json: Json, change: (result: Json) => unknown): Json {
  const results = json['results'];
  return Array.isArray(results) ? { ...json, results: results.map((result) => change(result as Json)) } : json;
}

/** The JSON object of a text; an empty one for any other text. */
export function objectOf(text: string): Json {
  const value = jsonOf(text);
  return isObject(value) ? value : {};
}

/** Whether a child registers. */
export const isChild = ({ sent, endpoint }: ReplyContext): boolean =>
  endpoint === 'register' && sent['spawn_authorization'] !== undefined;

/** Opaque names for values that the server issues, and their way back. */
export function renamed(
  field: string,
  write: (value: string) => string,
  read: (value: string) => string,
): Pick<PermittedForm, 'reply' | 'request'> {
  return {
    reply: (json) => eachString(json, (text, key) => (key === field ? write(text) : text)),
    request: (request) => {
      const { authorization } = request.headers;
      const headers =
        authorization === undefined
          ? request.headers
          : { ...request.headers, authorization: authorization.replace(/[^ ]+$/, read) };
      const sent = objectOf(request.body ?? '');
      const body = JSON.stringify(eachString(sent, (text) => read(text)));
      return Object.keys(sent).length === 0 || body === JSON.stringify(sent)
        ? { ...request, headers }
        : { ...request, headers, body };
    },
  };
}
