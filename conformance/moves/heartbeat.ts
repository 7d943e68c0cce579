/** POST /agent/heartbeat (4.5). The payment is made before. */

import type { Move, Sender } from './move.js';

/** A heartbeat with its payment; `more`: more fields of the body. */
export const heartbeat = ({ key }: Sender, payment_tx: unknown, more: object = {}): Move => ({
  endpoint: 'heartbeat',
  key,
  body: { payment_tx, ...more },
});
