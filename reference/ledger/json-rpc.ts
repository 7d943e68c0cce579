/**
 * JSON-RPC 2.0: requests, batches, errors, and the declaration of a method. The methods are in rpc-*.ts, HTTP is in
 * http/server/ledger-rpc.ts.
 */

import type { z } from 'zod';
import { LargeInteger } from '../../spec/exact-json.js';
import { isObject } from '../../spec/formats.js';
import type { Blockchain } from './chain.js';

/** An error of JSON-RPC 2.0, with Solana's codes. */
interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcFailure = { readonly error: RpcError };
/** The result of a method, or its error. */
export type RpcResponse = { readonly result: unknown } | RpcFailure;

/** A change to the ledger, with all that is needed to make it again. */
export type LedgerWrite =
  | { readonly name: 'sendTransaction'; readonly body: { readonly transaction: string } }
  | { readonly name: 'requestAirdrop'; readonly body: { readonly address: string; readonly lamports: number } };

/** The context of a call: the chain and the time. `wrote` is called after every change. */
export interface RpcContext {
  readonly chain: Blockchain;
  readonly nowMs: number;
  readonly wrote: (write: LedgerWrite) => void;
  /** Takes an airdrop from the caller's allowance; false if that is too small. */
  readonly airdrops?: (lamports: number, nowMs: number) => boolean;
  /** The memory that transactions by JSON-RPC may take together; more are refused. */
  readonly keptBytesMax?: number;
  /** Moves the clock forward by milliseconds; absent if JSON-RPC may not do that. */
  readonly advance?: (ms: number) => void;
}

/** A method: the schema of its parameters, and its function. */
export interface RpcMethod {
  readonly params: z.ZodType<readonly unknown[]>;
  readonly run: (context: RpcContext, params: never) => RpcResponse;
}

/** Declares a method, so that its function sees the parameters' types. Parameters that are left out are `undefined`. */
export function method<S extends z.ZodType<readonly unknown[]>>(
  params: S,
  run: (context: RpcContext, params: z.output<S>) => RpcResponse,
): RpcMethod {
  return { params, run };
}

/** The response of a successful call. */
export const rpcResult = (result: unknown): RpcResponse => ({ result });
/** The response of a failed call. */
export const rpcError = (code: number, message: string, data?: unknown): RpcFailure => ({
  error: data === undefined ? { code, message } : { code, message, data },
});
/** -32602: the parameters do not match the method. */
export const invalidParams = (reason: string): RpcResponse => rpcError(-32602, `Invalid params: ${reason}`);

type Id = string | number | LargeInteger | null;
/** One reply; undefined for a notification, which gets none. */
type RpcReply = ({ readonly jsonrpc: '2.0'; readonly id: Id } & RpcResponse) | undefined;

/** The most calls in a batch, since each may have a long result. */
export const BATCH_CALLS_MAX = 100;

/** The reply to a body that is not JSON (-32700) or not a request (-32600). */
export function refusedBody(code: -32700 | -32600, message: string): object {
  return { jsonrpc: '2.0', ...rpcError(code, message), id: null };
}

/**
 * Answers a request or a batch of any JSON; a body that is neither gets an error of JSON-RPC 2.0. Returns undefined if
 * all calls were notifications. `context` is called for each call of a batch, since the call before may have moved the
 * clock.
 */
export function answerRequest(
  methods: Readonly<Record<string, RpcMethod>>,
  context: () => RpcContext,
  request: unknown,
): object | undefined {
  if (!Array.isArray(request)) return answerOne(methods, context(), request);
  if (request.length === 0) return refusedBody(-32600, 'Invalid request: an empty batch');
  if (request.length > BATCH_CALLS_MAX) {
    return refusedBody(-32600, `Invalid request: a batch may hold ${BATCH_CALLS_MAX} calls, not ${request.length}`);
  }
  const replies = request.map((each) => answerOne(methods, context(), each)).filter((reply) => reply !== undefined);
  return replies.length === 0 ? undefined : replies;
}

function answerOne(methods: Readonly<Record<string, RpcMethod>>, context: RpcContext, request: unknown): RpcReply {
  const refused = (id: Id, message: string): RpcReply => ({ jsonrpc: '2.0', ...rpcError(-32600, message), id });
  if (!isObject(request)) return refused(null, 'Invalid request: not an object');
  const { jsonrpc, id, method: name, params } = request;
  const isId = typeof id === 'string' || typeof id === 'number' || id === null || id instanceof LargeInteger;
  if (id !== undefined && !isId) return refused(null, 'Invalid request: id must be a string, a number or null');
  const known = isId ? id : null;
  if (jsonrpc !== '2.0') return refused(known, 'Invalid request: jsonrpc must be "2.0"');
  if (typeof name !== 'string') return refused(known, 'Invalid request: method must be a string');
  const answered = call(methods, context, name, params);
  return isId ? { jsonrpc: '2.0', ...answered, id } : undefined;
}

function call(
  methods: Readonly<Record<string, RpcMethod>>,
  context: RpcContext,
  name: string,
  given: unknown,
): RpcResponse {
  const found = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (found === undefined) return rpcError(-32601, 'Method not found');
  if (given !== undefined && given !== null && !Array.isArray(given)) return invalidParams('params must be a list');
  const parsed = found.params.safeParse(given ?? []);
  if (parsed.success) return found.run(context, parsed.data as never);
  const issue = parsed.error.issues[0];
  const at = issue === undefined || issue.path.length === 0 ? '' : `params.${issue.path.map(String).join('.')}: `;
  return invalidParams(`${at}${issue?.message ?? 'not what the method takes'}`);
}
