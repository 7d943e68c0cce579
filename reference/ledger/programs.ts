/**
 * The programs that the mock chain can run, and the formats of their instruction data. Compute budgets are read in
 * compute-budget.ts; running is done in execute.ts.
 */

import { isUtf8 } from 'node:buffer';
import type { Instruction, Message } from './transaction.js';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
/** The SPL memo program, whose instruction data is the text itself. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const OLD_MEMO_PROGRAM = 'Memo1UhkJRfHyvLMcXucJwXeuD8728EqVDDwQDxFMNo';
const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';

/** The supported programs. */
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
