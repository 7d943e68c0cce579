/**
 * The mock ledger: accounts, balances, and the record of every transaction. Its view as a chain of blocks is chain.ts; HTTP and Solana's formats
 * are elsewhere.
 */

import { hash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { Seed } from '../registry/columns/stream.js';
import { TransactionLog } from './transaction-log.js';
import type { TransactionRecord, TransactionStatus } from './transaction-record.js';

const CAPACITY_START = 1_024;

/**
 * A mock of the chain on which fees are paid: a row for each account, and all transactions. The row number is the
 * account inside the process; its address is its name outside. Everything random (addresses, signatures, block hashes)
 * follows from the seed.
 *
 * Lamports enter by `fund` alone, so the balances always add up to `mintedLamports`.
 */
export interface Ledger {
  readonly seed: Seed;
  /** How many rows are accounts; the columns are longer. */
  accounts: number;
  lamports: Float64Array;
  mintedLamports: number;
  /** Addresses of accounts that were opened by address, or whose address was read. */
  readonly addresses: Map<number, string>;
  readonly byAddress: Map<string, number>;
  readonly transactions: TransactionLog;
}

/** Makes an empty ledger. `capacity`: accounts to make room for, if their number is known. */
export function createLedger({ seed, capacity = CAPACITY_START }: { seed: Seed; capacity?: number }): Ledger {
  return {
    seed,
    accounts: 0,
    lamports: new Float64Array(Math.max(1, capacity)),
    mintedLamports: 0,
    addresses: new Map(),
    byAddress: new Map(),
    transactions: new TransactionLog(),
  };
}

/** Opens an account without an address; `addressOf` gives it one when it is first asked. */
export function openAccount(ledger: Ledger): number {
  if (ledger.accounts === ledger.lamports.length) {
    const wider = new Float64Array(ledger.lamports.length * 2);
    wider.set(ledger.lamports);
    ledger.lamports = wider;
  }
  ledger.accounts += 1;
  return ledger.accounts - 1;
}

/** The account of an address, opened if there is none yet. */
export function accountOf(ledger: Ledger, address: string): number {
  const known = ledger.byAddress.get(address);
  if (known !== undefined) return known;
  const account = openAccount(ledger);
  nameAccount(ledger, account, address);
  return account;
}

/** The account of an address; undefined without one. Does not open one. */
export function findAccount(ledger: Ledger, address: string): number | undefined {
  return ledger.byAddress.get(address);
}

/** The address of an account. One that was opened without an address gets base58 of 32 bytes. */
export function addressOf(ledger: Ledger, account: number): string {
  requireAccount(ledger, account);
  const known = ledger.addresses.get(account);
  if (known !== undefined) return known;
  let address = derivedAddress(ledger, account, 0);
  // A client may have used this very address, seen in another run with the same seed.
  for (let draw = 1; ledger.byAddress.has(address); draw++) address = derivedAddress(ledger, account, draw);
  nameAccount(ledger, account, address);
  return address;
}

function derivedAddress(ledger: Ledger, account: number, draw: number): string {
  return base58.encode(derive(ledger.seed, 'account', `${account}:${draw}`));
}

function nameAccount(ledger: Ledger, account: number, address: string): void {
  ledger.addresses.set(account, address);
  ledger.byAddress.set(address, account);
}

/** The lamports of an account. */
export function balanceOf(ledger: Ledger, account: number): number {
  requireAccount(ledger, account);
  return ledger.lamports[account]!;
}

/** The sum of all balances, counted account by account. */
export function totalLamports(ledger: Ledger): number {
  let total = 0;
  for (let account = 0; account < ledger.accounts; account++) total += ledger.lamports[account]!;
  return total;
}

/**
 * Mints lamports into an account. Throws a RangeError if the total would exceed 2^53 - 1 (D-44); no balance can then be
 * too large, since none exceeds the total.
 */
export function fund(ledger: Ledger, account: number, lamports: number): void {
  requireAccount(ledger, account);
  requireLamports(lamports);
  if (lamports > Number.MAX_SAFE_INTEGER - ledger.mintedLamports) {
    throw new RangeError(`${lamports} lamports more than ${ledger.mintedLamports} are over 2^53 - 1`);
  }
  ledger.mintedLamports += lamports;
  ledger.lamports[account]! += lamports;
}

/** Moves lamports without a record. Returns false, and moves nothing, if the payer cannot cover them. */
export function pay(ledger: Ledger, from: number, to: number, lamports: number): boolean {
  requireAccount(ledger, from);
  requireAccount(ledger, to);
  requireLamports(lamports);
  const column = ledger.lamports;
  if (column[from]! < lamports) return false;
  column[from]! -= lamports;
  column[to]! += lamports;
  return true;
}

/** A payment to record. */
interface Transfer {
  readonly from: number;
  readonly to: number;
  readonly lamports: number;
  readonly status: TransactionStatus;
  readonly nowMs: number;
  readonly gradual?: true;
}

/**
 * Records a payment and returns its signature, base58 of 64 bytes. A confirmed one moves the lamports now, a pending
 * one when it is confirmed, a failed one never. Returns undefined, and records nothing, if the payer cannot cover one
 * that is not failed.
 */
export function transfer(ledger: Ledger, given: Transfer): string | undefined {
  const { from, to, lamports, status, nowMs: atMs } = given;
  requireLamports(lamports);
  const before = [balanceOf(ledger, from), balanceOf(ledger, to)] as const;
  if (status === 'pending' && before[0] < lamports) return undefined;
  if (status === 'confirmed' && !pay(ledger, from, to, lamports)) return undefined;
  const signature = nextSignature(ledger);
  const record = { kind: 'transfer', signature, from, to, lamports, atMs, status, before } as const;
  ledger.transactions.append(given.gradual ? { ...record, gradual: true } : record);
  return signature;
}

/** Writes a text to the ledger, confirmed at once and without a fee, and returns its signature. */
export function memo(
  ledger: Ledger,
  { from, text, nowMs }: { readonly from: number; readonly text: string; readonly nowMs: number },
): string {
  const held = balanceOf(ledger, from);
  const signature = nextSignature(ledger);
  ledger.transactions.append({ kind: 'memo', signature, from, text, atMs: nowMs, status: 'confirmed', held });
  return signature;
}

/** The record of a transaction; undefined for an unknown signature. */
export function findTransaction(ledger: Ledger, signature: string): TransactionRecord | undefined {
  return ledger.transactions.get(signature);
}

/** The result of `setStatus`. `uncovered`: the payer has spent the lamports meanwhile, so the transaction failed. */
type StatusChange = 'changed' | 'unknown' | 'final' | 'uncovered';

/** Ends a pending transaction; confirming it moves its lamports. Any other is `final` and stays as it is. */
export function setStatus(ledger: Ledger, signature: string, status: 'confirmed' | 'failed'): StatusChange {
  const { transactions } = ledger;
  const row = transactions.rowOf(signature);
  if (row < 0) return 'unknown';
  const record = transactions.at(row);
  if (record.status !== 'pending') return 'final';
  if (status === 'failed' || record.kind !== 'transfer') {
    transactions.settle(row, status);
    return 'changed';
  }
  const before = [balanceOf(ledger, record.from), balanceOf(ledger, record.to)] as const;
  const paid = pay(ledger, record.from, record.to, record.lamports);
  transactions.settle(row, paid ? 'confirmed' : 'failed', before);
  return paid ? 'changed' : 'uncovered';
}

/**
 * The hash of the block at a moment, 32 bytes: the entropy of an anchor issued then (D-05). The moment is a whole
 * number: a slot, or Unix ms, as the caller chooses.
 */
export function blockHash(ledger: Ledger, moment: number): Uint8Array {
  return derive(ledger.seed, 'block', String(moment));
}

/** 32 bytes that follow from the seed and a name: the genesis hash, and the chain's own addresses. */
export function seededBytes(ledger: Ledger, name: string): Uint8Array {
  return derive(ledger.seed, 'named', name);
}

function nextSignature(ledger: Ledger): string {
  // No transaction is ever dropped, so their count is a counter.
  const count = ledger.transactions.size;
  const bytes = new Uint8Array(64);
  bytes.set(derive(ledger.seed, 'signature', `${count}:0`));
  bytes.set(derive(ledger.seed, 'signature', `${count}:1`), 32);
  return base58.encode(bytes);
}

function derive(seed: Seed, label: string, counter: string): Uint8Array {
  return hash('sha256', `ledger:${seed}:${label}:${counter}`, 'buffer');
}

function requireAccount(ledger: Ledger, account: number): void {
  if (account >>> 0 !== account || account >= ledger.accounts) throw new RangeError(`there is no account ${account}`);
}

function requireLamports(lamports: number): void {
  if (!Number.isSafeInteger(lamports) || lamports < 0) {
    throw new RangeError(`${lamports} is not an amount of lamports: a whole number from 0 to 2^53 - 1`);
  }
}
