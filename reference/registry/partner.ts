/**
 * Partners and their keys: adding, authenticating, expiring and suspending (section 5, D-54). Their webhooks are in
 * partner-webhook.ts.
 */

import { keyDigest } from './columns/key-digest.js';
import { nextHex } from './columns/stream.js';
import { dropDeliveries } from './outbox.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

const KEY_BYTES = 32;
const REF_BYTES = 8;

/**
 * Adds a partner. Only the digest of its key, `pvt_` on devnet and `pvp_` on mainnet (D-54), is kept, so the key is
 * returned this once.
 */
export function addPartner(registry: Registry, name: string): { readonly key: string; readonly ref: string } {
  const prefix = registry.policy.network === 'mainnet' ? 'pvp_' : 'pvt_';
  const key = `${prefix}${nextHex(registry.stream, KEY_BYTES)}`;
  const ref = nextHex(registry.stream, REF_BYTES);
  registry.partners.push({ name, ref, keyDigest: keyDigest(key), keyExpired: false, suspended: false, webhook: null });
  return { key, ref };
}

/** The number of the partner with this `ref`, or -1. */
export function partnerByRef(registry: Registry, ref: string): number {
  return registry.partners.findIndex((partner) => partner.ref === ref);
}

/**
 * Expires a partner's key. The partner stays: agents remain under it, and its webhook still gets deliveries. Returns
 * false for a key that was never issued.
 */
export function expirePartnerKey(registry: Registry, key: string): boolean {
  const found = registry.partners[partnerOfKey(registry, key)];
  if (found === undefined) return false;
  found.keyExpired = true;
  return true;
}

function partnerOfKey(registry: Registry, key: string): number {
  const digest = keyDigest(key);
  return registry.partners.findIndex((partner) => partner.keyDigest === digest);
}

/** Suspends a partner: its key is refused, and deliveries that wait are dropped. */
export function suspendPartner(registry: Registry, partner: number): void {
  const found = registry.partners[partner];
  if (found === undefined) throw new RangeError(`there is no partner ${partner}`);
  found.suspended = true;
  dropDeliveries(registry, partner);
}

/**
 * Section 7: authenticates a partner. Refuses a missing key with 401 AUTH_MISSING; an unknown or expired one (D-54), or
 * that of a suspended partner, with 403 AUTH_FORBIDDEN.
 */
export function authenticatePartner(
  registry: Registry,
  key: string | undefined,
): { readonly ok: true; readonly partner: number } | Refusal {
  if (key === undefined) return refuse('partner-webhook/AUTH_MISSING', 'send Authorization: Bearer <partner key>');
  const partner = partnerOfKey(registry, key);
  const known = registry.partners[partner];
  if (known === undefined) return refuse('partner-webhook/AUTH_FORBIDDEN', 'no partner has this key');
  if (known.keyExpired) return refuse('partner-webhook/AUTH_FORBIDDEN', 'the partner key has expired');
  if (known.suspended) return refuse('partner-webhook/AUTH_FORBIDDEN', 'the partner is suspended');
  return { ok: true, partner };
}
