/**
 * Endpoints that the target turned out not to have: each is one failure, reported by one check, and the other checks that needed
 * it are not judged. trial/presence.ts decides whether a reply is that of a missing endpoint.
 */
import type { CheckResult, NotServedEndpoint } from '../../results/conformance-result.js';
import { clauseById } from '../../spec/clauses/index.js';
import { type EndpointId, endpointIds, endpointOf, nameOf, routeClauseOf } from '../../spec/endpoint-ids.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import { type Check, stemOf } from '../trial/check.js';
import { notServed, type Presence } from '../trial/presence.js';
import type { CheckRun } from './record.js';
import { baseOf, notTested } from './verdict.js';

/**
 * The runs of checks, revised by what is known at the end of the run. Of the checks that lacked an endpoint, the first that judges
 * its existence fails, so that each missing endpoint is one failure. An endpoint that did answer in another check exists, and a
 * check that found it missing has found a fault.
 */
export function settled(
  checks: readonly Check[],
  found: readonly CheckRun[],
  presence: Presence,
  strict: boolean,
): readonly CheckRun[] {
  const runs = withBrokenOff(
    found.map((run) => withoutSubject(run, presence)),
    presence,
  );
  const reporters = new Map<string, EndpointId>();
  for (const id of endpointIds) {
    if (presence.unservedBy(id) === undefined) continue;
    const needing = runs.filter((run) => run.not_served === id);
    const chosen = reporterOf(checks, id)?.id;
    // If no check that judges the endpoint was chosen, the first check that needed it reports it.
    const reporter = needing.some((run) => run.id === chosen) ? chosen : needing[0]?.id;
    if (reporter !== undefined && !reporters.has(reporter)) reporters.set(reporter, id);
  }
  return runs.map((run): CheckRun => {
    const lacking = run.not_served as EndpointId | undefined;
    const reported = reporters.get(run.id);
    if (reported !== undefined) return asFailure(run, reported, presence, strict);
    if (lacking === undefined || presence.unservedBy(lacking) !== undefined) return run;
    return asFailure(run, lacking, presence, strict);
  });
}

/** Where only requests of the run itself met an endpoint that breaks off, the first check that waits for it says so. */
function withBrokenOff(runs: readonly CheckRun[], presence: Presence): readonly CheckRun[] {
  const reported = new Set(
    runs.flatMap(({ evidence }) => evidence.flatMap(({ cause, endpoint }) => (cause === 'no-reply' ? [endpoint] : []))),
  );
  const reporters = new Map<string, EndpointId>();
  for (const id of endpointIds) {
    const waits = ({ why }: CheckRun): boolean => why?.kind === 'no-reply' && why.of === id;
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

/** The check that fails if an endpoint is missing: the first that judges its existence. */
function reporterOf(checks: readonly Check[], id: EndpointId): Check | undefined {
  const { stem } = endpointOf(id);
  return checks.find((check) => stemOf(check) === stem && check.clauses.includes(routeClauseOf(id)));
}

/** A check that judged an endpoint that turned out to be missing counts as not tested: what it found means nothing. */
function withoutSubject(run: CheckRun, presence: Presence): CheckRun {
  const lacking = run.verdict === 'fail' || run.verdict === 'advisory' ? presence.lacking(run) : undefined;
  if (lacking === undefined) return run;
  return {
    ...baseOf(run),
    evidence: [],
    ...notTested(notServed(lacking)),
  };
}

function asFailure(run: CheckRun, id: EndpointId, presence: Presence, strict: boolean): CheckRun {
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
  const { not_served: _, ...rest } = run;
  if (!own && gone !== undefined) return { ...run, evidence: [...run.evidence, against] };
  return {
    ...baseOf(rest as CheckRun),
    evidence: [...run.evidence, against],
    verdict,
    ...seen,
    about: nameOf(id),
    ...(gone === undefined ? {} : { not_served: id }),
  };
}

/** The missing endpoints because of which checks failed or could not be judged. */
export function notServedIn(results: readonly CheckResult[]): readonly NotServedEndpoint[] {
  return endpointIds.flatMap((id) => {
    const found = results.filter((result) => result.not_served === id);
    if (found.length === 0) return [];
    const { method, path, section, stem } = endpointOf(id);
    const checks = found.filter(({ verdict }) => verdict === 'not-tested').length;
    return [{ endpoint: id, method, path, section, stem, checks }];
  });
}
