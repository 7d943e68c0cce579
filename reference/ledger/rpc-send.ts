/** JSON-RPC methods that send or simulate transactions, and airdrops. The effects on the ledger are in landing.ts. */

import { base58, base64 } from '@scure/base';
import { z } from 'zod';
import { BASE58 } from '../../spec/formats.js';
import { type Blockchain, blockhashOf, lamportsOf, lastValidHeight, slotOf } from './chain.js';
import { describeError, type Execution } from './execute.js';
import {
  invalidParams,
  method,
  type RpcContext,
  type RpcMethod,
  type RpcResponse,
  rpcError,
  rpcResult,
} from './json-rpc.js';
import { AIRDROP_LAMPORTS_MAX, airdrop, land, refuseAge, simulate } from './landing.js';
import { accountConfig, accountView } from './rpc-chain.js';
import { address, blockhash, config, inContext, refuseMinSlot, wantedCommitment, wholeNumber } from './rpc-params.js';
import {
  readTransaction,
  signatureOf,
  TRANSACTION_BYTES_MAX,
  type Transaction,
  verifySignatures,
} from './transaction.js';

const encoding = z.enum(['base58', 'base64']).nullish();
/** The length of 1,232 bytes in base58. */
const BASE58_CHARS_MAX = 1_683;
const BASE64_CHARS_MAX = 4 * Math.ceil(TRANSACTION_BYTES_MAX / 3);

/** Reads a transaction from a parameter; refuses one that cannot be read. */
function decode(text: string, given: 'base58' | 'base64' | null | undefined): Transaction | RpcResponse {
  const kind = given ?? 'base58';
  const charsMax = kind === 'base58' ? BASE58_CHARS_MAX : BASE64_CHARS_MAX;
  if (text.length > charsMax) {
    return invalidParams(`the transaction has ${text.length} characters of ${kind}, and ${charsMax} are the most`);
  }
  const bytes = bytesOf(text, kind);
  if (bytes === undefined) return invalidParams(`the transaction is not ${kind}`);
  if (bytes.length > TRANSACTION_BYTES_MAX) {
    return invalidParams(`the transaction has ${bytes.length} bytes, and ${TRANSACTION_BYTES_MAX} are the most`);
  }
  const read = readTransaction(bytes);
  if (read.ok) return read.transaction;
  if (read.reason.includes('signatures for')) return rpcError(-32013, 'Transaction signature length mismatch');
  return invalidParams(`failed to deserialize the transaction: ${read.reason}`);
}

function bytesOf(text: string, kind: 'base58' | 'base64'): Uint8Array | undefined {
  if (kind === 'base58') return BASE58.test(text) ? base58.decode(text) : undefined;
  return z.base64().safeParse(text).success ? base64.decode(text) : undefined;
}

function isTransaction(decoded: Transaction | RpcResponse): decoded is Transaction {
  return 'wire' in decoded;
}

const BAD_SIGNATURE = rpcError(-32003, 'Transaction signature verification failure');

/** The execution of a transaction that never ran. */
const notRun = (text: string): Execution => ({
  error: text,
  lands: false,
  feeLamports: 0,
  logs: [],
  units: 0,
  before: [],
  after: [],
  transfers: [],
  memo: null,
});

function runView({ error: err, logs, units, feeLamports, before, after }: Execution): object {
  return {
    err,
    logs,
    accounts: null,
    unitsConsumed: units,
    returnData: null,
    innerInstructions: null,
    replacementBlockhash: null,
    loadedAccountsDataSize: 0,
    fee: feeLamports,
    preBalances: before,
    postBalances: after,
  };
}

/** Simulates sending a transaction now, on the latest state whatever the commitment. */
function preflight(chain: Blockchain, transaction: Transaction, nowMs: number): Execution {
  const refused = refuseAge(chain, transaction, nowMs);
  return refused === null ? simulate(chain, transaction.message) : notRun(refused);
}

/**
 * Nothing is ever forgotten, so this is where it ends: some 85,000 payments, or 480,000 airdrops. What the control API and
 * the service write does not count.
 */
const KEPT_BYTES_MAX = 256 * 1_048_576;
const FULL = rpcError(-32005, 'The ledger is full and takes no more transactions: reset it, or start a new one');

function refuseFull({ chain, keptBytesMax = KEPT_BYTES_MAX }: RpcContext): RpcResponse | undefined {
  return chain.ledger.transactions.rpcBytes < keptBytesMax ? undefined : FULL;
}

const sendConfig = z.object({
  encoding,
  skipPreflight: z.boolean().nullish(),
  preflightCommitment: config.shape.commitment,
  maxRetries: wholeNumber.nullish(),
  minContextSlot: wholeNumber.nullish(),
});

type SendConfig = z.output<typeof sendConfig> | null | undefined;

function send(context: RpcContext, [text, given]: readonly [string, SendConfig?]): RpcResponse {
  const { chain, nowMs, wrote } = context;
  const transaction = decode(text, given?.encoding);
  if (!isTransaction(transaction)) return transaction;
  if (!verifySignatures(transaction)) return BAD_SIGNATURE;
  const minContextSlot = given?.minContextSlot;
  const early = refuseMinSlot(context, { commitment: given?.preflightCommitment, minContextSlot });
  if (early !== undefined) return early;
  const trial = preflight(chain, transaction, nowMs);
  if (trial.error !== null && given?.skipPreflight !== true) {
    return rpcError(-32002, `Transaction simulation failed: ${describeError(trial.error)}`, runView(trial));
  }
  // A transaction that no block takes is dropped, as on a real chain, where its sender learns of it by waiting.
  if (trial.lands) {
    const full = refuseFull(context);
    if (full !== undefined) return full;
    land(chain, transaction, nowMs);
    wrote({ name: 'sendTransaction', body: { transaction: base64.encode(transaction.wire) } });
  }
  return rpcResult(signatureOf(transaction));
}

const simulateConfig = config.extend({
  encoding,
  sigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
  accounts: z.object({ addresses: z.array(address), encoding: accountConfig.shape.encoding }).nullish(),
});

type SimulateConfig = z.output<typeof simulateConfig> | null | undefined;

function simulateSent(context: RpcContext, [text, given]: readonly [string, SimulateConfig?]): RpcResponse {
  const { chain, nowMs } = context;
  if (given?.sigVerify === true && given.replaceRecentBlockhash === true) {
    return invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  }
  const transaction = decode(text, given?.encoding);
  if (!isTransaction(transaction)) return transaction;
  if (given?.sigVerify === true && !verifySignatures(transaction)) return BAD_SIGNATURE;
  const { message } = transaction;
  const wanted = given?.accounts;
  if (wanted && wanted.addresses.length > message.keys.length) {
    return invalidParams(`too many accounts: ${message.keys.length} are the most`);
  }
  const replaced = given?.replaceRecentBlockhash === true;
  const execution = replaced ? simulate(chain, message) : preflight(chain, transaction, nowMs);
  const accounts = wanted?.addresses.map((at) => {
    if (execution.error !== null) return null;
    const place = message.keys.indexOf(at);
    const lamports = place < 0 ? lamportsOf(chain, at, 'processed', nowMs) : (execution.after[place] as number);
    return accountView(at, lamports, wanted.encoding ?? 'base64');
  });
  const slot = slotOf(chain, wantedCommitment(given), nowMs);
  const replacementBlockhash = { blockhash: blockhashOf(chain, slot), lastValidBlockHeight: lastValidHeight(slot) };
  return inContext(context, given, () => ({
    ...runView(execution),
    ...(accounts === undefined ? {} : { accounts }),
    ...(replaced ? { replacementBlockhash } : {}),
  }));
}

const airdropConfig = config.extend({ recentBlockhash: blockhash.nullish() });
const tooMuch = `an airdrop gives ${AIRDROP_LAMPORTS_MAX} lamports at most`;

/** Methods that change the ledger, and their simulation. */
export const sendMethods: Readonly<Record<string, RpcMethod>> = {
  sendTransaction: method(z.tuple([z.string(), sendConfig.nullish()]), send),
  simulateTransaction: method(z.tuple([z.string(), simulateConfig.nullish()]), simulateSent),
  requestAirdrop: method(
    z.tuple([address, wholeNumber.max(AIRDROP_LAMPORTS_MAX, tooMuch), airdropConfig.nullish()]),
    (context, [to, lamports]) => {
      const { chain, nowMs, wrote, airdrops } = context;
      const full = refuseFull(context);
      if (full !== undefined) return full;
      if (airdrops?.(lamports, nowMs) === false)
        return rpcError(429, 'Too many airdrops for this address; ask again in an hour');
      const signature = airdrop(chain, to, lamports, nowMs);
      if (signature === undefined) return invalidParams('more money than the ledger can count');
      wrote({ name: 'requestAirdrop', body: { address: to, lamports } });
      return rpcResult(signature);
    },
  ),
};
