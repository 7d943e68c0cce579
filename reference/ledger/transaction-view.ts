/**
 * Transactions in the encodings of getTransaction. Records get the form of a transaction in recorded-transaction.ts.
 */

import { base58, base64 } from '@scure/base';
import { memoText, programAt, programOf, transferLamports } from './programs.js';
import type { RecordedTransaction } from './recorded-transaction.js';
import { type Instruction, isWritable, type Message, signs, type Transaction } from './transaction.js';

export const transactionEncodings = ['json', 'jsonParsed', 'base64', 'base58'] as const;
export type TransactionEncoding = (typeof transactionEncodings)[number];

/** A transaction in one of the encodings of getTransaction. */
export function transactionView(transaction: Transaction, encoding: TransactionEncoding): unknown {
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

function parsedMessage(message: Message): object {
  return {
    accountKeys: message.keys.map((pubkey, index) => ({
      pubkey,
      writable: isWritable(message, index) && programAt(pubkey) === undefined,
      signer: signs(message, index),
      source: 'transaction',
    })),
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

/** The effects of a transaction, as getTransaction shows them. */
export function metaView(done: RecordedTransaction, encoding: TransactionEncoding): object {
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
