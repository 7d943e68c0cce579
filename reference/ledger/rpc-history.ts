/**
 * JSON-RPC methods about transactions in blocks: statuses, the history of an address, one transaction. They change
 * nothing.
 */

import { z } from 'zod';
import {
  type Blockchain,
  blockTimeSec,
  type Commitment,
  commitmentAt,
  commitmentOf,
  reaches,
  slotAt,
  slotOf,
  transactionsOf,
} from './chain.js';
import { invalidParams, method, type RpcContext, type RpcMethod, type RpcResponse, rpcResult } from './json-rpc.js';
import { findTransaction } from './ledger.js';
import { recordedTransaction } from './recorded-transaction.js';
import { API_VERSION, address, config, refuseMinSlot, signature, versionMax, wantedCommitment } from './rpc-params.js';
import type { TransactionError, TransactionRecord } from './transaction-record.js';
import { shownTransaction, type TransactionEncoding, transactionEncodings } from './transaction-view.js';

const STATUSES_MAX = 256;
const HISTORY_MAX = 1_000;

/** The error of a transaction; null if it has none. */
export function faultOf(record: TransactionRecord): TransactionError | null {
  if (record.kind === 'sent') return record.error;
  return record.status === 'failed' ? { InstructionError: [0, { Custom: 1 }] } : null;
}

function memoOf(record: TransactionRecord): string | null {
  if (record.kind === 'sent') return record.memo;
  return record.kind === 'memo' ? `[${Buffer.byteLength(record.text)}] ${record.text}` : null;
}

function statusOf(chain: Blockchain, name: string, nowMs: number): object | null {
  const record = findTransaction(chain.ledger, name);
  const commitment = record && commitmentOf(chain, record, nowMs);
  if (record === undefined || commitment === undefined) return null;
  const slot = slotAt(chain, record.atMs);
  const err = faultOf(record);
  return {
    slot,
    confirmations: commitment === 'finalized' ? null : slotAt(chain, nowMs) - slot,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus: commitment,
  };
}

/** Refuses `processed`: history starts with confirmed blocks. */
export function tooFresh(commitment: Commitment): RpcResponse | undefined {
  if (commitment !== 'processed') return undefined;
  return invalidParams('Method does not support commitment below `confirmed`');
}

const historyConfig = config.extend({
  limit: z.int().min(1).max(HISTORY_MAX).nullish(),
  before: signature.nullish(),
  until: signature.nullish(),
});

type HistoryConfig = z.output<typeof historyConfig> | null | undefined;

/** The signatures of an address, the newest first: those older than `before` and newer than `until`. */
function history(context: RpcContext, [at, given]: readonly [string, HistoryConfig?]): RpcResponse {
  const { chain, nowMs } = context;
  const wanted = wantedCommitment(given);
  const refused = tooFresh(wanted) ?? refuseMinSlot(context, given);
  if (refused !== undefined) return refused;
  const { transactions } = chain.ledger;
  const rows = transactionsOf(chain, at);
  const limit = given?.limit ?? HISTORY_MAX;
  const [begin, end] = [placeOf(chain, rows, given?.before) ?? rows.length, placeOf(chain, rows, given?.until) ?? -1];
  const found: object[] = [];
  for (let i = begin - 1; i > end && found.length < limit; i--) {
    const row = rows[i]!;
    const commitment = commitmentAt(chain, row, nowMs);
    if (reaches(commitment, wanted)) found.push(line(chain, transactions.at(row), commitment as Commitment));
  }
  return rpcResult(found);
}

/** The place of a transaction among those of an address; undefined without a signature. One that is not among them comes before all. */
function placeOf({ ledger }: Blockchain, rows: readonly number[], name: string | null | undefined): number | undefined {
  if (name === null || name === undefined) return undefined;
  const row = ledger.transactions.rowOf(name);
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row ? low : -1;
}

function line(chain: Blockchain, record: TransactionRecord, confirmationStatus: Commitment): object {
  const slot = slotAt(chain, record.atMs);
  return {
    signature: record.signature,
    slot,
    err: faultOf(record),
    memo: memoOf(record),
    blockTime: blockTimeSec(chain, slot),
    confirmationStatus,
  };
}

const encoding = z.enum(transactionEncodings);
const transactionConfig = config.extend({ encoding: encoding.nullish(), maxSupportedTransactionVersion: versionMax });

type TransactionConfig = z.output<typeof transactionConfig> | TransactionEncoding | null | undefined;

function transaction(context: RpcContext, [name, last]: readonly [string, TransactionConfig?]): RpcResponse {
  const { chain, nowMs } = context;
  // An older form has the encoding in place of the config.
  const given = typeof last === 'string' ? { encoding: last } : last;
  const wanted = wantedCommitment(given);
  const refused = tooFresh(wanted);
  if (refused !== undefined) return refused;
  const record = findTransaction(chain.ledger, name);
  if (record === undefined || !reaches(commitmentOf(chain, record, nowMs), wanted)) return rpcResult(null);
  const slot = slotAt(chain, record.atMs);
  const shown = shownTransaction(recordedTransaction(chain, record), given?.encoding ?? 'json', given);
  return 'error' in shown ? shown : rpcResult({ slot, blockTime: blockTimeSec(chain, slot), ...shown });
}

const statusConfig = z.object({ searchTransactionHistory: z.boolean().nullish() });

/** Methods about transactions in blocks. */
export const historyMethods: Readonly<Record<string, RpcMethod>> = {
  getSignatureStatuses: method(
    z.tuple([z.array(signature).max(STATUSES_MAX, `too many signatures; max ${STATUSES_MAX}`), statusConfig.nullish()]),
    ({ chain, nowMs }, [names]) =>
      rpcResult({
        context: { slot: slotOf(chain, 'processed', nowMs), apiVersion: API_VERSION },
        value: names.map((name) => statusOf(chain, name, nowMs)),
      }),
  ),
  getSignaturesForAddress: method(z.tuple([address, historyConfig.nullish()]), history),
  getTransaction: method(z.tuple([signature, z.union([transactionConfig, encoding]).nullish()]), transaction),
};
