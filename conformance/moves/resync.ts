/** POST /agent/resync (4.10), by receipt and by challenge. */

import type { Move, Sender } from './move.js';

/** A resync with a receipt, or without one. */
export const resync = ({ key }: Sender, beats_receipt?: unknown): Move => ({
  endpoint: 'resync',
  key,
  body: beats_receipt === undefined ? {} : { beats_receipt },
});

/** Requests a challenge, which names the beats to prove. */
export const resyncChallenge = ({ key }: Sender): Move => ({ endpoint: 'resync', key, body: { action: 'challenge' } });

/** Proves beats under the nonce of a challenge. */
export const resyncProof = ({ key }: Sender, challenge_nonce: unknown, proof: unknown): Move => ({
  endpoint: 'resync',
  key,
  body: { action: 'prove', challenge_nonce, proof },
});
