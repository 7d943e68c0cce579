/**
 * Executes the message of a transaction over given balances, and reports what it would do. It moves nothing; landing.ts
 * does.
 */

import { computeBudgetOf, feeOf } from './compute-budget.js';
import { memoText, type ProgramName, programAt, programOf, transferLamports } from './programs.js';
import { type Instruction, isWritable, type Message, signs } from './transaction.js';
import type { TransactionError } from './transaction-record.js';

/** The effect of a message. Lists by account are in the order of the message's keys. */
export interface Execution {
  readonly error: TransactionError | null;
  /** False if it failed before its fee was taken, so that no block contains it. */
  readonly lands: boolean;
  readonly feeLamports: number;
  readonly logs: readonly string[];
  readonly units: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Transfers by address; none if it failed. */
  readonly transfers: readonly { readonly from: string; readonly to: string; readonly lamports: number }[];
  readonly memo: string | null;
}

type InstructionError = string | { readonly Custom: number };

/** The texts for errors of an instruction in a program's log. */
const instructionTexts: Readonly<Record<string, string>> = {
  ComputationalBudgetExceeded: 'Computational budget exceeded',
  InvalidInstructionData: 'invalid instruction data',
  MaxInstructionTraceLengthExceeded: 'Max instruction trace length exceeded',
  MissingRequiredSignature: 'missing required signature for instruction',
  NotEnoughAccountKeys: 'insufficient account keys for instruction',
  ProgramFailedToComplete: 'Program failed to complete',
  ReadonlyLamportChange: 'instruction changed the balance of a read-only account',
};

/** The texts for errors of a whole transaction, as a node writes them. */
const transactionTexts: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AccountLoadedTwice: 'Account loaded twice',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidLoadedAccountsDataSizeLimit: 'LoadedAccountsDataSizeLimit set for transaction must be greater than 0.',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  SignatureFailure: 'Transaction did not pass signature verification',
};

const instructionText = (error: InstructionError): string =>
  typeof error === 'string'
    ? (instructionTexts[error] ?? error)
    : `custom program error: 0x${error.Custom.toString(16)}`;

/** The text of an error, as a node writes it. */
export function describeError(error: TransactionError): string {
  if (typeof error === 'string') return transactionTexts[error] ?? error;
  if ('DuplicateInstruction' in error)
    return `Transaction contains a duplicate instruction (${error.DuplicateInstruction}) that is not allowed`;
  const [index, inner] = error.InstructionError;
  return `Error processing Instruction ${index}: ${instructionText(inner)}`;
}

/** Native programs take 150 units for an instruction; the number for a memo is a round one. */
const UNITS = { system: 150, 'compute-budget': 150, 'spl-memo': 5_000 } as const;
/** A block takes no transaction with more instructions. */
const INSTRUCTIONS_MAX = 64;
/** The error of a system transfer that the payer cannot cover. */
const RESULT_WITH_NEGATIVE_LAMPORTS = { Custom: 1 } as const;

interface ExecutionState {
  readonly message: Message;
  readonly balances: Map<string, number>;
  readonly logs: string[];
  readonly transfers: { from: string; to: string; lamports: number }[];
  readonly memos: string[];
  readonly unitsMax: number;
  units: number;
}

/** Executes a message over balances that it only reads. If an instruction fails, the fee is still taken. */
export function execute(message: Message, balanceOf: (address: string) => number): Execution {
  const before = message.keys.map(balanceOf);
  const fee = feeOf(message);
  const budget = computeBudgetOf(message);
  const refused = refuseLoading(message, before[0] as number, fee);
  const feeLamports = refused === null ? Number(fee) : 0;
  const run: ExecutionState = {
    message,
    balances: new Map(message.keys.map((key, index) => [key, before[index] as number])),
    logs: [],
    transfers: [],
    memos: [],
    unitsMax: 'error' in budget ? 0 : budget.unitsMax,
    units: 0,
  };
  const held = (): number[] => message.keys.map((key) => run.balances.get(key) as number);
  const common = { feeLamports, logs: run.logs, before };
  const memo = (): string | null => (run.memos.length === 0 ? null : run.memos.join('; '));
  if (refused !== null) {
    return { ...common, error: refused, lands: false, units: 0, after: before, transfers: [], memo: null };
  }
  move(run, message.keys[0] as string, -feeLamports);
  const withFee = held();
  for (const [index, instruction] of message.instructions.entries()) {
    const error = index < INSTRUCTIONS_MAX ? runInstruction(run, instruction) : 'MaxInstructionTraceLengthExceeded';
    if (error === null) continue;
    const { units } = run;
    const failed = { InstructionError: [index, error] } as const;
    return { ...common, error: failed, lands: true, units, after: withFee, transfers: [], memo: memo() };
  }
  const { units, transfers } = run;
  return { ...common, error: null, lands: true, units, after: held(), transfers, memo: memo() };
}

/** The error that keeps a transaction out of a block: accounts cannot be loaded, the budget is void, or the fee not paid. */
function refuseLoading(message: Message, payerLamports: number, fee: bigint): TransactionError | null {
  if (new Set(message.keys).size < message.keys.length) return 'AccountLoadedTwice';
  // This chain has no address tables.
  if (message.lookups.length > 0) return 'AddressLookupTableNotFound';
  const budget = computeBudgetOf(message);
  if ('error' in budget) return budget.error;
  if (payerLamports === 0) return 'AccountNotFound';
  if (BigInt(payerLamports) < fee) return 'InsufficientFundsForFee';
  const stranger = message.instructions.some((instruction) => programOf(message, instruction) === undefined);
  return stranger ? 'ProgramAccountNotFound' : null;
}

function runInstruction(run: ExecutionState, instruction: Instruction): InstructionError | null {
  const { message, logs } = run;
  const id = message.keys[instruction.program] as string;
  const program = programAt(id) as NonNullable<ReturnType<typeof programAt>>;
  logs.push(`Program ${id} invoke [1]`);
  const left = run.unitsMax - run.units;
  run.units += Math.min(UNITS[program], left);
  if (UNITS[program] > left) return outOfUnits(run, id, program);
  const error = runners[program](run, instruction);
  logs.push(`Program ${id} ${error === null ? 'success' : `failed: ${instructionText(error)}`}`);
  return error;
}

/** A native program and one of bytecode stop in different ways. */
function outOfUnits({ logs }: ExecutionState, id: string, program: ProgramName): InstructionError {
  if (program !== 'spl-memo') {
    logs.push(`Program ${id} failed: ${instructionText('ComputationalBudgetExceeded')}`);
    return 'ComputationalBudgetExceeded';
  }
  logs.push(`Program ${id} failed: exceeded CUs meter at BPF instruction`);
  return 'ProgramFailedToComplete';
}

const runners: Readonly<
  Record<ProgramName, (run: ExecutionState, instruction: Instruction) => InstructionError | null>
> = {
  system: runTransfer,
  'spl-memo': runMemo,
  // It has been read already.
  'compute-budget': () => null,
};

function runTransfer(
  { message, logs, balances, transfers }: ExecutionState,
  instruction: Instruction,
): InstructionError | null {
  const asked = transferLamports(instruction.data);
  if (asked === undefined) {
    logs.push('Program log: this ledger runs no instruction of the system program but Transfer');
    return 'InvalidInstructionData';
  }
  const [payer, payee] = instruction.accounts;
  if (payer === undefined || payee === undefined) return 'NotEnoughAccountKeys';
  const [from, to] = [message.keys[payer] as string, message.keys[payee] as string];
  if (!signs(message, payer)) {
    logs.push(`Transfer: \`from\` account ${from} must sign`);
    return 'MissingRequiredSignature';
  }
  const held = balances.get(from) as number;
  if (BigInt(held) < asked) {
    logs.push(`Transfer: insufficient lamports ${held}, need ${asked}`);
    return RESULT_WITH_NEGATIVE_LAMPORTS;
  }
  if (asked > 0n && !(mayChange(message, payer) && mayChange(message, payee))) return 'ReadonlyLamportChange';
  const lamports = Number(asked);
  balances.set(from, held - lamports);
  balances.set(to, (balances.get(to) as number) + lamports);
  transfers.push({ from, to, lamports });
  return null;
}

/** Programs are never written to, whatever the message declares. */
function mayChange(message: Message, index: number): boolean {
  return isWritable(message, index) && programAt(message.keys[index] as string) === undefined;
}

function runMemo({ message, logs, memos }: ExecutionState, { accounts, data }: Instruction): InstructionError | null {
  if (accounts.some((index) => !signs(message, index))) return 'MissingRequiredSignature';
  const text = memoText(data);
  if (text === undefined) return 'InvalidInstructionData';
  logs.push(`Program log: Memo (len ${data.length}): ${JSON.stringify(text)}`);
  memos.push(`[${data.length}] ${text}`);
  return null;
}

function move({ balances }: ExecutionState, address: string, lamports: number): void {
  balances.set(address, (balances.get(address) as number) + lamports);
}
