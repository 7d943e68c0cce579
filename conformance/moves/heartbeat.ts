/** POST /agent/heartbeat (4.5), with a payment that was made before. */

import type { Move, Sender } from './move.js';

/** A heartbeat by a payment, with more fields where they are given. */
export const heartbeat = ({ key }: Sender, payment_tx: unknown, more: object = {}): Move => ({
  endpoint: 'heartbeat',
  key,
  body: { payment_tx, ...more },
});
