/** Marks the values that a refused request may have used up: they can be used once, and the text does not say whether a refusal counts (D-27, D-59). */

import type { Call } from '../reading/call.js';
import { receiptKey } from './proof.js';
import type { State } from './state.js';

/** Marks the nonces, tokens, authorizations, receipts and payments of a refused request. */
export function noteTried({ tickets, receipts, payments }: State, { body = {}, headers }: Call): void {
  const shown = [...Object.values(body), headers['x-registration-token']].filter((each) => typeof each === 'string');
  const receipt = body['beats_receipt'];
  const all = [
    ...shown.flatMap((each) => [tickets.find(each), payments.find(each)]),
    receipt === undefined ? undefined : receipts.find(receiptKey(receipt)),
  ];
  for (const each of all) if (each !== undefined) each.tried = true;
}
