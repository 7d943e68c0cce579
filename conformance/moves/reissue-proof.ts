/** POST /agent/reissue-proof (4.7). The payment is made before. */

import type { Move, Sender } from './move.js';

/** A reissue with its payment. */
export const reissue = ({ key }: Sender, payment_tx: unknown): Move => ({
  endpoint: 'reissue-proof',
  key,
  body: { payment_tx },
});
