/**
 * The programs that the mock chain can run, the formats of their instruction data, and the fee of a message. Running
 * them is done in execute.ts.
 */

import { isUtf8 } from 'node:buffer';
import type { Instruction, Message } from './transaction.js';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
/** The SPL memo program, whose instruction data is the text itself. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const OLD_MEMO_PROGRAM = 'Memo1UhkJRfHyvLMcXucJwXeuD8728EqVDDwQDxFMNo';
const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';

/** The supported programs. Clients add compute budgets unasked; here they raise the fee and limit nothing. */
export type ProgramName = 'system' | 'spl-memo' | 'compute-budget';

const programs: Readonly<Record<string, ProgramName>> = {
  [SYSTEM_PROGRAM]: 'system',
  [MEMO_PROGRAM]: 'spl-memo',
  [OLD_MEMO_PROGRAM]: 'spl-memo',
  [COMPUTE_BUDGET_PROGRAM]: 'compute-budget',
};

/** The program at an address; undefined for other accounts. */
export function programAt(address: string): ProgramName | undefined {
  return Object.hasOwn(programs, address) ? programs[address] : undefined;
}

/** The program that an instruction of a message calls. */
export function programOf(message: Message, instruction: Instruction): ProgramName | undefined {
  return programAt(message.keys[instruction.program] ?? '');
}

const TRANSFER = 2;

/** The lamports in the data of a system transfer; undefined for any other instruction of the system program. */
export function transferLamports(data: Uint8Array): bigint | undefined {
  const view = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return view.length >= 12 && view.readUInt32LE(0) === TRANSFER ? view.readBigUInt64LE(4) : undefined;
}

/** The data of a system transfer. */
export function transferData(lamports: number): Uint8Array {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(TRANSFER, 0);
  data.writeBigUInt64LE(BigInt(lamports), 4);
  return data;
}

/** The text in a memo's data; undefined unless it is UTF-8. */
export function memoText(data: Uint8Array): string | undefined {
  return isUtf8(data) ? Buffer.from(data).toString('utf8') : undefined;
}

/** The fee for each signature, in lamports. */
export const SIGNATURE_FEE_LAMPORTS = 5_000;
const MICRO = 1_000_000n;
const UNITS_MAX = 1_400_000n;
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;
/** The units that an instruction counts for without a limit, by program. */
const DEFAULT_UNITS: Readonly<Record<ProgramName, bigint>> = {
  system: 3_000n,
  'compute-budget': 3_000n,
  'spl-memo': 200_000n,
};

/** The length of a compute budget instruction by its first byte; other instructions are unknown. */
const budgetBytes: Readonly<Record<number, number>> = { 1: 5, [SET_UNIT_LIMIT]: 5, [SET_UNIT_PRICE]: 9, 4: 5 };

/** Whether the data is an instruction of the compute budget program. */
export function isBudget(data: Uint8Array): boolean {
  return data.length > 0 && budgetBytes[data[0] as number] === data.length;
}

/**
 * The fee of a message in lamports: 5,000 for each signature, and what its compute budget offers in addition, rounded
 * up.
 */
export function feeOf(message: Message): bigint {
  let limit: bigint | undefined;
  let price = 0n;
  let units = 0n;
  for (const instruction of message.instructions) {
    const program = programOf(message, instruction);
    if (program === undefined) continue;
    units += DEFAULT_UNITS[program];
    if (program !== 'compute-budget' || !isBudget(instruction.data)) continue;
    const { buffer, byteOffset, byteLength } = instruction.data;
    const view = new DataView(buffer, byteOffset, byteLength);
    if (view.getUint8(0) === SET_UNIT_LIMIT) limit = BigInt(view.getUint32(1, true));
    if (view.getUint8(0) === SET_UNIT_PRICE) price = view.getBigUint64(1, true);
  }
  const paidUnits = limit ?? units;
  const offered = ((paidUnits < UNITS_MAX ? paidUnits : UNITS_MAX) * price + MICRO - 1n) / MICRO;
  return BigInt(message.signers * SIGNATURE_FEE_LAMPORTS) + offered;
}
