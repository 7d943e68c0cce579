/**
 * Estimates the requests that a run sends in addition to those of its checks: probes, census, shared agents, moves of the clock.
 * trial/caller.ts sends the requests of checks.
 */

import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import type { Protocol } from '../../spec/protocol.js';
import { isLoopback, type Target } from '../target/target.js';
import { type Check, sleepsOf } from '../trial/check.js';
import { effectRequests } from '../trial/control-effects.js';
import { REUSED_REGISTRATIONS, sigilPriceLamports } from '../trial/fixtures.js';
import { type Offers, reusesAgents } from '../trial/needs.js';
import type { Selection } from './select.js';

/** Calls that change nothing: lookups, and a call without its required key. */
const PROBES = [
  { method: 'GET', path: '/.well-known/authority-key' },
  { method: 'GET', path: '/fees/summary' },
  { method: 'POST', path: '/agent/init' },
] as const;

/** A registration without a name. A faulty server might accept it, so it counts as a write. */
const WRITING_PROBE = { method: 'POST', path: '/register' } as const;

/** Whether a run may send writing requests: only to this machine or with --allow-writes, and never in a read-only profile. */
export function mayWrite(
  { baseUrl }: Pick<Target, 'baseUrl'>,
  { profile, allowWrites }: Selection & { readonly allowWrites?: boolean },
): boolean {
  return profile?.readOnly !== true && (allowWrites === true || isLoopback(baseUrl));
}

/** The calls that show whether a target answers, in the order of their use. */
export function probesOf(
  target: Pick<Target, 'baseUrl'>,
  options: Selection & { readonly allowWrites?: boolean },
): readonly { readonly method: string; readonly path: string }[] {
  return mayWrite(target, options) ? [...PROBES, WRITING_PROBE] : PROBES;
}

/** The number of calls that test whether a target distinguishes clients: one address reaches its limit, then another calls once. */
export function callsToTellApart({ limits }: Protocol): number {
  return limits.init.count + 2;
}

/** Upper estimates of the requests that a run sends in addition to those of its checks. */
export interface OwnRequests {
  /** Requests that find out what the target offers. */
  readonly probes: number;
  /** Requests for facts that checks share: an agent, addresses, keys, and whether webhooks arrive. */
  readonly shared: number;
  readonly clockMoves: number;
  /** Reads for the model after accepted calls that may have changed something. */
  readonly looks: number;
  /** Requests that checks repeat after a rate limit, if they share one address. */
  readonly again: number;
  /** The part of `probes` and `shared` that writes. */
  readonly writing: number;
  readonly registrations: number;
  readonly lamports: number;
}

/** Requests to a control API: its capabilities; the clock twice, to see whether it is stopped; and the clock when the run begins. */
const CONTROL = { capabilities: 1, clock: 3 } as const;
/** Requests that test whether a move of the clock moves the anchors: one move, two reads of the clock, and reads of anchor and agent. */
const CLOCK_EFFECT = { clock: 3, anchors: 6 } as const;
/** Requests for shared facts: the payment address, the authority key, the times of anchors. */
const FACTS = 3;
/** The shared agent is replaced after some time, at most this often (measured). */
const SHARED_AGENTS = 9;
/** Requests to an unknown path, to know the target's reply. */
const UNKNOWN_PATHS = 1;
const ROOT = { requests: 2, registrations: 1 } as const;
/** A test whether webhooks arrive: a partner, its webhook, and the SIGIL of an agent with a wallet (partner-webhook-call.ts). */
const WEBHOOKS = { requests: 8, registrations: 2 } as const;
/** A full run with one address repeats some seventy requests with low limits. */
const AGAIN_MAX = 100;

/** The model reads the state after each kind of call of a check: at most six kinds, and one for every four requests (measured). */
const KINDS = { least: 6, requestsEach: 4 } as const;

/** Estimates the requests that a run sends in addition to those of its checks. */
export function ownRequests(
  checks: readonly Check[],
  target: Target,
  offers: Offers,
  /** `probes`: the calls that test whether the target answers; `asked`: the endpoints of the census; `looks`: whether the model reads the state. */
  {
    probes,
    asked: endpoints,
    waits,
    looks,
  }: {
    readonly probes: ReturnType<typeof probesOf>;
    readonly asked: readonly EndpointId[];
    readonly waits: number;
    readonly looks: boolean;
  },
): OwnRequests {
  const [clock, apart] = [offers.has.has('clock'), offers.has.has('client-ip')];
  const sleeps = clock && checks.some((check) => sleepsOf(check) > 0);
  const asked =
    (target.control === undefined ? 0 : CONTROL.capabilities) +
    (clock ? CONTROL.clock : 0) +
    (sleeps ? CLOCK_EFFECT.anchors : 0);
  const before = probes.length + asked + (apart ? callsToTellApart(target.protocol) : 0);
  const tried = probes.includes(WRITING_PROBE) ? 1 : 0;
  if (checks.length === 0) {
    return {
      probes: before,
      shared: 0,
      clockMoves: 0,
      looks: 0,
      again: 0,
      writing: tried,
      registrations: tried,
      lamports: 0,
    };
  }
  const roots = checks.some(({ writes }) => writes) ? SHARED_AGENTS : 0;
  const webhooks = checks.some(({ needs }) => needs.includes('webhooks'));
  const arrival = webhooks ? WEBHOOKS : { requests: 0, registrations: 0 };
  const stalls = checks.filter(({ controls = [] }) => controls.includes('anchors/stall')).length;
  const calls = callsOf(checks, target);
  const effects = apart ? effectRequests(calls) : 0;
  // Effects are tested by a SIGIL (transfer), a complaint of an agent with a SIGIL (review), and an agent (revoked key).
  const paid = [TRANSFERS, 'flags/:id/review'].filter((call) => calls.has(call));
  const buys = apart && target.budget.lamports === undefined ? paid.length : 0;
  const sigils = Number(webhooks) + buys;
  const agents = 3 * buys + (effects > 0 ? 1 : 0);
  const again = apart ? 0 : Math.min(AGAIN_MAX, total(checks.map(({ requests }) => requests)));
  // A payment on a ledger may wait for slots, which follow the target's clock.
  const paying = target.payments.kind === 'solana-rpc' ? checks.filter(({ needs }) => needs.includes('payments')) : [];
  const confirmed = total(paying.map(({ requests }) => requests));
  const reused = checks.some((check) => reusesAgents(offers.has, check)) ? REUSED_REGISTRATIONS : 0;
  const census = endpoints.length === 0 ? 0 : endpoints.length + UNKNOWN_PATHS;
  const writing =
    (roots + reused) * ROOT.requests +
    arrival.requests +
    endpoints.filter((id) => endpointOf(id).method !== 'GET').length;
  // Without a clock, a check reads the latest anchor when it begins, and before and after each sleep.
  const anchors =
    offers.observedSec > 0 ? total(checks.map((check) => (check.waits ? 2 * sleepsOf(check) + 1 : 0))) : 0;
  return {
    // One more read of the total of fees when the run begins.
    probes: before + 1,
    // After a check that stalls anchors, the run reads the times of anchors again.
    shared: FACTS + 2 * stalls + effects + (roots + reused) * ROOT.requests + arrival.requests + census + anchors,
    clockMoves: clock ? (sleeps ? CLOCK_EFFECT.clock : 0) + total(checks.map(sleepsOf)) + waits + again + confirmed : 0,
    looks: clock && apart && looks ? total(checks.map(looksOf)) : 0,
    again,
    writing: tried + writing,
    registrations: tried + (roots + reused) * ROOT.registrations + arrival.registrations + agents,
    lamports:
      sigils * sigilPriceLamports(target.protocol, 'narrow_task') +
      (webhooks ? target.protocol.heartbeat.tier1FeeLamports + target.protocol.heartbeat.epochFeeLamports : 0),
  };
}

const TRANSFERS = 'ledger/transfers';

/** The calls of the control API that checks make, directly or for their needs. */
function callsOf(checks: readonly Check[], { payments }: Target): ReadonlySet<string> {
  const by = { admin: 'admin-keys', partner: 'partners' } as const;
  const ledger = payments.kind === 'control' ? ['ledger/wallets', TRANSFERS] : [];
  return new Set(
    checks.flatMap(({ needs, controls = [] }) => [
      ...controls,
      ...(needs.includes('payments') ? ledger : []),
      ...(needs.includes('admin') ? [by.admin] : []),
      ...(needs.includes('partner') ? [by.partner] : []),
    ]),
  );
}

const looksOf = ({ requests }: Check): number =>
  Math.min(requests, KINDS.least + Math.floor(requests / KINDS.requestsEach));

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
