/**
 * Sponsorships: making, ending and listing them, and their end by a freeze (3.4, 4.13, D-30). Charging heartbeats to
 * them is in sponsored-heartbeat.ts.
 */

import { ISO_MS_MAX } from '../../spec/formats.js';
import { HOUR_MS } from '../../spec/time.js';
import { walletChains } from '../../spec/vocabulary.js';
import type { Sponsorship } from './columns/records.js';
import { billingEpoch } from './fees.js';
import { type Refusal, refuse } from './refusal.js';
import { currentBeat, FROZEN, type Registry } from './state.js';

interface SponsorInput {
  /** The row of the sponsor. */
  readonly agent: number;
  /** The child's row, or -1 for an unknown hash. */
  readonly child: number;
  readonly heartbeatsEpochMax?: number | undefined;
  readonly expiresInHours?: number | undefined;
}

/** 4.13: makes a sponsorship, or renews one: cap and expiry change, while use and creation stay (D-30). */
export function sponsor(
  registry: Registry,
  input: SponsorInput,
  nowMs: number,
): { ok: true; sponsorship: Sponsorship } | Refusal {
  const { agent, child } = input;
  const expiresAtMs = input.expiresInHours === undefined ? null : nowMs + Math.floor(input.expiresInHours * HOUR_MS);
  if (expiresAtMs !== null && expiresAtMs > ISO_MS_MAX) {
    return refuse('sponsor/VALIDATION', 'expires_in_hours: must end before the year 10000');
  }
  const refused = refuseSponsor(registry, agent, child);
  if (refused !== null) return refused;
  const heartbeatsEpochMax = input.heartbeatsEpochMax ?? registry.protocol.sponsor.heartbeatsEpochDefault;
  const known = sponsorshipBetween(registry, agent, child);
  if (known !== undefined) {
    Object.assign(known, { heartbeatsEpochMax, expiresAtMs, state: 'active' } satisfies Partial<Sponsorship>);
    return { ok: true, sponsorship: known };
  }
  const made: Sponsorship = {
    parent: agent,
    child,
    createdAtMs: nowMs,
    heartbeatsEpochMax,
    expiresAtMs,
    state: 'active',
    epoch: billingEpoch(registry.protocol, currentBeat(registry)),
    used: 0,
  };
  append(registry.sponsorships.byChild, child, made);
  append(registry.sponsorships.byParent, agent, made);
  return { ok: true, sponsorship: made };
}

function refuseSponsor(registry: Registry, agent: number, child: number): Refusal | null {
  const { columns, line } = registry.agents;
  if (child < 0) return refuse('sponsor/AGENT_NOT_FOUND');
  if (line.status(agent) === FROZEN) return refuse('sponsor/SPONSOR_PARENT_FROZEN');
  if (child === agent) return refuse('sponsor/SPONSOR_INVALID');
  if (!isAncestor(registry, agent, child)) return refuse('sponsor/SPONSOR_NOT_ANCESTOR');
  // D-51: the wallet has to be one that can send lamports.
  if (line.wallet(agent) < 0 || walletChains[columns.walletChain[agent]!] !== 'solana')
    return refuse('sponsor/WALLET_REQUIRED');
  return null;
}

/** Whether finalized links lead from the child up to the agent (D-31). */
function isAncestor(registry: Registry, agent: number, child: number): boolean {
  const { parent, linked } = registry.agents.columns;
  for (let row = child; linked[row] === 1; row = parent[row]!) if (parent[row] === agent) return true;
  return false;
}

/** 4.13: ends an active sponsorship. */
export function unsponsor(
  registry: Registry,
  input: Pick<SponsorInput, 'agent' | 'child'>,
  nowMs: number,
): { readonly ok: true } | Refusal {
  if (input.child < 0) return refuse('sponsor/AGENT_NOT_FOUND');
  const known = sponsorshipBetween(registry, input.agent, input.child);
  if (known === undefined || !isActive(known, nowMs)) return refuse('sponsor/SPONSOR_NOT_FOUND');
  known.state = 'revoked';
  return { ok: true };
}

/** 4.13 and D-30: every sponsorship that an agent has given, of any status, the oldest first. */
export function sponsorshipsOf(registry: Registry, parent: number): readonly Sponsorship[] {
  return registry.sponsorships.byParent.get(parent) ?? [];
}

/** Whether a sponsorship is active at this moment; it is through the last millisecond of its time. */
export function isActive(sponsorship: Sponsorship, nowMs: number): boolean {
  return sponsorship.state === 'active' && (sponsorship.expiresAtMs === null || nowMs <= sponsorship.expiresAtMs);
}

/** 2.10 and D-30: the status on the wire. */
export function sponsorshipStatus(sponsorship: Sponsorship, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (sponsorship.state !== 'active') return 'revoked';
  return isActive(sponsorship, nowMs) ? 'active' : 'expired';
}

/** The heartbeats that a sponsorship has paid in this billing epoch. */
export function usedInEpoch(registry: Registry, sponsorship: Sponsorship): number {
  return sponsorship.epoch === billingEpoch(registry.protocol, currentBeat(registry)) ? sponsorship.used : 0;
}

/** 3.4: revokes the sponsorships on both sides of an agent that froze. An expired one stays expired (D-30). */
export function revokeOnFreeze(registry: Registry, agent: number, nowMs: number): void {
  for (const each of registry.sponsorships.byParent.get(agent) ?? []) {
    if (isActive(each, nowMs)) each.state = 'revoked-by-sponsor-freeze';
  }
  revokeOfChild(registry, agent, nowMs);
}

/** 3.4: revokes the sponsorships of a child that froze, or whose key was revoked. */
export function revokeOfChild(registry: Registry, agent: number, nowMs: number): void {
  for (const each of registry.sponsorships.byChild.get(agent) ?? []) {
    if (isActive(each, nowMs)) each.state = 'revoked';
  }
}

/** The sponsorship of a child by an ancestor, of any status; undefined if there was none. */
export function sponsorshipBetween(registry: Registry, parent: number, child: number): Sponsorship | undefined {
  return registry.sponsorships.byChild.get(child)?.find((each) => each.parent === parent);
}

function append(lists: Map<number, Sponsorship[]>, key: number, value: Sponsorship): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
