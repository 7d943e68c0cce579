/**
 * All transactions of a ledger, in the order in which they came, found by their signature. Nothing is ever dropped, so they are kept in columns:
 * a million take some 200 MB, and a snapshot copies the columns unchanged. Balances are changed in ledger.ts.
 */

import { hash } from 'node:crypto';
import { createHashIndex, findRow, indexRow } from '../registry/columns/hash-index.js';
import { type AnyColumn, addRow, column, createTable, fillTable, usedColumns } from '../registry/columns/table.js';

/** The status of a transaction. Only a confirmed one has moved lamports; confirmed and failed are final. */
export type TransactionStatus = 'confirmed' | 'pending' | 'failed';

/** A recorded payment. `from` and `to` are accounts of the ledger. */
export interface TransferRecord {
  readonly kind: 'transfer';
  readonly signature: string;
  readonly from: number;
  readonly to: number;
  readonly lamports: number;
  readonly atMs: number;
  readonly status: TransactionStatus;
  /** The balances of payer and payee when it was settled, before it moved anything. */
  readonly before: readonly [from: number, to: number];
  /** Sent by JSON-RPC: it becomes confirmed as slots pass, not at once. */
  readonly gradual?: true;
}

/** A text that an account wrote to the ledger. */
export interface MemoRecord {
  readonly kind: 'memo';
  readonly signature: string;
  readonly from: number;
  readonly text: string;
  readonly atMs: number;
  readonly status: TransactionStatus;
  /** The account's balance in lamports, which a memo does not change. Fingerprints of journals rest on its name. */
  readonly held: number;
}

/** The reason why a transaction failed, in Solana's JSON. */
export type TransactionError =
  | string
  | { readonly DuplicateInstruction: number }
  | { readonly InstructionError: readonly [instruction: number, error: string | { readonly Custom: number }] };

/** A signed transaction that came by JSON-RPC, with its effects. It becomes confirmed as slots pass. */
export interface SentRecord {
  readonly kind: 'sent';
  readonly signature: string;
  /** The transaction as it was sent. */
  readonly wire: Uint8Array;
  readonly atMs: number;
  readonly status: 'confirmed' | 'failed';
  /** The accounts of the message in its order, and their balances before and after. */
  readonly accounts: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly feeLamports: number;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly units: number;
  /** The payments that it made, in order; none if it failed. */
  readonly transfers: readonly Pick<TransferRecord, 'from' | 'to' | 'lamports'>[];
  /** `[length] text` of each memo, joined by semicolons; null without one. */
  readonly memo: string | null;
}

export type TransactionRecord = TransferRecord | MemoRecord | SentRecord;

/** The part of a record that does not fit into columns: the text of a memo, or all of a transaction that came signed. */
export type TransactionExtra = { readonly text: string } | SentRecord;

const kinds = ['transfer', 'memo', 'sent'] as const satisfies readonly TransactionRecord['kind'][];
const statuses = ['confirmed', 'pending', 'failed'] as const satisfies readonly TransactionStatus[];

/** Characters of a signature: base58 of 64 bytes has no more. A shorter one ends with zeros. */
const SIGNATURE_CHARS = 88;
/** Bytes of a key: the start of the signature's SHA-256, so that nobody can choose two signatures with the same key. */
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

/** The transactions of one ledger. A record that it gives is a copy of what is there. */
export class TransactionLog {
  readonly table = createTable(columns, 1);
  readonly extras = new Map<number, TransactionExtra>();
  readonly index = createHashIndex(KEY_BYTES);

  /** How many there are. */
  get size(): number {
    return this.table.rows;
  }

  /** Adds a transaction. Throws a RangeError for a signature that is no base58 of 64 bytes. */
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

  /** Fills a log that holds nothing with what `saved` gave and with its extras. */
  restore(
    rows: number,
    saved: (name: string) => AnyColumn,
    extras: Iterable<readonly [number, TransactionExtra]>,
  ): void {
    fillTable(this.table, rows, saved);
    const { key } = this.table.columns;
    for (let row = 0; row < rows; row++) indexRow(this.index, key, row);
    for (const [row, extra] of extras) this.extras.set(row, extra);
  }
}
