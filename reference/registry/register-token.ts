import { issueOneTime } from './one-time.js';
import type { Registry } from './state.js';

/** The flow of registration tokens among the one-time values. */
export const TOKEN_FLOW = 'register-token';

/** 4.3: a token that stands for the registration secret, once, for `tokenTtlSec` seconds. Refuses nobody. */
export function registerToken(registry: Registry, nowMs: number): { readonly ok: true; readonly token: string } {
  const { tokenBytes, tokenTtlSec } = registry.protocol.registration;
  return { ok: true, token: issueOneTime(registry, TOKEN_FLOW, tokenBytes, tokenTtlSec, nowMs) };
}
