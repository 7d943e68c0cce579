/** JSON-RPC methods about whole blocks. They read the chain and change nothing. */

import { z } from 'zod';
import { type Blockchain, blockhashOf, blockTimeSec, commitmentAt, countUpTo, reaches, slotOf } from './chain.js';
import {
  invalidParams,
  method,
  type RpcContext,
  type RpcMethod,
  type RpcResponse,
  rpcError,
  rpcResult,
} from './json-rpc.js';
import { recordedTransaction } from './recorded-transaction.js';
import { tooFresh } from './rpc-history.js';
import { config, paramsWith, refuseMinSlot, versionMax, wantedCommitment, wholeNumber } from './rpc-params.js';
import { shownAccounts, shownTransaction, transactionEncodings } from './transaction-view.js';

/** Every slot is in an epoch of this many, from the first on. */
const EPOCH_SLOTS = 432_000;
/** While a clock is stopped all transactions are in one block, whose reply could have any length. */
const SHOWN_MAX = { full: 1_000, accounts: 1_000, signatures: 10_000, none: Number.POSITIVE_INFINITY } as const;

const encoding = z.enum(transactionEncodings);
const details = z.enum(['full', 'accounts', 'signatures', 'none']);
const blockConfig = config.extend({
  encoding: encoding.nullish(),
  transactionDetails: details.nullish(),
  rewards: z.boolean().nullish(),
  maxSupportedTransactionVersion: versionMax,
});

type BlockConfig = z.output<typeof blockConfig> | z.output<typeof encoding> | null | undefined;

function block({ chain, nowMs }: RpcContext, [slot, last]: readonly [number, BlockConfig?]): RpcResponse {
  // An older form has the encoding in place of the config.
  const given = typeof last === 'string' ? { encoding: last } : last;
  const wanted = wantedCommitment(given);
  const refused = tooFresh(wanted);
  if (refused !== undefined) return refused;
  if (slot > slotOf(chain, wanted, nowMs)) return rpcError(-32004, `Block not available for slot ${slot}`);
  const rows = rowsIn(chain, slot, nowMs);
  const kind = given?.transactionDetails ?? 'full';
  if (rows.length > SHOWN_MAX[kind]) {
    const advice = `ask with transactionDetails "${rows.length > SHOWN_MAX.signatures ? 'none' : 'signatures'}"`;
    return invalidParams(
      `the block has ${rows.length} transactions, and ${SHOWN_MAX[kind]} are shown at most; ${advice}`,
    );
  }
  const shown = transactionsIn(chain, rows, kind, given);
  if ('error' in shown) return shown;
  const parentSlot = Math.max(0, slot - 1);
  return rpcResult({
    blockHeight: slot,
    blockTime: blockTimeSec(chain, slot),
    blockhash: blockhashOf(chain, slot),
    parentSlot,
    previousBlockhash: blockhashOf(chain, parentSlot),
    ...shown,
    ...(given?.rewards === false ? {} : { rewards: [] }),
  });
}

/** The places of the transactions in the block of a slot. */
function rowsIn(chain: Blockchain, slot: number, nowMs: number): readonly number[] {
  const begin = slot === 0 ? 0 : countUpTo(chain, slot - 1);
  const all = Array.from({ length: countUpTo(chain, slot) - begin }, (_, i) => begin + i);
  return all.filter((row) => reaches(commitmentAt(chain, row, nowMs), 'processed'));
}

function transactionsIn(
  chain: Blockchain,
  rows: readonly number[],
  kind: z.output<typeof details>,
  given: Exclude<BlockConfig, string>,
) {
  const { transactions } = chain.ledger;
  if (kind === 'none') return {};
  if (kind === 'signatures') return { signatures: rows.map((row) => transactions.signatureAt(row)) };
  const shown: object[] = [];
  for (const row of rows) {
    const done = recordedTransaction(chain, transactions.at(row));
    const each =
      kind === 'full'
        ? shownTransaction(done, given?.encoding ?? 'json', given)
        : shownAccounts(done, given?.maxSupportedTransactionVersion);
    if ('error' in each) return each;
    shown.push(each);
  }
  return { transactions: shown };
}

/** Methods about blocks. */
export const blockMethods: Readonly<Record<string, RpcMethod>> = {
  getBlock: method(z.tuple([wholeNumber, z.union([blockConfig, encoding]).nullish()]), block),
  getTransactionCount: method(
    paramsWith(config),
    (context, [given]) => refuseMinSlot(context, given) ?? rpcResult(countAt(context, wantedCommitment(given))),
  ),
  getEpochInfo: method(paramsWith(config), (context, [given]) => {
    const refused = refuseMinSlot(context, given);
    if (refused !== undefined) return refused;
    const slot = slotOf(context.chain, wantedCommitment(given), context.nowMs);
    return rpcResult({
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: Math.floor(slot / EPOCH_SLOTS),
      slotIndex: slot % EPOCH_SLOTS,
      slotsInEpoch: EPOCH_SLOTS,
      transactionCount: countAt(context, wantedCommitment(given)),
    });
  }),
};

/** Transactions that are held back are few, and count as well. */
function countAt({ chain, nowMs }: RpcContext, commitment: Parameters<typeof slotOf>[1]): number {
  return countUpTo(chain, slotOf(chain, commitment, nowMs));
}
