/** Control calls that mint and move lamports on the mock ledger. With another ledger they are refused, since the server cannot make money there. */

import { z } from 'zod';
import { accountOf, balanceOf, findAccount, fund, transfer } from '../../ledger/ledger.js';
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

const OTHER_LEDGER = refused(409, 'LEDGER_ELSEWHERE', 'fees are paid on another ledger (--payment-address): pay there');

function makeTransfer(host: Host, body: z.output<typeof transferBody>, { nowMs }: CallContext): ControlReply {
  if (host.lookUpPayment !== undefined) return OTHER_LEDGER;
  const { ledger } = host.service;
  const { lamports: amount, status = 'confirmed' } = body;
  const payer = findAccount(ledger, body.from);
  const held = payer === undefined ? 0 : balanceOf(ledger, payer);
  // Checked before an account is opened: a refused call changes nothing.
  if (status !== 'failed' && held < amount) {
    return refused(409, 'INSUFFICIENT_FUNDS', `${body.from} holds ${held} lamports`);
  }
  const from = accountOf(ledger, body.from);
  const to = accountOf(ledger, body.to);
  return accepted({ signature: transfer(ledger, { from, to, lamports: amount, status, nowMs }) });
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
    purpose: 'Pays from one wallet to another; returns the signature of the transaction.',
    body: transferBody,
    reply: z.strictObject({ signature: z.string() }),
    refusals: [
      [409, 'INSUFFICIENT_FUNDS'],
      [409, 'LEDGER_ELSEWHERE'],
    ],
    run: makeTransfer,
  }),
];
