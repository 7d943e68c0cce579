import express, { type ErrorRequestHandler, type Express, type Response } from 'express';
import type { Blockchain } from '../../ledger/chain.js';
import { type LedgerWrite, type RpcContext, refusedBody } from '../../ledger/json-rpc.js';
import { answerRpc, replayWrite } from '../../ledger/rpc.js';
import type { Command } from '../../store/journal.js';
import { readJson } from '../request/body.js';
import type { Host } from '../request/host.js';

/** A ledger that can be called by JSON-RPC. */
export interface LedgerHost {
  /** The moment of a call, with all that was due by then done. */
  readonly nowMs: () => number;
  readonly chain: () => Blockchain;
  /** Makes a change durable before its reply leaves. */
  readonly wrote?: (write: LedgerWrite, nowMs: number) => void;
  /** Moves the ledger's clock on; absent where another API does, or nobody can. */
  readonly advance?: (ms: number) => void;
}

/** Before the method's name, the name of a command that came by JSON-RPC. */
export const RPC = 'rpc:';
/** What a request or a batch may have. */
const BODY_BYTES_MAX = 65_536;

/** The ledger's JSON-RPC over HTTP: POST /, and GET /health as nodes have it. There is no websocket: clients poll. */
export function createLedgerApp(host: LedgerHost): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/health', (_req, res) => {
    res.type('text/plain').send('ok');
  });
  app.post('/', async (req, res) => {
    const read = await readJson(req, res, BODY_BYTES_MAX);
    if (!read.ok) return refuseBody(res, read.row.status, read.detail ?? read.row.cause);
    write(
      res,
      200,
      answerRpc(() => contextOf(host), read.value),
    );
  });
  app.use((req, res) => {
    res.setHeader('Allow', req.path === '/health' ? 'GET, HEAD' : 'POST');
    write(res, 405, refusedBody(-32600, 'POST / takes JSON-RPC requests; nothing else is here'));
  });
  app.use(rpcErrorHandler);
  return app;
}

/** What a call of now may look at. */
function contextOf(host: LedgerHost): RpcContext {
  const nowMs = host.nowMs();
  const { advance } = host;
  const wrote = (write: LedgerWrite): void => host.wrote?.(write, nowMs);
  return { chain: host.chain(), nowMs, wrote, ...(advance && { advance }) };
}

/** A body that is no JSON is an error of JSON-RPC, one that was not read is one of HTTP too. */
function refuseBody(res: Response, status: number, reason: string): void {
  if (status === 400) write(res, 200, refusedBody(-32700, `Parse error: ${reason}`));
  else write(res, status, refusedBody(-32600, `Invalid request: ${reason}`));
}

/** A bug of ours, which is shown. */
const rpcErrorHandler: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) return next(error);
  console.error(error);
  write(res, 500, { jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' }, id: null });
};

function write(res: Response, status: number, body: object | undefined): void {
  res.statusCode = body === undefined ? 204 : status;
  if (body === undefined) return void res.end();
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(JSON.stringify(body));
}

/** Applies a change that came by JSON-RPC again. */
export function replayRpc({ service }: Host, { name, body, at }: Command): void {
  replayWrite(service.chain, { name: name.slice(RPC.length), body } as LedgerWrite, at);
}
