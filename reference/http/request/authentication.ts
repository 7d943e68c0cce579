/**
 * Finds out who sends a request, from its Authorization header (section 5). Whether that caller may do what it asks is
 * not decided here.
 */

import type { Auth } from '../../../spec/endpoint.js';
import { authenticateAdmin } from '../../registry/admin-keys.js';
import { authenticate } from '../../registry/keys.js';
import { authenticatePartner } from '../../registry/partner.js';
import type { Refusal } from '../../registry/refusal.js';
import type { Registry } from '../../registry/state.js';

/** A request whose caller is not known yet. */
export interface UnauthenticatedRequest {
  readonly registry: Registry;
  readonly nowMs: number;
  /** A header by its lower-case name; the first value of a repeated header. */
  readonly header: (name: string) => string | undefined;
  /** The body as it was sent; undefined for a call without one and for one that could not be read. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** The caller: an agent's row or a partner's number; -1 for neither. */
export interface Identity {
  readonly agent: number;
  readonly partner: number;
}

export type Authentication = ({ readonly ok: true } & Identity) | Refusal;

/** A caller without a credential. */
export const ANONYMOUS: { readonly ok: true } & Identity = Object.freeze({ ok: true, agent: -1, partner: -1 });

/** 5: the token of `Authorization: Bearer`; undefined without one. */
function bearer(header: UnauthenticatedRequest['header']): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header('authorization') ?? '')?.[1];
}

/** 5: authenticates an agent by its key. Refuses with 401 AUTH_MISSING. */
export function byAgentKey({ registry, header }: UnauthenticatedRequest): Authentication {
  const known = authenticate(registry, bearer(header));
  return known.ok ? { ok: true, agent: known.agent, partner: -1 } : known;
}

function byAdminKey({ registry, header }: UnauthenticatedRequest): Authentication {
  const known = authenticateAdmin(registry, bearer(header));
  return known.ok ? ANONYMOUS : known;
}

function byPartnerKey({ registry, header }: UnauthenticatedRequest): Authentication {
  const known = authenticatePartner(registry, bearer(header));
  return known.ok ? { ok: true, agent: -1, partner: known.partner } : known;
}

/**
 * The way in which an endpoint authenticates. POST /register brings its own, since its credential depends on the mode.
 */
export function authenticator(auth: Auth): (arrival: UnauthenticatedRequest) => Authentication {
  switch (auth) {
    case 'agent':
      return byAgentKey;
    case 'admin':
      return byAdminKey;
    case 'partner':
      return byPartnerKey;
    case 'registration':
    case 'none':
      return () => ANONYMOUS;
    default:
      return auth satisfies never;
  }
}
