/**
 * Lands transactions: applies their execution to the ledger and records them. Whether one would succeed is computed in
 * execute.ts.
 */

import { type Blockchain, ownAddress, slotOfHash } from './chain.js';
import { describeError, type Execution, execute } from './execute.js';
import { accountOf, balanceOf, findAccount, findTransaction, fund, type Ledger, pay, transfer } from './ledger.js';
import { type Message, signatureOf, type Transaction } from './transaction.js';
import type { SentRecord } from './transaction-record.js';

/** The most lamports of one airdrop: a thousand SOL. */
export const AIRDROP_LAMPORTS_MAX = 1_000_000_000_000;

/** Simulates a message on the ledger as it is now. Moves nothing. */
export function simulate(chain: Blockchain, message: Message): Execution {
  const { ledger } = chain;
  return execute(message, (address) => {
    const account = findAccount(ledger, address);
    return account === undefined ? 0 : balanceOf(ledger, account);
  });
}

/** The error that keeps a transaction out of a block before it is executed: an unusable block hash, or a duplicate. */
export function refuseAge(chain: Blockchain, transaction: Transaction, nowMs: number): string | null {
  if (slotOfHash(chain, transaction.message.recentBlockhash, nowMs) === undefined) return 'BlockhashNotFound';
  return findTransaction(chain.ledger, signatureOf(transaction)) === undefined ? null : 'AlreadyProcessed';
}

/**
 * Puts a transaction with verified signatures into the current block: takes its fee and applies all of its instructions
 * or none. If no block takes it, returns the reason as a text, and nothing has changed.
 */
export function land(chain: Blockchain, transaction: Transaction, nowMs: number): SentRecord | string {
  const tooOld = refuseAge(chain, transaction, nowMs);
  if (tooOld !== null) return describeError(tooOld);
  const { message, wire } = transaction;
  const execution = simulate(chain, message);
  if (!execution.lands) return describeError(execution.error ?? 'AccountNotFound');
  const { ledger } = chain;
  const { feeLamports, error, logs, units, before, after, memo } = execution;
  const accounts = message.keys.map((key) => accountOf(ledger, key));
  moveAsRun(ledger, accounts[0] as number, accountOf(ledger, ownAddress(chain, 'validator')), feeLamports);
  const transfers = execution.transfers.map(({ from, to, lamports }) => {
    const moved = { from: accountOf(ledger, from), to: accountOf(ledger, to), lamports };
    moveAsRun(ledger, moved.from, moved.to, lamports);
    return moved;
  });
  const signature = signatureOf(transaction);
  const status: SentRecord['status'] = error === null ? 'confirmed' : 'failed';
  const done = { wire, atMs: nowMs, status, accounts, before, after, feeLamports, error, logs, units, transfers, memo };
  const record: SentRecord = { kind: 'sent', signature, ...done };
  ledger.transactions.append(record);
  return record;
}

function moveAsRun(ledger: Ledger, from: number, to: number, lamports: number): void {
  if (!pay(ledger, from, to, lamports)) throw new Error('an executed transfer is covered');
}

/**
 * Mints lamports and sends them from the faucet. Returns the signature, or undefined if the total would be too large.
 */
export function airdrop(chain: Blockchain, address: string, lamports: number, nowMs: number): string | undefined {
  const { ledger } = chain;
  if (lamports > Number.MAX_SAFE_INTEGER - ledger.mintedLamports) return undefined;
  const from = accountOf(ledger, ownAddress(chain, 'faucet'));
  const to = accountOf(ledger, address);
  fund(ledger, from, lamports);
  return transfer(ledger, { from, to, lamports, status: 'confirmed', nowMs, gradual: true });
}
