/** Nonces, tokens and authorizations: used once, within their time (4.2, 4.3, 4.10, 4.12, 3.6). */

import type { Known } from './evidence.js';
import type { State, Ticket } from './state.js';

/** A ticket that a request shows. */
export interface TicketFacts {
  readonly ticket: Ticket | undefined;
  readonly isUsed: boolean;
  readonly isLate: Known;
}

/** `ttlSec`: how long it is valid. At the very end of its time either is right. */
export function ticketOf(state: State, id: unknown, kind: Ticket['kind'], ttlSec: number): TicketFacts {
  const found = typeof id === 'string' ? state.tickets.get(id) : undefined;
  const ticket = found?.kind === kind ? found : undefined;
  const age = ticket?.madeMs === undefined || state.nowMs === undefined ? undefined : state.nowMs - ticket.madeMs;
  const ttlMs = ttlSec * 1_000;
  return {
    ticket,
    isUsed: ticket?.used ?? false,
    isLate: ticket === undefined ? false : age === undefined || age === ttlMs ? undefined : age > ttlMs,
  };
}

/** Takes down a ticket that a reply hands out. */
export function handOut(state: State, id: unknown, ticket: Pick<Ticket, 'kind' | 'of' | 'name'>): void {
  if (typeof id === 'string') state.tickets.set(id, { ...ticket, madeMs: state.nowMs, used: false });
}
