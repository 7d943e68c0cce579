/**
 * The wire format of Solana's transactions: reading them, and verifying their signatures. Their effects are computed in
 * execute.ts.
 */

import { base58 } from '@scure/base';
import { verifyEd25519Bytes } from '../beats/signing.js';
import { WireFormatError, WireReader } from './wire-reader.js';

/** The longest transaction that fits into a packet. */
export const TRANSACTION_BYTES_MAX = 1_232;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The bit that distinguishes a versioned message from a legacy one. */
const VERSIONED = 0x80;

/** A call of a program: indexes into the message's keys, and the program's own data. */
export interface Instruction {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

/** A look-up in an address table, which only messages of version 0 have. */
interface Lookup {
  readonly table: string;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
}

/**
 * The part of a transaction that is signed. The first `signers` keys sign; the last keys of each group are read-only.
 */
export interface Message {
  readonly version: 'legacy' | 0;
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
  /** Addresses in base58. */
  readonly keys: readonly string[];
  readonly recentBlockhash: string;
  readonly instructions: readonly Instruction[];
  readonly lookups: readonly Lookup[];
}

/** A transaction as it was sent. Its first signature is its name. */
export interface Transaction {
  readonly signatures: readonly Uint8Array[];
  readonly message: Message;
  /** The bytes that the signatures cover. */
  readonly messageBytes: Uint8Array;
  readonly wire: Uint8Array;
}

type ReadTransaction =
  | { readonly ok: true; readonly transaction: Transaction }
  | { readonly ok: false; readonly reason: string };

/** Reads a transaction of either version. Bytes after its end are ignored, as on a node. */
export function readTransaction(bytes: Uint8Array): ReadTransaction {
  try {
    const reader = new WireReader(bytes);
    const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
    const start = reader.at;
    const message = takeMessage(reader);
    if (signatures.length !== message.signers) {
      return { ok: false, reason: `${signatures.length} signatures for ${message.signers} signers` };
    }
    const wire = bytes.slice(0, reader.at);
    return { ok: true, transaction: { signatures, message, messageBytes: wire.subarray(start), wire } };
  } catch (error) {
    if (error instanceof WireFormatError) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Reads a message alone, as getFeeForMessage takes it. Returns the reason as a text if it cannot be read. */
export function readMessage(bytes: Uint8Array): Message | string {
  try {
    return takeMessage(new WireReader(bytes));
  } catch (error) {
    if (error instanceof WireFormatError) return error.message;
    throw error;
  }
}

function takeMessage(reader: WireReader): Message {
  const first = reader.u8();
  const versioned = first >= VERSIONED;
  if (first > VERSIONED) throw new WireFormatError(`messages of version ${first - VERSIONED} are not known`);
  const signers = versioned ? reader.u8() : first;
  const readonlySigners = reader.u8();
  const readonlyOthers = reader.u8();
  const keys = reader.list(() => base58.encode(reader.take(KEY_BYTES)));
  const recentBlockhash = base58.encode(reader.take(KEY_BYTES));
  const instructions = reader.list(() => ({
    program: reader.u8(),
    accounts: reader.indexes(),
    data: reader.take(reader.length()),
  }));
  const lookups = versioned ? reader.list(() => takeLookup(reader)) : [];
  const version = versioned ? 0 : 'legacy';
  const message: Message = {
    version,
    signers,
    readonlySigners,
    readonlyOthers,
    keys,
    recentBlockhash,
    instructions,
    lookups,
  };
  requireSane(message);
  return message;
}

function takeLookup(reader: WireReader): Lookup {
  return {
    table: base58.encode(reader.take(KEY_BYTES)),
    writable: reader.indexes(),
    readonly: reader.indexes(),
  };
}

/** Refuses a message whose numbers contradict each other, as a node does before any other test. */
function requireSane({ signers, readonlySigners, readonlyOthers, keys, instructions, lookups }: Message): void {
  if (signers === 0 || readonlySigners >= signers) throw new WireFormatError('no signer can pay the fee');
  if (signers + readonlyOthers > keys.length) throw new WireFormatError('its header counts more accounts than it has');
  const loaded = lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0);
  for (const { program, accounts } of instructions) {
    // The fee payer cannot be a program, and programs cannot be in tables.
    if (program === 0 || program >= keys.length)
      throw new WireFormatError('an instruction names a program outside its accounts');
    if (accounts.some((index) => index >= keys.length + loaded)) {
      throw new WireFormatError('an instruction names an account outside its list');
    }
  }
}

/** Whether the account at an index signs. */
export function signs(message: Message, index: number): boolean {
  return index < message.signers;
}

/** Whether the message's header allows writing to the account at an index. */
export function isWritable({ signers, readonlySigners, readonlyOthers, keys }: Message, index: number): boolean {
  return index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers;
}

/** The name of a transaction: its first signature in base58. */
export function signatureOf({ signatures }: Transaction): string {
  return base58.encode(signatures[0] as Uint8Array);
}

/** Whether every signature is valid for its key and the message: Ed25519, as strictly as nodes check it. */
export function verifySignatures({ signatures, message, messageBytes }: Transaction): boolean {
  return signatures.every((signature, index) => {
    const key = base58.decode(message.keys[index] as string);
    return verifyEd25519Bytes(key, messageBytes, signature);
  });
}
