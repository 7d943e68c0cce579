/**
 * Opening and closing of HTTP servers, for every app alike: time limits, bounds of what clients make the process hold, and JSON for
 * what Node would answer by itself. Apps decide their replies themselves.
 */

import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ErrorRow, errors } from '../../../spec/errors.js';
import { HeldBytes } from '../request/held-bytes.js';
import { Connections } from './connections.js';
import { Request, repliesHeldBy } from './messages.js';
import { connectionsWithin, openFilesMax } from './open-files.js';

/** How long a server waits for its client. */
export interface TimeLimits {
  /**
   * For the next request on a connection. A client that computes beats synchronously does not notice that its connection was closed, and would send
   * its proof on one that Node's default of 5 s has closed.
   */
  readonly idleMs: number;
  /** For the headers of a request that has begun, or of the first one of a connection. */
  readonly headersMs: number;
  /** For a whole request. */
  readonly requestMs: number;
}

const TIME_LIMITS: TimeLimits = { idleMs: 120_000, headersMs: 20_000, requestMs: 60_000 };
/** How often Node looks for requests that take too long. */
const LOOK_EVERY_MS = 2_000;

/** Bounds of what the clients of a server can make the process hold. */
interface Bounds {
  readonly connections: Connections;
  /** Replies that their clients have not taken yet. */
  readonly replies: HeldBytes;
}

const WAITING_MAX = 10_000;
const QUEUES_MAX = 1_000;
/** 64 MiB. */
const UNREAD_BYTES_MAX = 67_108_864;
/** Header fields of a request: each takes many times its bytes, and 16 KB would hold 4,000. */
const HEADERS_MAX = 100;

/** Memory and open files are those of the process, so all its servers share the bounds. */
let shared: Bounds | undefined;
function sharedBounds(): Bounds {
  const connectionsMax = connectionsWithin(openFilesMax());
  shared ??= {
    connections: new Connections({ connectionsMax, waitingMax: WAITING_MAX, queuesMax: QUEUES_MAX }),
    replies: new HeldBytes(UNREAD_BYTES_MAX),
  };
  return shared;
}

/** Makes a server whose refusals are JSON, also those of requests that Node cannot read. */
export function serverOf(
  app: RequestListener,
  limits: TimeLimits = TIME_LIMITS,
  { connections, replies }: Bounds = sharedBounds(),
): Server {
  const { idleMs, headersMs, requestMs } = limits;
  const options = {
    keepAliveTimeout: idleMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, headersMs),
    // Node would answer without JSON; here it is one of the malformed requests.
    requireHostHeader: false,
    IncomingMessage: Request,
    ServerResponse: repliesHeldBy(replies),
  };
  const admit: RequestListener = (req, res) => {
    if (req.headers.host === undefined && req.httpVersion !== '1.0')
      answer(res, errors['any/BAD_REQUEST'], 'send a Host header');
    else if (req.rawHeaders.length > 2 * HEADERS_MAX)
      answer(res, errors['any/HEADERS_TOO_LARGE'], `send at most ${HEADERS_MAX} header fields`);
    else if (!hasPath(req)) answer(res, errors['any/BAD_REQUEST'], 'the request target is no URL with a path');
    else app(req, res);
  };
  const server: Server = createServer(options, connections.inTurn(admit));
  // Node leaves out fields beyond this number; one more shows that there were.
  server.maxHeadersCount = HEADERS_MAX + 1;
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) =>
    answer(res, errors['any/EXPECTATION_FAILED']),
  );
  // Node would close the connection without a reply.
  server.on('connect', (_req: IncomingMessage, socket: Socket) => endWith(socket, errors['any/BAD_REQUEST']));
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) => {
    // The client has disconnected, or its reply has begun, of which another reply would look like a part.
    const last = connections.lastReply(socket);
    const refuse = (): void => endWith(socket, unreadable[error.code ?? ''] ?? errors['any/BAD_REQUEST']);
    const hasBegun = last?.headersSent === true && !last.writableEnded;
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) socket.destroy(error);
    // The unreadable bytes came after whole requests, whose replies come first.
    else if (last?.req.complete) last.once('close', refuse);
    else refuse();
  });
  return server;
}

/** Whether a request names a path. Of a whole URL (RFC 9112, 3.2.2) the path is left; Express answers one without a path in HTML. */
function hasPath(req: IncomingMessage): boolean {
  const target = req.url ?? '';
  if (target.startsWith('/') || target === '*') return true;
  const { pathname = '', search = '' } = URL.canParse(target) ? new URL(target) : {};
  req.url = `${pathname}${search}`;
  return pathname.startsWith('/');
}

/** The rows of errors for what Node's parser refuses; anything else that it cannot read is a bad request. */
const unreadable: Readonly<Record<string, ErrorRow>> = {
  HPE_HEADER_OVERFLOW: errors['any/HEADERS_TOO_LARGE'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errors['any/BODY_TOO_LARGE'],
  ERR_HTTP_REQUEST_TIMEOUT: errors['any/REQUEST_TIMEOUT'],
};

function bodyOf({ cause, code }: ErrorRow, detail = cause): string {
  return JSON.stringify({ error: detail, code });
}

function answer(res: ServerResponse, row: ErrorRow, detail?: string): void {
  res.statusCode = row.status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Connection', 'close');
  res.end(bodyOf(row, detail));
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

function endWith(socket: Socket, row: ErrorRow): void {
  const body = bodyOf(row);
  const lines = [
    `HTTP/1.1 ${row.status} ${reasons[row.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Opens a port. Rejects with Node's error if that fails. */
export function listen(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The URL of a listening server. */
export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Stops listening, ends open connections, and resolves when all are closed. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
