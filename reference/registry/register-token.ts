/** The rule of POST /register/token (4.3): issues registration tokens. They are checked in register.ts. */

import { issueOneTime } from './one-time.js';
import type { Registry } from './state.js';

/** The flow of registration tokens among the one-time values. */
export const TOKEN_FLOW = 'register-token';

/** 4.3: issues a token that replaces the registration secret once, for `tokenTtlSec` seconds. Refuses no caller. */
export function registerToken(registry: Registry, nowMs: number): { readonly ok: true; readonly token: string } {
  const { tokenBytes, tokenTtlSec } = registry.protocol.registration;
  return { ok: true, token: issueOneTime(registry, TOKEN_FLOW, tokenBytes, tokenTtlSec, nowMs) };
}
