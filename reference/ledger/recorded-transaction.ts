/**
 * Gives every record of the ledger the form of a transaction, so that JSON-RPC can show it. The views themselves are in
 * transaction-view.ts.
 */

import { base58 } from '@scure/base';
import { addressIn, type Blockchain, blockhashOf, slotAt } from './chain.js';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, transferData } from './programs.js';
import { readTransaction, type Transaction } from './transaction.js';
import type { TransactionError, TransactionRecord } from './transaction-record.js';
import { lengthBytes } from './wire-reader.js';

/** A transaction in a block, and its effects. Lists by account are in the order of the message's keys. */
export interface RecordedTransaction {
  readonly transaction: Transaction;
  readonly error: TransactionError | null;
  readonly feeLamports: number;
  readonly logs: readonly string[];
  readonly units: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** A message with one signer and one instruction, whose program is its last key. */
interface Simple {
  readonly signature: string;
  readonly keys: readonly string[];
  readonly blockhash: string;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

function simpleTransaction({ signature, keys, blockhash, accounts, data }: Simple): Transaction {
  const wire = Buffer.concat([
    Buffer.from([1]),
    base58.decode(signature),
    Buffer.from([1, 0, 1, ...lengthBytes(keys.length)]),
    ...keys.map((key) => base58.decode(key)),
    base58.decode(blockhash),
    Buffer.from([1, keys.length - 1, ...lengthBytes(accounts.length), ...accounts, ...lengthBytes(data.length)]),
    data,
  ]);
  return readRecorded(wire);
}

function readRecorded(wire: Uint8Array): Transaction {
  const read = readTransaction(wire);
  if (!read.ok) throw new Error(`a recordedTransaction transaction cannot be read: ${read.reason}`);
  return read.transaction;
}

const logsOf = (program: string, ...between: string[]): string[] => [
  `Program ${program} invoke [1]`,
  ...between,
  `Program ${program} success`,
];

/**
 * The transaction for a record. Payments and memos of the control API and the service were never signed: they get the
 * form that they would have had, no fee, and a signature that names them and verifies with no key.
 */
export function recordedTransaction(chain: Blockchain, record: TransactionRecord): RecordedTransaction {
  if (record.kind === 'sent') return { ...record, transaction: readRecorded(record.wire) };
  const { signature } = record;
  const blockhash = blockhashOf(chain, slotAt(chain, record.atMs));
  const from = addressIn(chain, record.from);
  if (record.kind === 'memo') {
    const data = Buffer.from(record.text, 'utf8');
    const text = `Program log: Memo (len ${data.length}): ${JSON.stringify(record.text)}`;
    const keys = [from, MEMO_PROGRAM];
    return {
      transaction: simpleTransaction({ signature, keys, blockhash, accounts: [0], data }),
      error: null,
      feeLamports: 0,
      logs: logsOf(MEMO_PROGRAM, text),
      units: 0,
      before: [record.held, 0],
      after: [record.held, 0],
    };
  }
  const { lamports, before, to } = record;
  const self = record.from === to;
  const keys = self ? [from, SYSTEM_PROGRAM] : [from, addressIn(chain, to), SYSTEM_PROGRAM];
  const moved = record.status === 'confirmed' && !self ? lamports : 0;
  return {
    transaction: simpleTransaction({
      signature,
      keys,
      blockhash,
      accounts: self ? [0, 0] : [0, 1],
      data: transferData(lamports),
    }),
    error: record.status === 'failed' ? { InstructionError: [0, { Custom: 1 }] } : null,
    feeLamports: 0,
    logs: record.status === 'failed' ? [] : logsOf(SYSTEM_PROGRAM),
    units: 0,
    before: self ? [before[0], 0] : [...before, 0],
    after: self ? [before[0], 0] : [before[0] - moved, before[1] + moved, 0],
  };
}
