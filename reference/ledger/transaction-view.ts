/**
 * Transactions in the encodings of getTransaction. Records get the form of a transaction in recorded-transaction.ts.
 */

import { base58, base64 } from '@scure/base';
import { type RpcFailure, rpcError } from './json-rpc.js';
import { memoText, programAt, programOf, transferLamports } from './programs.js';
import type { RecordedTransaction } from './recorded-transaction.js';
import { type Instruction, isWritable, type Message, signs, type Transaction } from './transaction.js';

export const transactionEncodings = ['json', 'jsonParsed', 'base64', 'base58'] as const;
export type TransactionEncoding = (typeof transactionEncodings)[number];

function transactionView(transaction: Transaction, encoding: TransactionEncoding): unknown {
  switch (encoding) {
    case 'base64':
      return [base64.encode(transaction.wire), 'base64'];
    case 'base58':
      return [base58.encode(transaction.wire), 'base58'];
    case 'json':
    case 'jsonParsed': {
      const { message } = transaction;
      const signatures = transaction.signatures.map((signature) => base58.encode(signature));
      return { signatures, message: encoding === 'json' ? rawMessage(message) : parsedMessage(message) };
    }
    default:
      return encoding satisfies never;
  }
}

function rawMessage(message: Message): object {
  return {
    header: {
      numRequiredSignatures: message.signers,
      numReadonlySignedAccounts: message.readonlySigners,
      numReadonlyUnsignedAccounts: message.readonlyOthers,
    },
    accountKeys: message.keys,
    recentBlockhash: message.recentBlockhash,
    instructions: message.instructions.map(({ program, accounts, data }) => ({
      programIdIndex: program,
      accounts,
      data: base58.encode(data),
      stackHeight: 1,
    })),
    ...(message.version === 0 ? { addressTableLookups: [] } : {}),
  };
}

function keysView(message: Message): object[] {
  return message.keys.map((pubkey, index) => ({
    pubkey,
    writable: isWritable(message, index) && programAt(pubkey) === undefined,
    signer: signs(message, index),
    source: 'transaction',
  }));
}

function parsedMessage(message: Message): object {
  return {
    accountKeys: keysView(message),
    recentBlockhash: message.recentBlockhash,
    instructions: message.instructions.map((instruction) => parsedInstruction(message, instruction)),
    ...(message.version === 0 ? { addressTableLookups: [] } : {}),
  };
}

/** Parses a transfer or a memo; any other instruction is shown as it is, with addresses for its accounts. */
function parsedInstruction(message: Message, instruction: Instruction): object {
  const { accounts, data } = instruction;
  const programId = message.keys[instruction.program] as string;
  const addresses = accounts.map((index) => message.keys[index] as string);
  const program = programOf(message, instruction);
  const lamports = transferLamports(data);
  const [source, destination] = addresses;
  if (program === 'system' && lamports !== undefined && destination !== undefined) {
    const info = { source, destination, lamports: Number(lamports) };
    return { program, programId, parsed: { type: 'transfer', info }, stackHeight: 1 };
  }
  const text = memoText(data);
  if (program === 'spl-memo' && text !== undefined) return { program, programId, parsed: text, stackHeight: 1 };
  return { programId, accounts: addresses, data: base58.encode(data), stackHeight: 1 };
}

/**
 * A transaction with its effects and, for a caller who reads versioned ones, its version. Refuses one of a version that the
 * caller does not read.
 */
export function shownTransaction(
  done: RecordedTransaction,
  encoding: TransactionEncoding,
  given: { readonly maxSupportedTransactionVersion?: number | null | undefined } | null | undefined,
): { readonly transaction: unknown; readonly meta: object; readonly version?: 'legacy' | 0 } | RpcFailure {
  const refused = refuseVersion(done, given?.maxSupportedTransactionVersion);
  if (refused !== undefined) return refused;
  const { version } = done.transaction.message;
  const shown = { transaction: transactionView(done.transaction, encoding), meta: metaView(done, encoding) };
  return typeof given?.maxSupportedTransactionVersion === 'number' ? { ...shown, version } : shown;
}

/** Refuses with -32015 a transaction of a version that the caller does not read. */
function refuseVersion({ transaction }: RecordedTransaction, versionMax: number | null | undefined) {
  const { version } = transaction.message;
  if (version === 'legacy' || typeof versionMax === 'number') return undefined;
  const advice = `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`;
  return rpcError(-32015, `Transaction version (${version}) is not supported by the requesting client. ${advice}`);
}

/** The effects of a transaction, as getTransaction shows them. */
function metaView(done: RecordedTransaction, encoding: TransactionEncoding) {
  const { transaction, error, feeLamports, units } = done;
  const { keys } = transaction.message;
  // On a real chain the account of a program is never empty.
  const held = (balances: readonly number[]): number[] =>
    keys.map((key, index) => (programAt(key) === undefined ? (balances[index] as number) : 1));
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee: feeLamports,
    preBalances: held(done.before),
    postBalances: held(done.after),
    innerInstructions: [],
    preTokenBalances: [],
    postTokenBalances: [],
    logMessages: done.logs,
    rewards: [],
    computeUnitsConsumed: units,
    ...(encoding === 'jsonParsed' ? {} : { loadedAddresses: { writable: [], readonly: [] } }),
  };
}

/** A transaction with its accounts and its effects on them alone, as getBlock shows it with transactionDetails `accounts`. */
export function shownAccounts(
  done: RecordedTransaction,
  versionMax: number | null | undefined,
): { readonly transaction: object; readonly meta: object } | RpcFailure {
  const refused = refuseVersion(done, versionMax);
  if (refused !== undefined) return refused;
  const { message, signatures } = done.transaction;
  const { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = metaView(done, 'json');
  return {
    transaction: { accountKeys: keysView(message), signatures: signatures.map((each) => base58.encode(each)) },
    meta: { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances },
    ...(typeof versionMax === 'number' ? { version: message.version } : {}),
  };
}
