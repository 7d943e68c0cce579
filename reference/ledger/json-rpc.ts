import type { z } from 'zod';
import type { Blockchain } from './chain.js';

/** An error of JSON-RPC 2.0, with Solana's codes. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a method answers. */
export type RpcResponse = { readonly result: unknown } | { readonly error: RpcError };

/** A change to the ledger, as it can be made again. */
export type LedgerWrite =
  | { readonly name: 'sendTransaction'; readonly body: { readonly transaction: string } }
  | { readonly name: 'requestAirdrop'; readonly body: { readonly address: string; readonly lamports: number } };

/** What a method may look at: the chain and the moment. `wrote` is told of every change that has been made. */
export interface RpcContext {
  readonly chain: Blockchain;
  readonly nowMs: number;
  readonly wrote: (write: LedgerWrite) => void;
  /** Moves the clock on by milliseconds; absent where that is not JSON-RPC's to do. */
  readonly advance?: (ms: number) => void;
}

/** One method: the schema of its parameters, and what it does. */
export interface RpcMethod {
  readonly params: z.ZodType<readonly unknown[]>;
  readonly run: (context: RpcContext, params: never) => RpcResponse;
}

/** Ties a method to its parameters' type. Parameters that a caller leaves out are `undefined`. */
export function method<S extends z.ZodType<readonly unknown[]>>(
  params: S,
  run: (context: RpcContext, params: z.output<S>) => RpcResponse,
): RpcMethod {
  return { params, run };
}

/** An answered call. */
export const rpcResult = (result: unknown): RpcResponse => ({ result });
/** A refused call. */
export const rpcError = (code: number, message: string, data?: unknown): RpcResponse => ({
  error: data === undefined ? { code, message } : { code, message, data },
});
/** -32602: the parameters are not what the method takes. */
export const invalidParams = (reason: string): RpcResponse => rpcError(-32602, `Invalid params: ${reason}`);

type Id = string | number | null;
/** One reply; undefined for a notification, which gets none. */
type RpcReply = ({ readonly jsonrpc: '2.0'; readonly id: Id } & RpcResponse) | undefined;

/** A batch with more calls is refused: each call may have a long answer. */
const BATCH_CALLS_MAX = 100;

/** The reply to a body that is not JSON (-32700), or that cannot be taken at all (-32600). */
export function refusedBody(code: -32700 | -32600, message: string): object {
  return { jsonrpc: '2.0', ...rpcError(code, message), id: null };
}

/**
 * Answers a request or a batch, whatever it is: a body that is none gets the errors of JSON-RPC 2.0. Undefined when
 * nothing is to be answered, since all were notifications. The context is asked for anew for each call of a batch, since
 * the one before may have moved the clock.
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
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return refused(null, 'Invalid request: not an object');
  }
  const { jsonrpc, id, method: name, params } = request as Readonly<Record<string, unknown>>;
  const isId = typeof id === 'string' || typeof id === 'number' || id === null;
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
