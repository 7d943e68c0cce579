/** POST /sigil (4.6): purchases, and the faults of their fields. Payments are in payment.ts. */

import type { Protocol } from '../../spec/protocol.js';
import type { Move, Sender } from './move.js';

/** The body of a purchase without its payment. */
export interface Purchase {
  readonly identity_class?: unknown;
  readonly principal?: unknown;
  readonly tier?: unknown;
  readonly name?: unknown;
}

/** A valid purchase of the cheapest class under a principal, without its payment, with the fields of `more` changed. */
export const purchaseOf = (principal: string, more: Purchase = {}): Purchase => ({
  identity_class: 'narrow_task',
  principal,
  tier: 'ind',
  ...more,
});

/** Buys a SIGIL with a payment. */
export const buySigil = ({ key }: Sender, what: Purchase, payment_tx: unknown): Move => ({
  endpoint: 'sigil',
  key,
  body: { ...what, payment_tx },
});

/** Changes that make one field of a purchase invalid, by field and by name. */
export const purchaseFaults = {
  class: {
    'unknown-class': { identity_class: 'omniscient' },
    'no-class': { identity_class: undefined },
    'class-as-number': { identity_class: 1 },
  },
  tier: { 'unknown-tier': { tier: 'vip' }, 'no-tier': { tier: undefined }, 'tier-as-number': { tier: 1 } },
  principal: {
    'no-principal': { principal: undefined },
    'principal-as-number': { principal: 7 },
    'empty-principal': { principal: '' },
    'principal-in-upper-case': { principal: 'Acme' },
  },
  'principal-form': {
    hyphen: { principal: '-acme' },
    dot: { principal: '.7' },
    underscore: { principal: 'ac_me' },
    // Its first letter is Cyrillic.
    'other-script': { principal: 'аcme' },
  },
  name: { 'name-as-number': { name: 7 }, 'star-in-name': { name: 'no*stars' } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Purchase>>>>;

/** A principal of the greatest length, and one that is too long. `start`: the beginning of both. */
export function principalLengths({ sigil: { principalCharsMax: most } }: Protocol, start = 'p') {
  const longest = start.slice(0, most).padEnd(most, 'p');
  return { longest, long: `${longest}p` };
}
