/**
 * Admin keys: issuing, expiring and authenticating them (section 5). How the control API offers that is its own
 * concern.
 */

import { keyDigest } from './columns/key-digest.js';
import { nextHex } from './columns/stream.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

const KEY_BYTES = 32;

/** 5: issues an admin key, `pva_` and hex. Only its digest is kept, so it is returned this once. */
export function issueAdminKey(registry: Registry): string {
  const key = `pva_${nextHex(registry.stream, KEY_BYTES)}`;
  registry.adminKeys.set(keyDigest(key), false);
  return key;
}

/** Expires an admin key. Returns false for a key that was never issued. */
export function expireAdminKey(registry: Registry, key: string): boolean {
  const digest = keyDigest(key);
  if (!registry.adminKeys.has(digest)) return false;
  registry.adminKeys.set(digest, true);
  return true;
}

/**
 * Section 7: authenticates an admin. Refuses a missing key with 401 AUTH_MISSING, an unknown or expired one with 401
 * AUTH_INVALID.
 */
export function authenticateAdmin(registry: Registry, key: string | undefined): { readonly ok: true } | Refusal {
  if (key === undefined) return refuse('subsidy/AUTH_MISSING', 'send Authorization: Bearer <admin key>');
  const expired = registry.adminKeys.get(keyDigest(key));
  if (expired === undefined) return refuse('subsidy/AUTH_INVALID', 'the admin key is unknown');
  return expired ? refuse('subsidy/AUTH_INVALID', 'the admin key has expired') : { ok: true };
}
