/**
 * All transactions of a ledger, in the order in which they came, found by their signature. Nothing is ever dropped, so they are kept in columns:
 * a million take some 200 MB, and a snapshot copies the columns unchanged. Balances are changed in ledger.ts.
 */

import { hash } from 'node:crypto';
import { createHashIndex, findRow, indexRow } from '../registry/columns/hash-index.js';
import { type AnyColumn, addRow, column, createTable, fillTable, usedColumns } from '../registry/columns/table.js';
import type { SentRecord, TransactionExtra, TransactionRecord, TransactionStatus } from './transaction-record.js';

const kinds = ['transfer', 'memo', 'sent'] as const satisfies readonly TransactionRecord['kind'][];
const statuses = ['confirmed', 'pending', 'failed'] as const satisfies readonly TransactionStatus[];

/** Characters of a signature: base58 of 64 bytes has no more. A shorter one ends with zeros. */
const SIGNATURE_CHARS = 88;
/** Bytes of a key: the start of the signature's SHA-256, so that a client cannot choose two signatures with the same key. */
const KEY_BYTES = 16;

const columns = {
  kind: column('u8'),
  status: column('u8'),
  gradual: column('u8'),
  from: column('i32'),
  to: column('i32'),
  lamports: column('f64'),
  atMs: column('f64'),
  beforeFrom: column('f64'),
  beforeTo: column('f64'),
  signature: column('u8', 0, SIGNATURE_CHARS),
  key: column('u8', 0, KEY_BYTES),
};

function keyOf(signature: string): Uint8Array {
  return hash('sha256', signature, 'buffer').subarray(0, KEY_BYTES);
}

/**
 * Estimates of the memory that a transaction by JSON-RPC takes: its row and indexes, an account that it may have opened,
 * and for a signed one its record.
 */
const ROW_BYTES = 300;
const ACCOUNT_BYTES = 250;
const RECORD_BYTES = 1_000;
const LOG_LINE_BYTES = 60;

/** The transactions of one ledger. It returns copies of its records. */
export class TransactionLog {
  readonly table = createTable(columns, 1);
  readonly extras = new Map<number, TransactionExtra>();
  readonly index = createHashIndex(KEY_BYTES);
  /** The rows of each account, in order of arrival; absent until a history is requested. */
  #rowsByAccount: Map<number, number[]> | undefined;
  #rpcBytes = 0;

  /** How many there are. */
  get size(): number {
    return this.table.rows;
  }

  /** Roughly the memory that transactions by JSON-RPC take. */
  get rpcBytes(): number {
    return this.#rpcBytes;
  }

  /** Adds a transaction. Throws a RangeError for a signature that is not base58 of 64 bytes. */
  append(record: TransactionRecord): void {
    const { signature, kind, status, atMs } = record;
    if (signature.length > SIGNATURE_CHARS)
      throw new RangeError(`a signature has ${SIGNATURE_CHARS} characters at most`);
    const row = addRow(this.table);
    const { columns: to } = this.table;
    Buffer.from(to.signature.buffer, to.signature.byteOffset).write(signature, row * SIGNATURE_CHARS, 'latin1');
    to.key.set(keyOf(signature), row * KEY_BYTES);
    indexRow(this.index, to.key, row);
    to.kind[row] = kinds.indexOf(kind);
    to.status[row] = statuses.indexOf(status);
    to.atMs[row] = atMs;
    this.#fill(row, record);
    this.#rpcBytes += this.#rpcBytesAt(row);
    if (this.#rowsByAccount !== undefined) this.#indexAccountsOf(row, this.#rowsByAccount);
  }

  #fill(row: number, record: TransactionRecord): void {
    const { columns: to } = this.table;
    switch (record.kind) {
      case 'transfer':
        to.from[row] = record.from;
        to.to[row] = record.to;
        to.lamports[row] = record.lamports;
        to.gradual[row] = record.gradual === true ? 1 : 0;
        to.beforeFrom[row] = record.before[0];
        to.beforeTo[row] = record.before[1];
        return;
      case 'memo':
        to.from[row] = record.from;
        to.beforeFrom[row] = record.held;
        this.extras.set(row, { text: record.text });
        return;
      case 'sent':
        this.extras.set(row, record);
        return;
      default:
        record satisfies never;
    }
  }

  #rpcBytesAt(row: number): number {
    if (!this.isGradualAt(row)) return 0;
    if (kinds[this.table.columns.kind[row]!] !== 'sent') return ROW_BYTES + ACCOUNT_BYTES;
    const { wire, logs, accounts } = this.extras.get(row) as SentRecord;
    const logBytes = logs.reduce((sum, line) => sum + LOG_LINE_BYTES + line.length, 0);
    return ROW_BYTES + RECORD_BYTES + wire.length + logBytes + accounts.length * ACCOUNT_BYTES;
  }

  /** Whether a transaction came by JSON-RPC, so that it becomes confirmed as slots pass. */
  isGradualAt(row: number): boolean {
    const { kind, gradual } = this.table.columns;
    return gradual[row] === 1 || kinds[kind[row]!] === 'sent';
  }

  isPendingAt(row: number): boolean {
    return statuses[this.table.columns.status[row]!] === 'pending';
  }

  atMsAt(row: number): number {
    return this.table.columns.atMs[row]!;
  }

  /** The lamports that an account gained (positive) or lost (negative) by a transaction. */
  changeAt(row: number, account: number): number {
    const { kind, status, from, to, lamports } = this.table.columns;
    if (kinds[kind[row]!] === 'sent') {
      const { accounts, before, after } = this.extras.get(row) as SentRecord;
      const place = accounts.indexOf(account);
      return place < 0 ? 0 : (after[place] as number) - (before[place] as number);
    }
    if (kinds[kind[row]!] === 'memo' || statuses[status[row]!] !== 'confirmed') return 0;
    return (to[row] === account ? lamports[row]! : 0) - (from[row] === account ? lamports[row]! : 0);
  }

  /**
   * Keeps an index by account from now on. It costs memory, so a ledger whose history is not requested has none; a server of JSON-RPC builds it at
   * its start, so that no call has to wait for it.
   */
  indexAccounts(): Map<number, number[]> {
    if (this.#rowsByAccount === undefined) {
      this.#rowsByAccount = new Map();
      for (let row = 0; row < this.size; row++) this.#indexAccountsOf(row, this.#rowsByAccount);
    }
    return this.#rowsByAccount;
  }

  #indexAccountsOf(row: number, rowsByAccount: Map<number, number[]>): void {
    for (const account of this.accountsAt(row)) {
      const rows = rowsByAccount.get(account);
      if (rows === undefined) rowsByAccount.set(account, [row]);
      else rows.push(row);
    }
  }

  /** The places of the transactions of an account, the oldest first. */
  rowsOf(account: number): readonly number[] {
    return this.indexAccounts().get(account) ?? [];
  }

  /** The place of a transaction, from 0; -1 for an unknown signature. */
  rowOf(signature: string): number {
    return findRow(this.index, this.table.columns.key, keyOf(signature));
  }

  /** The transaction with a signature; undefined for an unknown one. */
  get(signature: string): TransactionRecord | undefined {
    const row = this.rowOf(signature);
    return row < 0 ? undefined : this.at(row);
  }

  /** The transaction at a place. */
  at(row: number): TransactionRecord {
    const from = this.table.columns;
    const kind = kinds[from.kind[row]!]!;
    const extra = this.extras.get(row);
    if (kind === 'sent') return extra as SentRecord;
    const said = {
      signature: this.signatureAt(row),
      from: from.from[row]!,
      atMs: from.atMs[row]!,
      status: statuses[from.status[row]!]!,
    };
    if (kind === 'memo') {
      return { kind, ...said, text: (extra as { readonly text: string }).text, held: from.beforeFrom[row]! };
    }
    const before = [from.beforeFrom[row]!, from.beforeTo[row]!] as const;
    const record = { kind, ...said, to: from.to[row]!, lamports: from.lamports[row]!, before } as const;
    return from.gradual[row] === 1 ? { ...record, gradual: true } : record;
  }

  signatureAt(row: number): string {
    const { signature } = this.table.columns;
    const begin = row * SIGNATURE_CHARS;
    const bytes = Buffer.from(signature.buffer, signature.byteOffset + begin, SIGNATURE_CHARS);
    const end = bytes.indexOf(0);
    return bytes.toString('latin1', 0, end < 0 ? SIGNATURE_CHARS : end);
  }

  /** The accounts that a transaction touches. */
  accountsAt(row: number): readonly number[] {
    const { kind, from, to } = this.table.columns;
    switch (kinds[kind[row]!]!) {
      case 'transfer':
        return from[row] === to[row] ? [from[row]!] : [from[row]!, to[row]!];
      case 'memo':
        return [from[row]!];
      case 'sent':
        return (this.extras.get(row) as SentRecord).accounts;
    }
  }

  /** Sets the final status of a payment or a memo. `before`: the balances of payer and payee at that moment. */
  settle(row: number, status: TransactionStatus, before?: readonly [from: number, to: number]): void {
    const { columns: to } = this.table;
    to.status[row] = statuses.indexOf(status);
    if (before === undefined) return;
    to.beforeFrom[row] = before[0];
    to.beforeTo[row] = before[1];
  }

  *keys(): Generator<string> {
    for (let row = 0; row < this.size; row++) yield this.signatureAt(row);
  }

  *values(): Generator<TransactionRecord> {
    for (let row = 0; row < this.size; row++) yield this.at(row);
  }

  /** The used part of every column, by name: no copies. */
  saved(): Readonly<Record<string, AnyColumn>> {
    return usedColumns(this.table);
  }

  /** Fills an empty log with the result of `saved` and its extras. */
  restore(
    rows: number,
    saved: (name: string) => AnyColumn,
    extras: Iterable<readonly [number, TransactionExtra]>,
  ): void {
    fillTable(this.table, rows, saved);
    const { key } = this.table.columns;
    for (let row = 0; row < rows; row++) indexRow(this.index, key, row);
    for (const [row, extra] of extras) this.extras.set(row, extra);
    for (let row = 0; row < rows; row++) this.#rpcBytes += this.#rpcBytesAt(row);
  }
}
