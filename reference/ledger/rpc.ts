/**
 * The table of all JSON-RPC methods, and the replay of the changes that they made. The protocol around them is
 * json-rpc.ts.
 */

import { base64 } from '@scure/base';
import { z } from 'zod';
import { DAY_MS } from '../../spec/time.js';
import type { Blockchain } from './chain.js';
import {
  answerRequest,
  type LedgerWrite,
  method,
  type RpcContext,
  type RpcMethod,
  rpcError,
  rpcResult,
} from './json-rpc.js';
import { airdrop, land } from './landing.js';
import { blockMethods } from './rpc-block.js';
import { chainMethods } from './rpc-chain.js';
import { historyMethods } from './rpc-history.js';
import { sendMethods } from './rpc-send.js';
import { readTransaction } from './transaction.js';

/** The longest step of the clock, a year: a mistake does not move it beyond the years that dates can have. */
const ADVANCE_MS_MAX = 366 * DAY_MS;

/** A method of the project; no node has it. */
const aipsAdvanceClock = method(z.tuple([z.int().min(0).max(ADVANCE_MS_MAX)]), ({ advance, nowMs }, [ms]) => {
  if (advance === undefined) return rpcError(-32601, 'Method not found: this clock does not move by JSON-RPC');
  advance(ms);
  return rpcResult({ now_ms: nowMs + ms });
});

/** All methods, by name. */
export const rpcMethods: Readonly<Record<string, RpcMethod>> = {
  ...chainMethods,
  ...sendMethods,
  ...historyMethods,
  ...blockMethods,
  aipsAdvanceClock,
};

/**
 * Answers the parsed body of a JSON-RPC request, of any form. Returns undefined if all of its calls were notifications.
 * `context` gives the time at which each call is answered.
 */
export function answerRpc(context: () => RpcContext, request: unknown): object | undefined {
  return answerRequest(rpcMethods, context, request);
}

/** Makes a recorded change again, at its own time. Throws if it is refused now. */
export function replayWrite(chain: Blockchain, { name, body }: LedgerWrite, nowMs: number): void {
  if (name === 'requestAirdrop') {
    if (airdrop(chain, body.address, body.lamports, nowMs) === undefined) throw new Error('the airdrop is refused now');
    return;
  }
  const read = readTransaction(base64.decode(body.transaction));
  const landed = read.ok ? land(chain, read.transaction, nowMs) : read.reason;
  if (typeof landed === 'string')
    throw new Error(`${name} at ${nowMs} was accepted once and is refused now: ${landed}`);
}
