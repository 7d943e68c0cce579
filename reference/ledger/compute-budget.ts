/**
 * The compute budget of a message, as a chain reads it before it executes anything, and the fee that follows from it. Its
 * instructions cost units like others when they are executed (execute.ts).
 */

import { type ProgramName, programOf } from './programs.js';
import type { Message } from './transaction.js';
import type { TransactionError } from './transaction-record.js';

/** The fee for each signature, in lamports. */
const SIGNATURE_FEE_LAMPORTS = 5_000;
const MICRO = 1_000_000n;
const UNITS_MAX = 1_400_000;
/** A heap frame: between these sizes, and whole KiB. */
const HEAP_BYTES = { min: 32_768, max: 262_144, step: 1_024 } as const;
/** The units that an instruction counts for without a limit, by program. */
const DEFAULT_UNITS: Readonly<Record<ProgramName, number>> = {
  system: 3_000,
  'compute-budget': 3_000,
  'spl-memo': 200_000,
};

/** The units that a message may use, and the price that it offers for each. */
interface ComputeBudget {
  readonly unitsMax: number;
  readonly microLamportsPerUnit: bigint;
}

/** The instructions of the compute budget program by their first byte; what follows is a number in little endian. */
const settings = { 1: 'heapBytes', 2: 'units', 3: 'price', 4: 'loadedBytes' } as const;
type Setting = (typeof settings)[keyof typeof settings];

/**
 * Reads the compute budget of a message, or the error that keeps it out of a block: an unknown instruction, one that
 * occurs twice, a heap frame of a size that there is not, or no loaded data at all.
 */
export function computeBudgetOf(message: Message): ComputeBudget | { readonly error: TransactionError } {
  const given = new Map<Setting, { readonly index: number; readonly value: bigint }>();
  let defaultUnits = 0;
  for (const [index, instruction] of message.instructions.entries()) {
    const program = programOf(message, instruction);
    if (program === undefined) continue;
    defaultUnits += DEFAULT_UNITS[program];
    if (program !== 'compute-budget') continue;
    const read = settingOf(instruction.data);
    if (read === undefined) return invalidData(index);
    if (given.has(read.setting)) return { error: { DuplicateInstruction: index } };
    given.set(read.setting, { index, value: read.value });
  }
  const heap = given.get('heapBytes');
  if (heap !== undefined && !isHeapSize(Number(heap.value))) return invalidData(heap.index);
  if (given.get('loadedBytes')?.value === 0n) return { error: 'InvalidLoadedAccountsDataSizeLimit' };
  const units = Number(given.get('units')?.value ?? defaultUnits);
  return { unitsMax: Math.min(units, UNITS_MAX), microLamportsPerUnit: given.get('price')?.value ?? 0n };
}

const invalidData = (index: number): { readonly error: TransactionError } => ({
  error: { InstructionError: [index, 'InvalidInstructionData'] },
});

const isHeapSize = (bytes: number): boolean =>
  bytes >= HEAP_BYTES.min && bytes <= HEAP_BYTES.max && bytes % HEAP_BYTES.step === 0;

/** Bytes after the number are ignored, as on a chain. */
function settingOf(data: Uint8Array): { readonly setting: Setting; readonly value: bigint } | undefined {
  const setting = settings[data[0] as keyof typeof settings];
  const bytes = setting === 'price' ? 8 : 4;
  if (setting === undefined || data.length < 1 + bytes) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return { setting, value: setting === 'price' ? view.getBigUint64(1, true) : BigInt(view.getUint32(1, true)) };
}

/** The fee of a message in lamports: 5,000 for each signature, and what its compute budget offers in addition, rounded up. An unreadable budget offers 0. */
export function feeOf(message: Message): bigint {
  const budget = computeBudgetOf(message);
  const offered = 'error' in budget ? 0n : BigInt(budget.unitsMax) * budget.microLamportsPerUnit;
  return BigInt(message.signers * SIGNATURE_FEE_LAMPORTS) + (offered + MICRO - 1n) / MICRO;
}
