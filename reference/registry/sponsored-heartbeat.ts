/** The sender rule of sponsored heartbeats (4.5, D-28, D-29, D-50). How sponsorships are made is in sponsor.ts. */

import type { Sponsorship } from './columns/records.js';
import { type Refusal, refuse } from './refusal.js';
import { isActive, usedInEpoch } from './sponsor.js';
import { FROZEN, type Registry } from './state.js';

/**
 * D-28: whether an agent without a wallet may try a heartbeat: it has an active sponsorship, or one that its sponsor's
 * freeze revoked while the sponsor is still frozen.
 */
export function hasSponsor(registry: Registry, child: number, nowMs: number): boolean {
  const { line } = registry.agents;
  return (registry.sponsorships.byChild.get(child) ?? []).some(
    (each) =>
      isActive(each, nowMs) || (each.state === 'revoked-by-sponsor-freeze' && line.status(each.parent) === FROZEN),
  );
}

/** 4.5, sender rule: the sponsorship to which a payment from this wallet is charged; refuses without one. */
export function payingSponsorship(
  registry: Registry,
  child: number,
  sender: number,
  nowMs: number,
): { readonly ok: true; readonly sponsorship: Sponsorship } | Refusal {
  const { line } = registry.agents;
  const from = (registry.sponsorships.byChild.get(child) ?? []).filter(
    ({ parent }) => sender >= 0 && line.wallet(parent) === sender,
  );
  // D-50: the nearest ancestor with room under its cap pays; it has the greatest depth.
  const holding = from
    .filter((each) => isActive(each, nowMs))
    .toSorted((a, b) => line.depth(b.parent) - line.depth(a.parent));
  const open = holding.find((each) => usedInEpoch(registry, each) < each.heartbeatsEpochMax);
  if (open !== undefined) return { ok: true, sponsorship: open };
  if (holding.length > 0) return refuse('heartbeat/SPONSOR_CAP_REACHED');
  // D-29: the sponsor's own freeze revoked the sponsorship.
  const silenced = from.some(
    ({ state, parent }) => state === 'revoked-by-sponsor-freeze' && line.status(parent) === FROZEN,
  );
  return refuse(silenced ? 'heartbeat/SPONSOR_PARENT_FROZEN' : 'heartbeat/PAYMENT_SENDER_MISMATCH');
}

/** 4.5: charges a heartbeat to a sponsorship. */
export function chargeSponsorship(registry: Registry, sponsorship: Sponsorship, epoch: number): void {
  sponsorship.used = usedInEpoch(registry, sponsorship) + 1;
  sponsorship.epoch = epoch;
}
