/**
 * Distinguishes an endpoint that the target lacks from one that refuses. judge/not-served.ts decides which missing endpoints fail
 * a run.
 */

import type { Reason } from '../../results/conformance-result.js';
import { type EndpointId, endpointIds, endpointOf, nameOf, routeClauseOf } from '../../spec/endpoint-ids.js';
import { errors } from '../../spec/errors.js';
import type { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import { type Check, stemOf } from './check.js';

/** The target lacks the endpoint that was called: a check that needs its reply cannot continue. */
export class NotServed extends Unjudged {}

/** A path that no server has: the reply shows how the target answers unknown paths. */
export const UNKNOWN_PATH = '/api/v1/no-such-endpoint';

/** An endpoint that did not answer this many times is not called again. */
const HANGS_MAX = 3;
const NOT_IMPLEMENTED = 501;
const NO_SUCH_METHOD: readonly number[] = [405, NOT_IMPLEMENTED];
/** Statuses that may come from a layer in front of the routes, and so say nothing about them. */
const BEFORE_ROUTES: readonly number[] = [401, 403, 429];

/** The Content-Types of JSON (RFC 8259, 11; RFC 6839, 3.1). */
const JSON_TYPE = /^application\/([^;\s]+\+)?json\s*(;|$)/i;

/** Which endpoints the target has, as far as its replies have shown. */
export class Presence {
  readonly #served = new Set<EndpointId>();
  /** The served endpoints that have answered only with 400, which may come from a generated validator before an empty handler. */
  readonly #refusing = new Set<EndpointId>();
  readonly #unserved = new Map<EndpointId, string>();

  /** The endpoints that sent JSON under another Content-Type, by Content-Type. */
  readonly #otherTypes = new Map<string, Set<EndpointId>>();
  /** Endpoints that cut the connection of the same request several times in a row, or never answered, and how. */
  readonly #brokenOff = new Map<EndpointId, string>();
  /** How often an endpoint did not answer in time. */
  readonly #hangs = new Map<EndpointId, number>();

  /** `unsupported`: endpoints that the target file declares as missing. */
  constructor(readonly unsupported: readonly string[] = []) {}

  /**
   * Records what a reply shows: throws `NotServed` if it is the reply to an unknown path or method. A 404 may also come from the
   * endpoint itself, so it is compared with the reply to an unknown path.
   */
  async note(reply: Reply, unknownPath: () => Promise<Reply>): Promise<void> {
    const { endpoint, status } = reply;
    // An endpoint that has answered once exists: its other replies are for the check to judge.
    if (endpoint === undefined) return;
    const comesFromRoute = status < 500 && !BEFORE_ROUTES.includes(status);
    if (comesFromRoute && status !== 400) this.#refusing.delete(endpoint);
    if (this.#served.has(endpoint) && !(status === NOT_IMPLEMENTED && this.#refusing.delete(endpoint))) return;
    this.#served.delete(endpoint);
    if (await isUnserved(reply, endpoint, unknownPath)) {
      this.#unserved.set(endpoint, this.#unserved.get(endpoint) ?? `${status} ${reply.excerpt()}`);
      throw new NotServed('not-tested', this.reasonOf(endpoint));
    }
    if (!comesFromRoute) return;
    this.#served.add(endpoint);
    if (status === 400) this.#refusing.add(endpoint);
  }

  /** True once the target has answered a call of the endpoint other than as an unknown path. */
  isServed(endpoint: EndpointId): boolean {
    return this.#served.has(endpoint);
  }

  /** The reply of an endpoint that has only replied like a missing one; undefined for any other endpoint. */
  unservedBy(endpoint: EndpointId): string | undefined {
    return this.#served.has(endpoint) ? undefined : this.#unserved.get(endpoint);
  }

  /** Notes a JSON reply with a Content-Type other than JSON. */
  noteType({ endpoint, headers, json }: Reply): void {
    const type = headers['content-type'] ?? '';
    if (endpoint === undefined || typeof json !== 'object' || JSON_TYPE.test(type)) return;
    this.#otherTypes.set(type, (this.#otherTypes.get(type) ?? new Set()).add(endpoint));
  }

  /** Remarks about replies that no clause is about, for readers of a report. */
  get notes(): readonly string[] {
    return [...this.#otherTypes].map(([type, ids]) => {
      const [first, ...others] = [...ids].map(nameOf);
      const where = `${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
      const as = type === '' ? 'without a Content-Type' : `as Content-Type ${type}`;
      return `JSON comes ${as} from ${where}: clients that go by Content-Type do not read it`;
    });
  }

  /** Notes that an endpoint broke off the same request several times in a row: `how` in words. */
  noteBrokenOff(endpoint: EndpointId, how: string): void {
    if (!this.#brokenOff.has(endpoint)) this.#brokenOff.set(endpoint, how);
  }

  /** Notes that an endpoint did not answer in time: `how` in words. */
  noteHang(endpoint: EndpointId, how: string): void {
    const hangs = (this.#hangs.get(endpoint) ?? 0) + 1;
    this.#hangs.set(endpoint, hangs);
    if (hangs >= HANGS_MAX) this.noteBrokenOff(endpoint, how);
  }

  /** True once an endpoint has not answered several times. */
  isHanging(endpoint: EndpointId): boolean {
    return (this.#hangs.get(endpoint) ?? 0) >= HANGS_MAX;
  }

  /** How an endpoint cut the connection of a request; undefined if it did not. */
  brokenOffBy(endpoint: EndpointId): string | undefined {
    return this.#brokenOff.get(endpoint);
  }

  /** The reply of an endpoint that replied like a missing one. */
  refusedBy(endpoint: EndpointId): string {
    return this.#unserved.get(endpoint) ?? 'nothing';
  }

  /** Why nothing that needs a missing endpoint is judged. */
  reasonOf(endpoint: EndpointId): Reason {
    return lackOf(endpoint, this.unsupported);
  }

  /**
   * Returns the missing endpoint that keeps a check from judging anything: one whose existence it judges, or the first of its stem if all of
   * that are missing. Undefined if the check can judge.
   */
  lacking(check: Pick<Check, 'id' | 'clauses'>): EndpointId | undefined {
    const isGone = (id: EndpointId): boolean => this.unservedBy(id) !== undefined;
    const own = endpointIds.filter((id) => endpointOf(id).stem === stemOf(check));
    const named = endpointIds.find((id) => isGone(id) && check.clauses.includes(routeClauseOf(id)));
    return named ?? (own.every(isGone) ? own[0] : undefined);
  }
}

async function isUnserved(reply: Reply, id: EndpointId, unknownPath: () => Promise<Reply>): Promise<boolean> {
  if (NO_SUCH_METHOD.includes(reply.status)) return true;
  if (reply.status !== 404) return false;
  if (typeof reply.json !== 'object' || reply.json === null) return true;
  const code = reply.get('code');
  const { stem } = endpointOf(id);
  if (Object.values(errors).some((row) => row.endpoint === stem && row.status === 404 && row.code === code))
    return false;
  return sayTheSame(reply, await unknownPath());
}

/** Whether two JSON bodies have the same fields, and the same words except for the method and path that they repeat. */
function sayTheSame(reply: Reply, unknown: Reply): boolean {
  if (unknown.status !== reply.status) return false;
  const fieldsOf = ({ json }: Reply): string => JSON.stringify(Object.keys(Object(json)).toSorted());
  const wordsOf = (one: Reply): string =>
    JSON.stringify(
      ['code', 'error', 'message'].map((field) => String(one.get(field)).replaceAll(/\b[A-Z]{3,6}\b|\S*[/:]\S*/g, '')),
    );
  return fieldsOf(reply) === fieldsOf(unknown) && wordsOf(reply) === wordsOf(unknown);
}

function lackOf(id: EndpointId, unsupported: readonly string[]): Reason {
  const { stem } = endpointOf(id);
  if (!unsupported.some((pattern) => pattern === stem || pattern === `${stem}/*`)) return notServed(id);
  return { reason: `needs ${nameOf(id)}, which the target file declares as unsupported` };
}

/** Why a check cannot be judged without an endpoint that the target lacks. */
export function notServed(id: EndpointId): Reason {
  return { reason: `needs ${nameOf(id)}, which the target does not serve`, why: { kind: 'endpoint', of: id } };
}

/** Why a check cannot be judged without a reply of an endpoint that breaks off, or never answers. */
export function brokenOff(id: EndpointId): Reason {
  return { reason: `needs a reply of ${nameOf(id)}, which does not come`, why: { kind: 'no-reply', of: id } };
}

/** Makes a call and ignores its reply. The endpoint may be missing. */
export async function tried(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof NotServed)) throw error;
  }
}
