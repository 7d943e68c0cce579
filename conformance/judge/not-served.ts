/**
 * Reports missing endpoints: each is one failure of one check, and the other checks that need the endpoint are not judged.
 * trial/presence.ts decides whether a reply shows that an endpoint is missing.
 */
import type { CheckResult, NotServedEndpoint } from '../../results/conformance-result.js';
import { clauseById } from '../../spec/clauses/index.js';
import { type EndpointId, endpointIds, endpointOf, nameOf, routeClauseOf } from '../../spec/endpoint-ids.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import { type Check, stemOf } from '../trial/check.js';
import type { Presence } from '../trial/presence.js';
import type { EndedCheck } from './record.js';
import { againstOwn, notTested } from './verdict.js';

/**
 * The ended checks, with missing endpoints judged at the end of the run. Of the checks that lacked an endpoint, the first that judges
 * its existence fails, so each missing endpoint is one failure. If the endpoint answered in another check, every check that found
 * it missing fails.
 */
export function settled(
  checks: readonly Check[],
  found: readonly EndedCheck[],
  presence: Presence,
  strict: boolean,
): readonly EndedCheck[] {
  const runs = withBrokenOff(
    found.map((run) => withoutSubject(run, presence)),
    presence,
  );
  const reporters = new Map<string, EndpointId>();
  for (const id of endpointIds) {
    if (presence.unservedBy(id) === undefined) continue;
    const needing = runs.filter((run) => lackOf(run) === id);
    const chosen = reporterOf(checks, id)?.id;
    // If no check that judges the endpoint was chosen, the first check that needed it reports it.
    const reporter = needing.some((run) => run.id === chosen) ? chosen : needing[0]?.id;
    if (reporter !== undefined && !reporters.has(reporter)) reporters.set(reporter, id);
  }
  return runs.map((run): EndedCheck => {
    const lacking = lackOf(run);
    const reported = reporters.get(run.id);
    if (reported !== undefined) return asFailure(run, reported, presence, strict);
    if (lacking === undefined || presence.unservedBy(lacking) !== undefined) return run;
    return asFailure(run, lacking, presence, strict);
  });
}

/** The missing endpoint that ended a check. */
function lackOf({ end }: EndedCheck): EndpointId | undefined {
  return end !== undefined && 'not_served' in end ? (end.not_served as EndpointId) : undefined;
}

/** If an endpoint cuts connections and no check has reported it yet, the first check that needs the endpoint does. */
function withBrokenOff(runs: readonly EndedCheck[], presence: Presence): readonly EndedCheck[] {
  const reported = new Set(
    runs.flatMap(({ evidence }) => evidence.flatMap(({ cause, endpoint }) => (cause === 'no-reply' ? [endpoint] : []))),
  );
  const reporters = new Map<string, EndpointId>();
  for (const id of endpointIds) {
    const waits = ({ end }: EndedCheck): boolean => end?.why?.kind === 'no-reply' && end.why.of === id;
    const first = reported.has(nameOf(id)) ? undefined : runs.find(waits);
    if (first !== undefined && presence.brokenOffBy(id) !== undefined) reporters.set(first.id, id);
  }
  return runs.map((run) => {
    const id = reporters.get(run.id);
    if (id === undefined) return run;
    const clause = routeClauseOf(id);
    const seen = {
      about: 'no reply',
      expected: 'a reply',
      actual: presence.brokenOffBy(id) ?? '',
      cause: 'no-reply',
    } as const;
    const { level } = clauseById(clause);
    return {
      ...run,
      evidence: [...run.evidence, { clauses: [clause], level, n: 0, endpoint: nameOf(id), ok: false, ...seen }],
    };
  });
}

/** The check that reports a missing endpoint: the first that judges its existence. */
function reporterOf(checks: readonly Check[], id: EndpointId): Check | undefined {
  const { stem } = endpointOf(id);
  return checks.find((check) => stemOf(check) === stem && check.clauses.includes(routeClauseOf(id)));
}

/** A check about an endpoint that turned out to be missing is not tested: its findings do not count. */
function withoutSubject(run: EndedCheck, presence: Presence): EndedCheck {
  const lacking = againstOwn(run.evidence, run.clauses).length > 0 ? presence.lacking(run) : undefined;
  return lacking === undefined ? run : { ...run, evidence: [], end: notTested(presence.reasonOf(lacking)) };
}

function asFailure(run: EndedCheck, id: EndpointId, presence: Presence, strict: boolean): EndedCheck {
  const gone = presence.unservedBy(id);
  const clause = routeClauseOf(id);
  const { level } = clauseById(clause);
  const seen = {
    about: 'existence',
    expected: gone === undefined ? 'an answer, as other requests got' : 'the endpoint',
    actual: gone ?? presence.refusedBy(id),
  };
  const cause = 'refused';
  const against: SeenEvidence = { clauses: [clause], level, n: 0, endpoint: nameOf(id), ok: false, ...seen, cause };
  const own = run.clauses.includes(clause);
  const verdict = strict || level === 'must' ? 'fail' : 'advisory';
  const failing = { ...run, evidence: [...run.evidence, against] };
  if (!own && gone !== undefined) return failing;
  const lacking = gone === undefined ? {} : { not_served: id };
  return { ...failing, end: { verdict, ...seen, about: nameOf(id), ...lacking } };
}

/** The missing endpoints that made checks fail or kept them from being judged. */
export function notServedIn(results: readonly CheckResult[]): readonly NotServedEndpoint[] {
  return endpointIds.flatMap((id) => {
    const found = results.filter((result) => result.not_served === id);
    if (found.length === 0) return [];
    const { method, path, section, stem } = endpointOf(id);
    const checks = found.filter(({ verdict }) => verdict === 'not-tested').length;
    return [{ endpoint: id, method, path, section, stem, checks }];
  });
}
