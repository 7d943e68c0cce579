// Nonces after which another was asked for, of which a report says so.
import { expect, it } from 'vitest';
import type { State } from './state.js';
import { Table } from './table.js';
import { askedSince, issueTicket } from './tickets.js';

it('a request with a nonce after which the same agent asked for another says so, and no other request', () => {
  const state = { tickets: new Table(), nowMs: 0 } as unknown as State;
  issueTicket(state, 'first', { kind: 'wallet', of: '0xa' });
  issueTicket(state, 'foreign', { kind: 'wallet', of: '0xb' });
  expect(askedSince(state, ['finalize', 'first'])).toBe('');
  issueTicket(state, 'second', { kind: 'wallet', of: '0xa' });
  issueTicket(state, 'other kind', { kind: 'resync', of: '0xb' });
  expect(askedSince(state, ['finalize', 'first', 7])).toBe(' (another nonce was asked for in between)');
  expect([['second'], ['foreign'], ['unknown'], []].map((shown) => askedSince(state, shown))).toEqual(['', '', '', '']);
  const first = state.tickets.get('first');
  if (first !== undefined) first.used = true;
  expect(askedSince(state, ['first'])).toBe('');
});
