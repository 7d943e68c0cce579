/** Records what a refused request may have used up: by the text it can be used once, and a refused request may count (D-27, D-59). */

import type { Call } from '../reading/call.js';
import { receiptKey } from './proof.js';
import type { State } from './state.js';

/** Records the nonces, tokens, authorizations, receipts and payments in a refused request. */
export function noteTried({ tickets, receipts, payments }: State, { body = {}, headers }: Call): void {
  const shown = [...Object.values(body), headers['x-registration-token']].filter((each) => typeof each === 'string');
  const receipt = body['beats_receipt'];
  const all = [
    ...shown.flatMap((each) => [tickets.get(each), payments.get(each)]),
    receipt === undefined ? undefined : receipts.get(receiptKey(receipt)),
  ];
  for (const each of all) if (each !== undefined) each.tried = true;
}
