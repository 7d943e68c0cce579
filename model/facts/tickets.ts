/** Nonces, tokens and authorizations: each can be used once, for a limited time (4.2, 4.3, 4.10, 4.12, 3.6). */

import type { Known } from '../reading/known.js';
import type { State, Ticket } from './state.js';

/** Facts about a ticket in a request. */
export interface TicketFacts {
  readonly ticket: Ticket | undefined;
  /** Unknown after a refused request with the ticket: the text does not say whether that uses it up. */
  readonly isUsed: Known;
  readonly isLate: Known;
  /** By a decision it has not expired; the text gives no lifetime, so it may have expired already. */
  readonly mayExpireEarly: boolean;
}

/** Kinds of tickets that have their lifetime from a decision: they may expire earlier. */
const DECIDED: readonly Ticket['kind'][] = ['authorization', 'register'];

/** Finds a ticket. `ttlSec`: its lifetime; exactly at its end it may be valid or expired. */
export function ticketOf(state: State, id: unknown, kind: Ticket['kind'], ttlSec: number): TicketFacts {
  const found = typeof id === 'string' ? state.tickets.get(id) : undefined;
  const ticket = found?.kind === kind ? found : undefined;
  const age = ticket?.madeMs === undefined || state.nowMs === undefined ? undefined : state.nowMs - ticket.madeMs;
  const ttlMs = ttlSec * 1_000;
  const mayExpireEarly = age !== undefined && DECIDED.includes(kind) && age > 0 && age < ttlMs;
  const isOpen = age === undefined || Math.abs(age - ttlMs) <= state.slackMs || mayExpireEarly;
  return {
    ticket,
    isUsed: ticket === undefined ? false : ticket.used || (ticket.tried ? undefined : false),
    isLate: ticket === undefined ? false : isOpen ? undefined : age > ttlMs,
    mayExpireEarly,
  };
}

/** Records a ticket that a reply issues. */
export function issueTicket(state: State, id: unknown, ticket: Pick<Ticket, 'kind' | 'of' | 'name'>): void {
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
 * A hint for reports: ` (another nonce was asked for in between)` if the owner has requested a later ticket of this kind, since a server may keep
 * only the latest; otherwise empty.
 */
export function askedSince({ tickets }: State, shown: readonly unknown[]): string {
  const keys = tickets.keys();
  for (const id of shown) {
    const ticket = typeof id === 'string' ? tickets.peek(id) : undefined;
    if (ticket === undefined || ticket.used) continue;
    const isLike = (other: Readonly<Ticket> | undefined): boolean =>
      other?.kind === ticket.kind && other.of === ticket.of && other.name === ticket.name;
    const later = keys.slice(keys.indexOf(String(id)) + 1);
    if (later.some((key) => isLike(tickets.peek(key))))
      return ` (another ${WORDS[ticket.kind]} was asked for in between)`;
  }
  return '';
}
