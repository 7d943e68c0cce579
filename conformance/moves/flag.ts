/** POST /agent/flag (4.16): complaints, valid and with faults. */

import type { Protocol } from '../../spec/protocol.js';
import type { Move, Sender } from './move.js';

/** The body (2.12). Fields may be missing or wrong. */
export interface Complaint {
  readonly target_hash?: unknown;
  readonly asserted_class?: unknown;
  readonly reason?: unknown;
}

/** A valid complaint about an agent, with the fields of `more` changed. */
export const complaint = ({ hash }: { readonly hash: string }, more: Complaint = {}): Complaint => ({
  target_hash: hash,
  asserted_class: 'narrow_task',
  reason: 'it gives orders',
  ...more,
});

/** Files a complaint. */
export const flag = ({ key }: Sender, body: Complaint): Move => ({ endpoint: 'flag', key, body });

/** Reasons at the bounds of length and beyond, by name: of ASCII letters, of other letters, and of characters with two UTF-16 units. */
export const reasons = ({ flag: { reasonCharsMin: least, reasonCharsMax: most } }: Protocol) =>
  ({
    missing: undefined,
    number: 7,
    least: 'x'.repeat(least),
    'too-few': 'x'.repeat(least - 1),
    'too-many': 'é'.repeat(most + 1),
    most: 'é'.repeat(most),
    'most-of-two-units': '\u{1f7e2}'.repeat(most),
  }) as const;
