/** Control calls that mint and move lamports on the mock ledger. With another ledger they are refused, since the server cannot make money there. */

import { z } from 'zod';
import { accountOf, balanceOf, findAccount, fund, type Ledger, transfer } from '../../ledger/ledger.js';
import type { Host } from '../request/host.js';
import {
  accepted,
  type CallContext,
  type ControlReply,
  controlCall,
  lamports,
  refused,
  walletAddress,
} from './call.js';

const transferBody = z.strictObject({
  from: walletAddress,
  to: walletAddress,
  lamports,
  status: z.enum(['confirmed', 'pending', 'failed']).optional(),
});

/** The transfers that one call makes at most: its body has to stay below the limit of bodies. */
export const TRANSFERS_MAX = 400;

/** One transfer, or several, of which all are made or none. */
const transfersBody = z.union([
  transferBody,
  z.strictObject({ transfers: z.array(transferBody).min(1).max(TRANSFERS_MAX) }),
]);

const OTHER_LEDGER = refused(409, 'LEDGER_ELSEWHERE', 'fees are paid on another ledger (--payment-address): pay there');

function makeTransfers(host: Host, body: z.output<typeof transfersBody>, { nowMs }: CallContext): ControlReply {
  if (host.lookUpPayment !== undefined) return OTHER_LEDGER;
  const { ledger } = host.service;
  const transfers = 'transfers' in body ? body.transfers : [body];
  // Checked before an account is opened: a refused call changes nothing.
  const held = new Map<string, number>();
  for (const { from, to, lamports: amount, status } of transfers) {
    if (status === 'failed') continue;
    const left = heldBy(held, ledger, from) - amount;
    if (left < 0) return refused(409, 'INSUFFICIENT_FUNDS', `${from} holds ${left + amount} lamports`);
    held.set(from, left);
    if (status !== 'pending') held.set(to, heldBy(held, ledger, to) + amount);
  }
  const signatures = transfers.map(({ from, to, lamports: amount, status = 'confirmed' }) =>
    transfer(ledger, { from: accountOf(ledger, from), to: accountOf(ledger, to), lamports: amount, status, nowMs }),
  );
  return accepted('transfers' in body ? { signatures } : { signature: signatures[0] });
}

/** The lamports of a wallet after the transfers so far, by `held`. */
function heldBy(held: ReadonlyMap<string, number>, ledger: Ledger, address: string): number {
  const account = findAccount(ledger, address);
  return held.get(address) ?? (account === undefined ? 0 : balanceOf(ledger, account));
}

const walletBody = z.strictObject({ address: walletAddress, lamports });

function fundWallet(host: Host, body: z.output<typeof walletBody>): ControlReply {
  if (host.lookUpPayment !== undefined) return OTHER_LEDGER;
  const { ledger } = host.service;
  if (body.lamports > Number.MAX_SAFE_INTEGER - ledger.mintedLamports) {
    return refused(400, 'VALIDATION', 'lamports: the total on the ledger would exceed 2^53 - 1');
  }
  const account = accountOf(ledger, body.address);
  fund(ledger, account, body.lamports);
  return accepted({ address: body.address, lamports: balanceOf(ledger, account) });
}

/** Calls about money on the mock ledger. */
export const ledgerCalls = [
  controlCall('POST ledger/wallets', {
    purpose: 'Mints lamports into a wallet, and creates it if necessary.',
    body: walletBody,
    reply: walletBody,
    refusals: [[409, 'LEDGER_ELSEWHERE']],
    run: fundWallet,
  }),
  controlCall('POST ledger/transfers', {
    purpose:
      'Pays from one wallet to another, once or in several transfers; returns the signatures of the transactions.',
    body: transfersBody,
    reply: z.union([z.strictObject({ signature: z.string() }), z.strictObject({ signatures: z.array(z.string()) })]),
    refusals: [
      [409, 'INSUFFICIENT_FUNDS'],
      [409, 'LEDGER_ELSEWHERE'],
    ],
    run: makeTransfers,
  }),
];
