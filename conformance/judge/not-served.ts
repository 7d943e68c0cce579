import type { CheckResult, NotServedEndpoint } from '../../reports/conformance-result.js';
import { clauseById } from '../../spec/clauses/index.js';
import { type EndpointId, endpointIds, endpointOf, nameOf, routeClauseOf } from '../protocol/endpoints.js';
import { type Check, stemOf } from '../trial/check.js';
import { needOf, type Presence } from '../trial/presence.js';

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
