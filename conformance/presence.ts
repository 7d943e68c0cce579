import type { CheckResult, NotServedEndpoint } from '../reports/conformance-result.js';
import { clauseById } from '../spec/clauses/index.js';
import { errors } from '../spec/errors.js';
import { type Check, stemOf } from './check.js';
import { type EndpointId, endpointIds, endpointOf, nameOf, routeClauseOf } from './endpoints.js';
import type { Reply } from './reply.js';
import { isUnsupported } from './select.js';
import type { Target } from './target.js';

/** The target has not the endpoint that was called: whoever needs its answer cannot go on. */
export class NotServed extends Error {
  constructor(
    readonly endpoint: EndpointId,
    /** What came instead, as a report shows it. */
    readonly actual: string,
  ) {
    super(`${nameOf(endpoint)} is not served: ${actual}`);
    this.name = 'NotServed';
  }
}

/** A path that no server has, so that its answer shows how the target answers what it does not have. */
export const UNKNOWN_PATH = '/api/v1/no-such-endpoint';

const NO_SUCH_METHOD: readonly number[] = [405, 501];
/** What may come from in front of the routes, and so tells nothing about them. */
const BEFORE_ROUTES: readonly number[] = [401, 403, 429];

/** Which endpoints the target has, as far as its replies have shown. */
export class Presence {
  readonly #served = new Set<EndpointId>();
  readonly #unserved = new Map<EndpointId, string>();

  /**
   * Takes a reply into account: throws `NotServed` where it is that of a path or method that the target does not have. A
   * 404 may also be an endpoint's own answer; whether it is shows beside the answer to an unknown path.
   */
  async note(reply: Reply, unknownPath: () => Promise<Reply>): Promise<void> {
    const { endpoint, status } = reply;
    // One that has answered is there: how else it answers is for the check to judge.
    if (endpoint === undefined || this.#served.has(endpoint)) return;
    if (await isUnserved(reply, endpoint, unknownPath)) {
      const actual = `${status} ${reply.excerpt()}`;
      this.#unserved.set(endpoint, this.#unserved.get(endpoint) ?? actual);
      throw new NotServed(endpoint, actual);
    }
    if (status < 500 && !BEFORE_ROUTES.includes(status)) this.#served.add(endpoint);
  }

  /** What came from an endpoint that never answered otherwise; undefined for one that did, or was not asked. */
  unservedBy(endpoint: EndpointId): string | undefined {
    return this.#served.has(endpoint) ? undefined : this.#unserved.get(endpoint);
  }

  /** What came from an endpoint when it answered as one that is not there. */
  refusedBy(endpoint: EndpointId): string {
    return this.#unserved.get(endpoint) ?? 'nothing';
  }

  /** Whether there is nothing for a check to judge: the endpoint of its stem, or all of several, are not there. */
  lacking(check: Pick<Check, 'id' | 'clauses'>): EndpointId | undefined {
    const own = endpointIds.filter((id) => endpointOf(id).stem === stemOf(check));
    const gone = own.filter((id) => this.unservedBy(id) !== undefined);
    const named = gone.find((id) => check.clauses.includes(routeClauseOf(id)));
    return named ?? (gone.length === own.length ? gone[0] : undefined);
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

/** Whether two JSON bodies have the same fields, and the same words but for the method and path that they repeat. */
function sayTheSame(reply: Reply, unknown: Reply): boolean {
  if (unknown.status !== reply.status) return false;
  const fieldsOf = ({ json }: Reply): string => JSON.stringify(Object.keys(Object(json)).toSorted());
  const wordsOf = (one: Reply): string =>
    JSON.stringify(
      ['code', 'error', 'message'].map((field) => String(one.get(field)).replaceAll(/\b[A-Z]{3,6}\b|\S*[/:]\S*/g, '')),
    );
  return fieldsOf(reply) === fieldsOf(unknown) && wordsOf(reply) === wordsOf(unknown);
}

/** Asked by many checks, within limits that are narrow: they need no asking before. */
const ASKED_ANYWAY: readonly EndpointId[] = ['register', 'register-token', 'init'];

/**
 * The endpoints of the registry that are worth asking for before the checks run: those that chosen checks are about, but
 * for what a check that runs is to find unasked, since it counts the requests of its address.
 */
export function endpointsToAsk(
  chosen: readonly Check[],
  running: readonly Check[],
  { unsupported, clientIp }: Pick<Target, 'unsupported' | 'clientIp'>,
  mayWrite: boolean,
): readonly EndpointId[] {
  if (running.length === 0) return [];
  const judged = chosen.filter((check) => !isUnsupported(check, unsupported));
  const counted = clientIp === 'none' ? running.filter(({ quiet }) => quiet === true).map(stemOf) : [];
  return endpointIds.filter((id) => {
    const { service, method, stem } = endpointOf(id);
    if (service !== 'registry' || ASKED_ANYWAY.includes(id) || (method !== 'GET' && !mayWrite)) return false;
    return !counted.includes(stem) && judged.some(({ clauses }) => clauses.includes(routeClauseOf(id)));
  });
}

/** Whether the target file says that the target is not to have an endpoint. */
export function isDeclared(id: EndpointId, unsupported: readonly string[]): boolean {
  const { stem } = endpointOf(id);
  return unsupported.some((pattern) => pattern === stem || pattern === `${stem}/*`);
}

/** Why a check cannot be judged without an endpoint. */
export function needOf(id: EndpointId, declared: boolean): string {
  return `needs ${nameOf(id)}, which the target ${declared ? 'file declares as unsupported' : 'does not serve'}`;
}

/**
 * The results with what is known at the end of a run. Of the checks that an endpoint was lacking for, the first that
 * judges its existence fails, so that each missing endpoint is one failure. An endpoint that did answer elsewhere is
 * there, and a check that was told otherwise has found a fault.
 */
export function settled(
  checks: readonly Check[],
  found: readonly CheckResult[],
  presence: Presence,
  strict: boolean,
): readonly CheckResult[] {
  const results = found.map((result) => withoutSubject(result, presence));
  const teller = new Map<string, EndpointId>();
  for (const id of endpointIds) {
    if (!results.some((result) => result.not_served === id) || presence.unservedBy(id) === undefined) continue;
    const first = tellerOf(checks, id);
    if (first !== undefined) teller.set(first.id, id);
  }
  return results.map((result): CheckResult => {
    const lacking = result.not_served as EndpointId | undefined;
    const told = teller.get(result.id);
    if (told !== undefined) return asFailure(result, told, presence, strict);
    if (lacking === undefined || presence.unservedBy(lacking) !== undefined) return result;
    return asFailure(result, lacking, presence, strict);
  });
}

/** The check that fails where an endpoint is not there: the first that judges its existence. */
export function tellerOf(checks: readonly Check[], id: EndpointId): Check | undefined {
  const { stem } = endpointOf(id);
  return checks.find((check) => stemOf(check) === stem && check.clauses.includes(routeClauseOf(id)));
}

/** What a check found about an endpoint that turned out not to be there is nothing. */
function withoutSubject(result: CheckResult, presence: Presence): CheckResult {
  const lacking = result.verdict === 'fail' || result.verdict === 'advisory' ? presence.lacking(result) : undefined;
  if (lacking === undefined) return result;
  const { id, title, clauses, level, wall_ms, transcript, curl } = result;
  const base = { id, title, clauses, level, wall_ms, transcript, curl };
  return { ...base, verdict: 'not-tested', reason: needOf(lacking, false), not_served: lacking };
}

function asFailure(result: CheckResult, id: EndpointId, presence: Presence, strict: boolean): CheckResult {
  const { id: check, title, clauses, level, wall_ms, transcript, curl } = result;
  const verdict = strict || level === 'must' ? 'fail' : 'advisory';
  const base = { id: check, title, clauses, level, wall_ms, transcript, curl, verdict, about: nameOf(id) } as const;
  const gone = presence.unservedBy(id);
  if (gone !== undefined) {
    return { ...base, expected: 'the endpoint', actual: gone, fails: [routeClauseOf(id)], not_served: id };
  }
  const actual = presence.refusedBy(id);
  return { ...base, expected: 'an answer, as other requests got', actual };
}

/** The endpoints for want of which checks failed or could not be judged. */
export function notServedIn(results: readonly CheckResult[]): readonly NotServedEndpoint[] {
  return endpointIds.flatMap((id) => {
    const found = results.filter((result) => result.not_served === id);
    if (found.length === 0) return [];
    const { method, path, section, stem } = endpointOf(id);
    const checks = found.filter(({ verdict }) => verdict === 'not-tested').length;
    return [{ endpoint: id, method, path, section, stem, checks }];
  });
}

/** The endpoints of the specification that are lacking without a failure that says so: no check of theirs was chosen. */
export function untoldIn(results: readonly CheckResult[]): readonly EndpointId[] {
  const told = new Set(results.filter(({ verdict }) => verdict !== 'not-tested').map((result) => result.not_served));
  const lacking = new Set(results.flatMap((result) => (result.not_served as EndpointId | undefined) ?? []));
  return [...lacking].filter((id) => !told.has(id) && levelOfRoute(id) === 'must');
}

function levelOfRoute(id: EndpointId): string {
  return clauseById(routeClauseOf(id)).level;
}
