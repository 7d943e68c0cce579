/** Nonces, tokens and authorizations: used once, within their time (4.2, 4.3, 4.10, 4.12, 3.6). */

import type { Known } from '../reading/known.js';
import type { State, Ticket } from './state.js';

/** A ticket that a request shows. */
export interface TicketFacts {
  readonly ticket: Ticket | undefined;
  /** Unknown after a refused request that showed it: the text says that it is used once, not that a refusal leaves it unused. */
  readonly isUsed: Known;
  readonly isLate: Known;
  /** Its age is known, and below a time that a decision alone gives: the text lets it end so early. */
  readonly mayEndEarly: boolean;
}

/** Tickets for whose life the text gives no time: one may end before the time that a decision gives. */
const DECIDED: readonly Ticket['kind'][] = ['authorization', 'register'];

/** `ttlSec`: how long it is valid. At the very end of its time either is right. */
export function ticketOf(state: State, id: unknown, kind: Ticket['kind'], ttlSec: number): TicketFacts {
  const found = typeof id === 'string' ? state.tickets.get(id) : undefined;
  const ticket = found?.kind === kind ? found : undefined;
  const age = ticket?.madeMs === undefined || state.nowMs === undefined ? undefined : state.nowMs - ticket.madeMs;
  const ttlMs = ttlSec * 1_000;
  const mayEndEarly = age !== undefined && DECIDED.includes(kind) && age > 0 && age < ttlMs;
  const isOpen = age === undefined || age === ttlMs || mayEndEarly;
  return {
    ticket,
    isUsed: ticket === undefined ? false : ticket.used || (ticket.tried ? undefined : false),
    isLate: ticket === undefined ? false : isOpen ? undefined : age > ttlMs,
    mayEndEarly,
  };
}

/** Takes down a ticket that a reply hands out. */
export function handOut(state: State, id: unknown, ticket: Pick<Ticket, 'kind' | 'of' | 'name'>): void {
  if (typeof id === 'string') state.tickets.set(id, { ...ticket, madeMs: state.nowMs, used: false, tried: false });
}

const WORDS: Readonly<Record<Ticket['kind'], string>> = {
  wallet: 'nonce',
  resync: 'nonce',
  register: 'nonce',
  token: 'token',
  authorization: 'authorization',
};

/**
 * Says of a request that shows a ticket that another was asked for in between, which a server that keeps only the latest takes for the only
 * one: ` (another nonce was asked for in between)`; empty for any other request.
 */
export function askedSince({ tickets }: State, shown: readonly unknown[]): string {
  const keys = tickets.keys();
  for (const id of shown) {
    const ticket = typeof id === 'string' ? tickets.get(id) : undefined;
    if (ticket === undefined || ticket.used) continue;
    const isLike = (other: Ticket | undefined): boolean =>
      other?.kind === ticket.kind && other.of === ticket.of && other.name === ticket.name;
    const later = keys.slice(keys.indexOf(String(id)) + 1);
    if (later.some((key) => isLike(tickets.get(key))))
      return ` (another ${WORDS[ticket.kind]} was asked for in between)`;
  }
  return '';
}
