import { base64 } from '@scure/base';
import { z } from 'zod';
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
import { chainMethods } from './rpc-chain.js';
import { historyMethods } from './rpc-history.js';
import { sendMethods } from './rpc-send.js';
import { readTransaction } from './transaction.js';

/** A step of the clock: no more than a year, so that a slip does not leave every year behind that a date can have. */
const ADVANCE_MS_MAX = 366 * 86_400_000;

/** Of our own: no node has it. */
const aipsAdvanceClock = method(z.tuple([z.int().min(0).max(ADVANCE_MS_MAX)]), ({ advance, nowMs }, [ms]) => {
  if (advance === undefined) return rpcError(-32601, 'Method not found: this clock does not move by JSON-RPC');
  advance(ms);
  return rpcResult({ now_ms: nowMs + ms });
});

const methods: Readonly<Record<string, RpcMethod>> = {
  ...chainMethods,
  ...sendMethods,
  ...historyMethods,
  aipsAdvanceClock,
};

/**
 * Answers the body of a JSON-RPC request, parsed from JSON and otherwise whatever it is. Undefined when nothing is to be
 * answered: all calls of it were notifications. The context is that of the moment at which a call of it is answered.
 */
export function answerRpc(context: () => RpcContext, request: unknown): object | undefined {
  return answerRequest(methods, context, request);
}

/** Makes a change again that was made before, at its own time. Throws when it can no longer be made. */
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
