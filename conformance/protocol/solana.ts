/** Builds and signs Solana payment transactions in their wire form. Sending them is in trial/payer-rpc.ts. */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import type { Wallet } from './wallet.js';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const TRANSFER = 2;

/** A payment to sign: one or more transfers from one account to another, and a memo that makes it unique. */
export interface Payment {
  /** The wallet that signs, pays, and bears the ledger's fee. */
  readonly from: Wallet;
  readonly to: string;
  readonly amounts: readonly bigint[];
  readonly memo: string;
  /** A recent block hash in base58. */
  readonly blockhash: string;
}

/**
 * Makes a signed legacy transaction in its wire form; the sender is the only signer. All parts are shorter than 128, so each
 * length takes one byte.
 */
export function signedPayment({ from, to, amounts, memo, blockhash }: Payment): Uint8Array {
  const keys = [from.address, to, SYSTEM_PROGRAM, MEMO_PROGRAM];
  const [payer, payee, system, memoProgram] = [0, 1, 2, 3];
  const text = utf8ToBytes(memo);
  const message = concatBytes(
    // One signer, no read-only signer, and two read-only accounts (the programs).
    Uint8Array.of(1, 0, 2, keys.length),
    ...keys.map((key) => base58.decode(key)),
    base58.decode(blockhash),
    Uint8Array.of(amounts.length + 1),
    ...amounts.map((lamports) => concatBytes(Uint8Array.of(system, 2, payer, payee, 12), transferData(lamports))),
    Uint8Array.of(memoProgram, 1, payer, text.length),
    text,
  );
  return concatBytes(Uint8Array.of(1), from.signBytes(message), message);
}

function transferData(lamports: bigint): Uint8Array {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, TRANSFER, true);
  view.setBigUint64(4, lamports, true);
  return data;
}
