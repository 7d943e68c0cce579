import type { Auth } from '../../../spec/endpoint.js';
import { authenticateAdmin } from '../../registry/admin-keys.js';
import { authenticate } from '../../registry/keys.js';
import { authenticatePartner } from '../../registry/partner.js';
import type { Refusal } from '../../registry/refusal.js';
import type { Registry } from '../../registry/state.js';

/** A request before anything of it is believed. */
export interface UnauthenticatedRequest {
  readonly registry: Registry;
  readonly nowMs: number;
  /** A header by its lower-case name; the first one of a repeated header. */
  readonly header: (name: string) => string | undefined;
  /** The body as it was sent; undefined where there is none, or none that could be read. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Who a request is from: an agent's row, a partner's number, -1 for neither. */
export interface Identity {
  readonly agent: number;
  readonly partner: number;
}

export type Authentication = ({ readonly ok: true } & Identity) | Refusal;

/** Whoever asks without a credential. */
export const ANONYMOUS: { readonly ok: true } & Identity = Object.freeze({ ok: true, agent: -1, partner: -1 });

/** 5: the token of `Authorization: Bearer`. */
export function bearer(header: UnauthenticatedRequest['header']): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header('authorization') ?? '')?.[1];
}

/** 5: the agent whose key was sent. */
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

/** How an endpoint tells who is asking. Registration, whose credential depends on its mode, brings its own way. */
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
