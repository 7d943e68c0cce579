/** POST /agent/reissue-proof (4.7), with a payment that was made before. */

import type { Move, Sender } from './move.js';

/** A reissue by a payment. */
export const reissue = ({ key }: Sender, payment_tx: unknown): Move => ({
  endpoint: 'reissue-proof',
  key,
  body: { payment_tx },
});
