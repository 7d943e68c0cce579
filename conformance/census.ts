import type { CheckResult } from '../reports/conformance-result.js';
import type { Check } from './check.js';
import { type EndpointId, endpointOf } from './endpoints.js';
import { sharedRoot } from './fixtures.js';
import { Mismatched } from './mismatch.js';
import { endpointsToAsk, NotServed, needOf } from './presence.js';
import { unrunResult } from './run-check.js';
import { isUnsupported } from './select.js';
import type { Session } from './session.js';
import { TransportFailure } from './transport.js';
import { Unjudged } from './verdict.js';

/** The checks that can be run, and the results of those whose endpoint is not there. */
export interface Census {
  readonly there: readonly Check[];
  readonly gone: readonly CheckResult[];
}

/**
 * Asks once for every endpoint that the checks are about, so that nothing is spent on those that the target has not: by
 * calls without a key, which change nothing. A lookup is asked for the agent that checks share, since of no other hash it
 * is known that a 404 is not the endpoint's own.
 */
export async function takeCensus(
  session: Session,
  checks: readonly Check[],
  running: readonly Check[],
  mayWrite: boolean,
): Promise<Census> {
  const { target } = session;
  const asked = endpointsToAsk(checks, running, target, mayWrite);
  const isLookup = (id: EndpointId): boolean => endpointOf(id).path.endsWith('/:hash');
  const hash = asked.some(isLookup) && mayWrite ? await sharedHash(session) : undefined;
  const known = asked.filter((id) => hash !== undefined || !isLookup(id));
  await Promise.all(known.map((id) => ask(session, id, hash)));
  const gone = checks.flatMap((check) => {
    const lacking = isUnsupported(check, target.unsupported) ? undefined : session.presence.lacking(check);
    if (lacking === undefined) return [];
    return [unrunResult(check, { verdict: 'not-tested', reason: needOf(lacking, false), not_served: lacking })];
  });
  const left = new Set(gone.map(({ id }) => id));
  return { there: checks.filter(({ id }) => !left.has(id)), gone };
}

/** The hash of the agent that checks share; undefined where none can be made, which its checks will tell. */
async function sharedHash(session: Session): Promise<string | undefined> {
  return settledBy(async () => (await sharedRoot(session.house())).hash);
}

/** Whatever comes is noted by the call itself. */
async function ask(session: Session, id: EndpointId, hash = ''): Promise<void> {
  await settledBy(() => session.house().call(id, { params: { hash }, mayLimit: true }));
}

/** What steps give; undefined where the target does not let them: that is for the checks to find. */
async function settledBy<T>(steps: () => Promise<T>): Promise<T | undefined> {
  try {
    return await steps();
  } catch (error) {
    const foreseen = [NotServed, Mismatched, Unjudged, TransportFailure].some((kind) => error instanceof kind);
    if (!foreseen) throw error;
    return undefined;
  }
}
