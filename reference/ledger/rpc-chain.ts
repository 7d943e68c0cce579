/** JSON-RPC methods about the node, blocks and balances. They read the chain and change nothing. */

import { z } from 'zod';
import {
  blockhashOf,
  blockTimeSec,
  chainGenesisHash,
  lamportsOf,
  lastValidHeight,
  slotAt,
  slotOf,
  slotOfHash,
} from './chain.js';
import { feeOf } from './compute-budget.js';
import { invalidParams, method, type RpcMethod, rpcError, rpcResult } from './json-rpc.js';
import { programAt } from './programs.js';
import {
  API_VERSION,
  address,
  blockhash,
  config,
  inContext,
  paramsWith,
  refuseMinSlot,
  wantedCommitment,
  wholeNumber,
} from './rpc-params.js';
import { readMessage, TRANSACTION_BYTES_MAX } from './transaction.js';

const nothing = z.tuple([]).rest(z.unknown());

/** Two years of rent at 3,480 lamports for each byte and year, over the data and 128 bytes for the account itself. */
const rentExempt = (bytes: number): number => (bytes + 128) * 3_480 * 2;
const ACCOUNT_BYTES_MAX = 10_485_760;
const ACCOUNTS_MAX = 100;
const FEE_ACCOUNTS_MAX = 128;
/** The blocks for which a node knows the priority fees. */
const FEE_SLOTS = 150;

const accountEncodings = ['base58', 'base64', 'base64+zstd', 'jsonParsed'] as const;
type AccountEncoding = (typeof accountEncodings)[number];
/** The requested encoding of an account's data, which is always empty here. */
export const accountConfig = config.extend({ encoding: z.enum(accountEncodings).nullish() });
/** A zstd frame without content. */
const EMPTY_ZSTD = 'KLUv/QBYAQAA';

/** An account as a method shows it; null for one without lamports. No account has data, and no rent is taken. */
export function accountView(at: string, lamports: number, encoding: AccountEncoding): object | null {
  const isProgram = programAt(at) !== undefined;
  if (lamports === 0 && !isProgram) return null;
  const data = {
    base58: ['', 'base58'],
    base64: ['', 'base64'],
    'base64+zstd': [EMPTY_ZSTD, 'base64+zstd'],
    // Data that cannot be parsed is given in base64.
    jsonParsed: ['', 'base64'],
  }[encoding];
  const owner = isProgram ? 'NativeLoader1111111111111111111111111111111' : '11111111111111111111111111111111';
  return {
    lamports: Math.max(lamports, isProgram ? 1 : 0),
    owner,
    data,
    executable: isProgram,
    rentEpoch: 0,
    space: 0,
  };
}

/** Methods about the node, its blocks and balances. */
export const chainMethods: Readonly<Record<string, RpcMethod>> = {
  getHealth: method(nothing, () => rpcResult('ok')),
  getVersion: method(nothing, () => rpcResult({ 'solana-core': API_VERSION, 'feature-set': 0 })),
  getGenesisHash: method(nothing, ({ chain }) => rpcResult(chainGenesisHash(chain))),
  getSlot: method(
    paramsWith(config),
    (context, [given]) =>
      refuseMinSlot(context, given) ?? rpcResult(slotOf(context.chain, wantedCommitment(given), context.nowMs)),
  ),
  // Every slot has a block, so the height of a block is its slot.
  getBlockHeight: method(
    paramsWith(config),
    (context, [given]) =>
      refuseMinSlot(context, given) ?? rpcResult(slotOf(context.chain, wantedCommitment(given), context.nowMs)),
  ),
  getBlockTime: method(z.tuple([wholeNumber]).rest(z.unknown()), ({ chain, nowMs }, [slot]) => {
    if (slot > slotAt(chain, nowMs)) return rpcError(-32004, `Block not available for slot ${slot}`);
    return rpcResult(blockTimeSec(chain, slot));
  }),
  getLatestBlockhash: method(paramsWith(config), (context, [given]) =>
    inContext(context, given, (commitment) => {
      const slot = slotOf(context.chain, commitment, context.nowMs);
      return { blockhash: blockhashOf(context.chain, slot), lastValidBlockHeight: lastValidHeight(slot) };
    }),
  ),
  isBlockhashValid: method(z.tuple([blockhash, config.nullish()]), (context, [hash, given]) =>
    inContext(context, given, (commitment) => {
      const slot = slotOfHash(context.chain, hash, context.nowMs);
      return slot !== undefined && slot <= slotOf(context.chain, commitment, context.nowMs);
    }),
  ),
  getBalance: method(z.tuple([address, config.nullish()]), (context, [at, given]) =>
    inContext(context, given, (commitment) => lamportsOf(context.chain, at, commitment, context.nowMs)),
  ),
  getAccountInfo: method(z.tuple([address, accountConfig.nullish()]), (context, [at, given]) =>
    inContext(context, given, (commitment) =>
      accountView(at, lamportsOf(context.chain, at, commitment, context.nowMs), given?.encoding ?? 'base58'),
    ),
  ),
  getMultipleAccounts: method(
    z.tuple([z.array(address).max(ACCOUNTS_MAX, `too many accounts; max ${ACCOUNTS_MAX}`), accountConfig.nullish()]),
    (context, [addresses, given]) =>
      inContext(context, given, (commitment) =>
        addresses.map((at) =>
          accountView(at, lamportsOf(context.chain, at, commitment, context.nowMs), given?.encoding ?? 'base64'),
        ),
      ),
  ),
  // There is always room in a block, so no fee has to be offered.
  getRecentPrioritizationFees: method(
    z.tuple([z.array(address).max(FEE_ACCOUNTS_MAX, `too many accounts; max ${FEE_ACCOUNTS_MAX}`).nullish()]),
    ({ chain, nowMs }) => {
      const latest = slotAt(chain, nowMs);
      const slots = Math.min(FEE_SLOTS, latest + 1);
      return rpcResult(
        Array.from({ length: slots }, (_, i) => ({ slot: latest - slots + 1 + i, prioritizationFee: 0 })),
      );
    },
  ),
  getMinimumBalanceForRentExemption: method(
    z.tuple([wholeNumber.max(ACCOUNT_BYTES_MAX), config.nullish()]),
    (_context, [bytes]) => rpcResult(rentExempt(bytes)),
  ),
  getFeeForMessage: method(z.tuple([z.base64(), config.nullish()]), (context, [text, given]) => {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length > TRANSACTION_BYTES_MAX)
      return invalidParams(`a message has at most ${TRANSACTION_BYTES_MAX} bytes`);
    const message = readMessage(bytes);
    if (typeof message === 'string') return invalidParams(`failed to deserialize the message: ${message}`);
    return inContext(context, given, () => {
      // Without a usable block hash the message cannot run, so it has no fee.
      const usable = slotOfHash(context.chain, message.recentBlockhash, context.nowMs) !== undefined;
      return usable ? Number(feeOf(message)) : null;
    });
  }),
};
