/**
 * The mock ledger's JSON-RPC over HTTP. Methods and errors are in ledger/; here are the HTTP around them and the
 * journal's part.
 */

import express, { type ErrorRequestHandler, type Express, type Response } from 'express';
import { exactJson, parseExactly } from '../../../spec/exact-json.js';
import type { Blockchain } from '../../ledger/chain.js';
import { BATCH_CALLS_MAX, type LedgerWrite, type RpcContext, refusedBody } from '../../ledger/json-rpc.js';
import { answerRpc, replayWrite } from '../../ledger/rpc.js';
import type { Command } from '../../store/command.js';
import { readJson } from '../request/body.js';
import { clientAddress } from '../request/client-address.js';
import type { Host } from '../request/host.js';
import { isDurable, type Keeper, storeUnavailable } from '../request/keeper.js';
import { refuseWebPage } from '../request/local-callers.js';
import { createAllowances } from './airdrop-allowance.js';

/** A ledger that JSON-RPC calls reach. */
export interface LedgerHost {
  /** The time of a call, once everything due by then has happened. */
  readonly nowMs: () => number;
  readonly chain: () => Blockchain;
  /** Records a change. */
  readonly wrote?: (write: LedgerWrite, nowMs: number) => void;
  /** Keeps what is recorded on the disk; absent: the state is in memory only. */
  readonly keeper?: () => Keeper | undefined;
  /** Moves the ledger's clock forward; absent if another API does that, or none. */
  readonly advance?: (ms: number) => void;
}

/** The prefix of the journal's names for JSON-RPC commands. */
export const RPC = 'rpc:';
/** The error of a node that cannot answer. */
const UNHEALTHY = -32005;
/** The most bytes of a request or a batch. */
const BODY_BYTES_MAX = 65_536;

/**
 * Makes an app with POST / for JSON-RPC, and GET /health as on a node. Web pages from this machine and wallets in a browser may call it, since it
 * has no secrets and its money is worthless.
 */
export function createLedgerApp(host: LedgerHost, { loopback }: { readonly loopback: boolean }): Express {
  const app = express();
  host.chain().ledger.transactions.indexAccounts();
  const allowances = createAllowances();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((req, res, next) => {
    const refusal = refuseWebPage(req, { loopback, localPages: true });
    if (refusal !== undefined) return write(res, 403, refusedBody(-32600, refusal.reason));
    const { origin } = req.headers;
    if (origin === undefined) return next();
    res.setHeader('Access-Control-Allow-Origin', origin);
    res.setHeader('Vary', 'Origin');
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return next();
    res.setHeader('Access-Control-Allow-Methods', 'POST, GET');
    // Clients add headers of their own, such as solana-client.
    res.setHeader('Access-Control-Allow-Headers', '*');
    res.setHeader('Access-Control-Max-Age', '7200');
    write(res, 204, undefined);
  });
  app.get('/health', (_req, res) => {
    res.type('text/plain').send('ok');
  });
  app.post('/', async (req, res) => {
    const read = await readJson(req, res, BODY_BYTES_MAX, parseExactly);
    if (!read.ok) return refuseBody(res, read.row.status, read.detail ?? read.row.cause);
    const airdrops = allowances.of(clientAddress(req.socket.remoteAddress ?? '') ?? '');
    const answered = await answerInTurn(() => ({ ...contextOf(host), airdrops }), read.value);
    const keeper = host.keeper?.();
    if (keeper === undefined || (await isDurable({ keeper }))) return write(res, 200, answered);
    write(res, 503, { jsonrpc: '2.0', error: { code: UNHEALTHY, message: storeUnavailable.row.cause }, id: null });
  });
  app.use((req, res) => {
    res.setHeader('Allow', req.path === '/health' ? 'GET, HEAD' : 'POST');
    write(res, 405, refusedBody(-32600, 'only POST / is served here, for JSON-RPC requests'));
  });
  app.use(rpcErrorHandler);
  return app;
}

/** Answers a batch call by call, and lets others be served between them. */
async function answerInTurn(context: () => RpcContext, request: unknown): Promise<object | undefined> {
  if (!Array.isArray(request) || request.length === 0 || request.length > BATCH_CALLS_MAX) {
    return answerRpc(context, request);
  }
  const replies: object[] = [];
  for (const call of request) {
    // A batch within a batch is not a valid call.
    const reply = answerRpc(context, Array.isArray(call) ? null : call);
    if (reply !== undefined) replies.push(reply);
    await new Promise<void>((served) => setImmediate(served));
  }
  return replies.length === 0 ? undefined : replies;
}

/** The context of a call made now. */
export function contextOf(host: LedgerHost): RpcContext {
  const nowMs = host.nowMs();
  const { advance } = host;
  const wrote = (write: LedgerWrite): void => host.wrote?.(write, nowMs);
  const chain = host.chain();
  // After a reset it is another one.
  chain.ledger.transactions.indexAccounts();
  return { chain, nowMs, wrote, ...(advance && { advance }) };
}

/** A body that is not JSON is an error of JSON-RPC alone; one that was not read is an HTTP error as well. */
function refuseBody(res: Response, status: number, reason: string): void {
  if (status === 400) write(res, 200, refusedBody(-32700, `Parse error: ${reason}`));
  else write(res, status, refusedBody(-32600, `Invalid request: ${reason}`));
}

/** Answers a bug of the server: it is printed, and the reply is an internal error. */
const rpcErrorHandler: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) return next(error);
  console.error(error);
  write(res, 500, { jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' }, id: null });
};

function write(res: Response, status: number, body: object | undefined): void {
  res.statusCode = body === undefined ? 204 : status;
  if (body === undefined) return void res.end();
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(exactJson(body));
}

/** Applies a change that came by JSON-RPC again. */
export function replayRpc({ service }: Host, { name, body, at }: Command): void {
  replayWrite(service.chain, { name: name.slice(RPC.length), body } as LedgerWrite, at);
}
