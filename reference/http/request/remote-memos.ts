/**
 * Memos on another ledger: signs transactions of the memo program with a fee payer's key, and sends them until they have
 * landed. It pays nothing but the ledger's own fee.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { base58 } from '@scure/base';
import { z } from 'zod';
import { BASE58 } from '../../../spec/formats.js';
import { MEMO_PROGRAM } from '../../ledger/programs.js';
import { postTo, type RemoteLedger, rpcServerOf } from './remote-ledger.js';

/** A signed transaction that holds a memo. */
export interface SignedMemo {
  readonly signature: string;
  /** Base64. */
  readonly wire: string;
}

/** A wallet that signs for the fee. */
export interface FeePayer {
  /** Base58 of its public key. */
  readonly address: string;
  /** The 64-byte signature of bytes. */
  readonly signBytes: (bytes: Uint8Array) => Uint8Array;
}

/** Writes memos on another ledger in the fee payer's name. */
export interface RemoteMemos {
  readonly address: string;
  /** Asks for a recent block hash, which a signature needs; resolves to whether the ledger gave one. */
  readonly ready: () => Promise<boolean>;
  /** Signs a memo under the latest block hash. `ready` must have resolved to true before. */
  readonly sign: (text: string) => SignedMemo;
  /** Sends it, and again until it is confirmed; resolves to whether it was. */
  readonly send: (memo: SignedMemo) => Promise<boolean>;
  /** Ends all sending. */
  readonly stop: () => void;
}

const blockhashReply = z.looseObject({
  result: z.looseObject({ value: z.looseObject({ blockhash: z.string().regex(BASE58) }) }),
});
const statusReply = z.looseObject({
  result: z.looseObject({
    value: z.array(z.looseObject({ err: z.unknown().optional(), confirmationStatus: z.string().nullish() }).nullable()),
  }),
});

const LANDED = ['confirmed', 'finalized'];
const ASK_EVERY_MS = 1_000;
/** A block hash is of no use after some 150 slots; until then a transaction under it can land. */
const ASKS_MAX = 90;
const SEND_EVERY_ASKS = 5;

/** Makes the writer of memos on a ledger. */
export function remoteMemos(ledger: RemoteLedger, payer: FeePayer): RemoteMemos {
  const rpcServer = rpcServerOf(ledger);
  const over = new AbortController();
  let blockhash: string | undefined;
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const answered = await postTo(rpcServer, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return 'value' in answered ? answered.value : undefined;
  };
  const landed = async (signature: string): Promise<boolean | 'failed'> => {
    const reply = statusReply.safeParse(await call('getSignatureStatuses', [[signature]]));
    const status = reply.success ? reply.data.result.value[0] : undefined;
    if (status === undefined || status === null) return false;
    if ((status.err ?? null) !== null) return 'failed';
    return LANDED.includes(status.confirmationStatus ?? '');
  };
  return {
    address: payer.address,
    ready: async () => {
      const reply = blockhashReply.safeParse(await call('getLatestBlockhash', [{ commitment: 'finalized' }]));
      if (reply.success) blockhash = reply.data.result.value.blockhash;
      return reply.success;
    },
    sign: (text) => {
      if (blockhash === undefined) throw new Error('there is no block hash to sign under');
      return signedMemo(payer, blockhash, text);
    },
    send: async ({ signature, wire }) => {
      for (let asked = 0; asked < ASKS_MAX && !over.signal.aborted; asked++) {
        if (asked % SEND_EVERY_ASKS === 0) await call('sendTransaction', [wire, { encoding: 'base64' }]);
        const there = await landed(signature);
        if (there !== false) return there === true;
        await wait(ASK_EVERY_MS, undefined, { ref: false });
      }
      return false;
    },
    stop: () => over.abort(),
  };
}

/** A number in Solana's compact form. */
function compact(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    if (rest < 0x80) return Uint8Array.of(...bytes, rest);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** A legacy transaction with one memo, which the fee payer alone signs. */
function signedMemo(payer: FeePayer, blockhash: string, text: string): SignedMemo {
  const data = Buffer.from(text, 'utf8');
  const message = Buffer.concat([
    // One signer, who may be written to; of the others one is read only: the program.
    Uint8Array.of(1, 0, 1),
    compact(2),
    base58.decode(payer.address),
    base58.decode(MEMO_PROGRAM),
    base58.decode(blockhash),
    compact(1),
    Uint8Array.of(1),
    compact(1),
    Uint8Array.of(0),
    compact(data.length),
    data,
  ]);
  const signature = payer.signBytes(message);
  const wire = Buffer.concat([compact(1), signature, message]).toString('base64');
  return { signature: base58.encode(signature), wire };
}
