/**
 * The requests that a run sends for itself, outside of any check: probes, census and comparison of clients. Requests of
 * checks are in trial/caller.ts.
 */
import type { Protocol } from '../../spec/protocol.js';
import { type EndpointId, endpointOf } from '../protocol/endpoints.js';
import { isLoopback, type Target } from '../target/target.js';
import { type Check, sleepsOf } from '../trial/check.js';
import { REUSED_REGISTRATIONS } from '../trial/fixtures.js';
import { type Offers, reusesAgents } from '../trial/needs.js';
import type { Selection } from './select.js';

/** Calls that change nothing: lookups, and one without the key that it needs. */
const PROBES = [
  { method: 'GET', path: '/.well-known/authority-key' },
  { method: 'GET', path: '/fees/summary' },
  { method: 'POST', path: '/agent/init' },
] as const;

/** A registration without a name: to be refused, but by a server that may be wrong, so it is a write. */
const WRITING_PROBE = { method: 'POST', path: '/register' } as const;

/** Whether a run may send requests that write: to this machine, or with leave, and not by a profile that reads. */
export function mayWrite(
  { baseUrl }: Pick<Target, 'baseUrl'>,
  { profile, allowWrites }: Selection & { readonly allowWrites?: boolean },
): boolean {
  return profile?.readOnly !== true && (allowWrites === true || isLoopback(baseUrl));
}

/** The calls by which a run finds out whether a target speaks at all, one after the other. */
export function probesOf(
  target: Pick<Target, 'baseUrl'>,
  options: Selection & { readonly allowWrites?: boolean },
): readonly { readonly method: string; readonly path: string }[] {
  return mayWrite(target, options) ? [...PROBES, WRITING_PROBE] : PROBES;
}

/** How many calls show whether a target distinguishes clients: one address fills its bucket, another one asks. */
export function callsToTellApart({ limits }: Protocol): number {
  return limits.init.count + 2;
}

/** An upper bound on the requests of the run itself, besides those of its checks. */
export interface OwnRequests {
  /** To learn what the target is and offers. */
  readonly probes: number;
  /** For what checks share: an agent, addresses, keys, and whether webhooks arrive. */
  readonly shared: number;
  readonly clockMoves: number;
  /** Requests of checks that a rate limit made them send again: where all of them have one address. */
  readonly again: number;
  /** Those of `probes` and `shared` that write. */
  readonly writing: number;
  readonly registrations: number;
  readonly lamports: number;
}

/** The capabilities of a control API; twice the clock, whether it stands still; once more, when the run begins. */
const CONTROL = { capabilities: 1, clock: 3 } as const;
/** Where fees are paid, which key signs, when anchors are issued. */
const FACTS = 3;
/** An agent that checks share is registered and started, again when time has passed; how often, as measured. */
const SHARED_AGENTS = 3;
/** How a path that nobody has is answered. */
const UNKNOWN_PATHS = 1;
const ROOT = { requests: 2, registrations: 1 } as const;
/** Whether webhooks arrive: a partner, its webhook, and the SIGIL of an agent with a wallet (partner-webhook-call.ts). */
const WEBHOOKS = { requests: 8, registrations: 2 } as const;
/** Of a full run some seventy requests are sent again where it has one address: those of the narrowest limits. */
const AGAIN_MAX = 100;

/** Upper estimates of the requests that a run sends besides those of its checks. */
export function ownRequests(
  checks: readonly Check[],
  target: Target,
  offers: Offers,
  /** Probes of whether the target answers, of the endpoints, and of whether it keeps addresses apart. */
  {
    probes,
    asked: endpoints,
    waits,
  }: {
    readonly probes: ReturnType<typeof probesOf>;
    readonly asked: readonly EndpointId[];
    readonly waits: number;
  },
): OwnRequests {
  const [clock, apart] = [offers.has.has('clock'), offers.has.has('client-ip')];
  const asked = (target.control === undefined ? 0 : CONTROL.capabilities) + (clock ? CONTROL.clock : 0);
  const before = probes.length + asked + (apart ? callsToTellApart(target.protocol) : 0);
  const tried = probes.includes(WRITING_PROBE) ? 1 : 0;
  if (checks.length === 0) {
    return { probes: before, shared: 0, clockMoves: 0, again: 0, writing: tried, registrations: tried, lamports: 0 };
  }
  const roots = checks.some(({ writes }) => writes) ? SHARED_AGENTS : 0;
  const webhooks = checks.some(({ needs }) => needs.includes('webhooks'));
  const arrival = webhooks ? WEBHOOKS : { requests: 0, registrations: 0 };
  const stalls = checks.filter(({ controls = [] }) => controls.includes('anchors/stall')).length;
  const again = apart ? 0 : Math.min(AGAIN_MAX, total(checks.map(({ requests }) => requests)));
  // A payment on a ledger may have to wait for slots of the target's own clock.
  const paying = target.payments.kind === 'solana-rpc' ? checks.filter(({ needs }) => needs.includes('payments')) : [];
  const confirmed = total(paying.map(({ requests }) => requests));
  const reused = checks.some((check) => reusesAgents(offers.has, check)) ? REUSED_REGISTRATIONS : 0;
  const census = endpoints.length === 0 ? 0 : endpoints.length + UNKNOWN_PATHS;
  const writing =
    (roots + reused) * ROOT.requests +
    arrival.requests +
    endpoints.filter((id) => endpointOf(id).method !== 'GET').length;
  // In real time a check asks for the latest anchor when it begins, before each sleep and after it.
  const looks = offers.observedSec > 0 ? total(checks.map((check) => (check.waits ? 2 * sleepsOf(check) + 1 : 0))) : 0;
  return {
    // The total of fees is asked for once more, when the run begins.
    probes: before + 1,
    // A check that stalls and resumes anchors makes the run ask again when they are issued.
    shared: FACTS + 2 * stalls + (roots + reused) * ROOT.requests + arrival.requests + census + looks,
    clockMoves: clock ? total(checks.map(sleepsOf)) + waits + again + confirmed : 0,
    again,
    writing: tried + writing,
    registrations: tried + (roots + reused) * ROOT.registrations + arrival.registrations,
    lamports: webhooks ? target.protocol.sigil.narrowTaskFeeLamports : 0,
  };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
