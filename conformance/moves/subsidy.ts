/** POST and DELETE /admin/agent/subsidy (4.17). */

import type { Protocol } from '../../spec/protocol.js';
import { JUST_BEYOND, type Move } from './move.js';

/** The terms of a subsidy for an agent: half off heartbeat fees. `more`: replaces some terms. */
export const terms = ({ hash }: { readonly hash: string }, more: object = {}): object => ({
  agent_hash: hash,
  fee_type: 'heartbeat',
  discount_bps: 5_000,
  reason: 'a check of the suite',
  ...more,
});

/** Grants a subsidy under a key. */
export const grant = (key: string | undefined, body: object): Move => ({ endpoint: 'subsidy.post', key, body });

/** Ends the subsidy of a fee under a key. */
export const endSubsidy = (
  key: string | undefined,
  { hash }: { readonly hash: string },
  fee_type = 'heartbeat',
): Move => ({ endpoint: 'subsidy.delete', key, body: { agent_hash: hash, fee_type } });

/** Discounts at their bounds and beyond, by name; invalid ones come first. */
export const discounts = ({ subsidy: { discountBpsMin: least, discountBpsMax: most } }: Protocol) =>
  ({
    'just-too-low': least - JUST_BEYOND,
    'just-too-high': most + JUST_BEYOND,
    'too-low': least - 1,
    'too-high': most + 1,
    word: 'half',
    'most-as-text': `${most}`,
    missing: undefined,
    least,
    most,
  }) as const;
