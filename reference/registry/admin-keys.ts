import { keyDigest } from './columns/key-digest.js';
import { nextHex } from './columns/stream.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

const KEY_BYTES = 32;

/** 5: makes an admin key, `pva_` and hex. It is told this once. */
export function issueAdminKey(registry: Registry): string {
  const key = `pva_${nextHex(registry.stream, KEY_BYTES)}`;
  registry.adminKeys.set(keyDigest(key), false);
  return key;
}

/** Ends an admin key. False for a key that was never given. */
export function expireAdminKey(registry: Registry, key: string): boolean {
  const digest = keyDigest(key);
  if (!registry.adminKeys.has(digest)) return false;
  registry.adminKeys.set(digest, true);
  return true;
}

/** Section 7: no admin key 401 AUTH_MISSING; one that is unknown or has expired 401 AUTH_INVALID. */
export function authenticateAdmin(registry: Registry, key: string | undefined): { readonly ok: true } | Refusal {
  if (key === undefined) return refuse('subsidy/AUTH_MISSING', 'send Authorization: Bearer <admin key>');
  const expired = registry.adminKeys.get(keyDigest(key));
  if (expired === undefined) return refuse('subsidy/AUTH_INVALID', 'the admin key is unknown');
  return expired ? refuse('subsidy/AUTH_INVALID', 'the admin key has expired') : { ok: true };
}
