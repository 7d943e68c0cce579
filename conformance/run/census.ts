/**
 * Finds the endpoints of the target before checks run, so that no payment or registration is spent on missing ones.
 * judge/not-served.ts decides whether a missing endpoint fails the run.
 */

import { type EndpointId, endpointIds, endpointOf, routeClauseOf } from '../../spec/endpoint-ids.js';
import { Unjudged } from '../assertions/unjudged.js';
import type { EndedCheck } from '../judge/record.js';
import { notTested } from '../judge/verdict.js';
import type { Target } from '../target/target.js';
import { type Check, stemOf } from '../trial/check.js';
import { reusedRoot, sharedRoot } from '../trial/fixtures.js';
import type { Session } from '../trial/session.js';
import { TransportFailure } from '../wire/transport.js';
import { unrun } from './run-check.js';
import { isUnsupported } from './select.js';

/** The checks that can run, and the checks that lack an endpoint. */
interface Census {
  readonly there: readonly Check[];
  readonly gone: readonly EndedCheck[];
}

/**
 * Calls every endpoint of the checks once, without a key, so that nothing changes. Lookups ask for the shared agent: for another
 * hash, a 404 could mean that the agent does not exist.
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
  const registers = running.some((check) => check.registers > 0);
  const shared = asked.some(isLookup) && mayWrite ? await sharedHash(session, registers) : undefined;
  // Without register no agent can exist: compare replies with that of an unknown path, and call init here, since no check can.
  const isEmpty = session.presence.unservedBy('register') !== undefined;
  const hash = isEmpty ? NO_AGENT : shared;
  const known = [...asked.filter((id) => hash !== undefined || !isLookup(id)), ...(isEmpty ? WITH_AGENTS : [])];
  await Promise.all(known.map((id) => ask(session, id, hash)));
  const gone = checks.flatMap((check) => {
    const lacking = isUnsupported(check, target.unsupported) ? undefined : session.presence.lacking(check);
    if (lacking === undefined) return [];
    return [unrun(check, notTested(session.presence.reasonOf(lacking)))];
  });
  const left = new Set(gone.map(({ id }) => id));
  return { there: checks.filter(({ id }) => !left.has(id)), gone };
}

/**
 * The hash of the shared agent; undefined if it cannot be registered, as checks will report. If checks register agents, and the limit of
 * registrations is already used up, the run stops, since it would judge almost nothing.
 */
async function sharedHash(session: Session, registers: boolean): Promise<string | undefined> {
  const started = await unlessFailed(async () => {
    try {
      return (await sharedRoot(session.runTrial())).hash;
    } catch (error) {
      if (registers && error instanceof Unjudged && error.because.why?.kind === 'address')
        session.wire.stop(`${LIMIT_USED_UP}: ${error.message}`, { ...error.because, unjudgeable: true });
      throw error;
    }
  });
  // A server without init still has agents, with chains that are not started.
  if (started !== undefined || session.presence.unservedBy('init') === undefined) return started;
  return unlessFailed(async () => (await reusedRoot(session.runTrial(), {}, 1)).hash);
}

const LIMIT_USED_UP =
  'no agent can be registered, since another run has used up the limits of registration (wait until they end, or restart the server to reset them)';

const NO_AGENT = `0x${'0'.repeat(64)}`;

/** Calls an endpoint. The call records whether the endpoint exists, so the reply is not needed. */
async function ask(session: Session, id: EndpointId, hash = ''): Promise<void> {
  await unlessFailed(() => session.runTrial().call(id, { params: { hash }, mayLimit: true }));
}

/** The result of steps; undefined if they fail at the target, as checks will report. */
async function unlessFailed<T>(steps: () => Promise<T>): Promise<T | undefined> {
  try {
    return await steps();
  } catch (error) {
    if (!(error instanceof Unjudged) && !(error instanceof TransportFailure)) throw error;
    return undefined;
  }
}

/** If agents can be registered, checks call these endpoints. */
const WITH_AGENTS: readonly EndpointId[] = ['register-token', 'init'];
/** Endpoints with low limits, which many checks call: the census leaves them out. */
const ASKED_ANYWAY: readonly EndpointId[] = ['register', ...WITH_AGENTS];

/**
 * The endpoints of the registry that the census calls: those of the chosen checks, except if a check counts the requests of its
 * address, and so must send the first one.
 */
export function endpointsToAsk(
  chosen: readonly Check[],
  running: readonly Check[],
  { unsupported, clientIp }: Pick<Target, 'unsupported' | 'clientIp'>,
  mayWrite: boolean,
): readonly EndpointId[] {
  if (running.length === 0) return [];
  const judged = chosen.filter((check) => !isUnsupported(check, unsupported));
  const counted = clientIp === 'none' ? running.filter(({ runsAlone }) => runsAlone === true).map(stemOf) : [];
  return endpointIds.filter((id) => {
    const { service, method, stem } = endpointOf(id);
    if (service !== 'registry' || ASKED_ANYWAY.includes(id) || (method !== 'GET' && !mayWrite)) return false;
    return !counted.includes(stem) && judged.some(({ clauses }) => clauses.includes(routeClauseOf(id)));
  });
}
