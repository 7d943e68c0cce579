/**
 * Opening and closing of HTTP servers, for every app alike: time limits, the number of connections, and JSON for what Node
 * would answer by itself. What an app answers is its own.
 */

import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ErrorRow, errors } from '../../../spec/errors.js';

/** How long a server waits for its client. */
export interface TimeLimits {
  /**
   * For the next request on a connection. A client that computes beats in one go does not notice when its connection is closed
   * meanwhile, and would send its proof into one that Node's default of 5 s has ended.
   */
  readonly idleMs: number;
  /** For the headers of a request that has begun, or of the first one of a connection. */
  readonly headersMs: number;
  /** For a whole request. */
  readonly requestMs: number;
}

const TIME_LIMITS: TimeLimits = { idleMs: 120_000, headersMs: 20_000, requestMs: 60_000 };
/** Connections at once. Of more, the one that has been idle longest is closed; with none idle, the new one. */
export const CONNECTIONS_MAX = 4_000;
/** How often Node looks for requests that take too long. */
const LOOK_EVERY_MS = 2_000;

/** Makes a server whose refusals are JSON, also those of requests that Node cannot read. */
export function serverOf(
  app: RequestListener,
  limits: TimeLimits = TIME_LIMITS,
  connectionsMax = CONNECTIONS_MAX,
): Server {
  const { idleMs, headersMs, requestMs } = limits;
  const options = {
    keepAliveTimeout: idleMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, headersMs),
    // Node would answer without JSON; here it is one of the malformed requests.
    requireHostHeader: false,
  };
  const server = createServer(
    options,
    inTurn((req, res) => {
      if (req.headers.host === undefined && req.httpVersion !== '1.0')
        answer(res, errors['any/BAD_REQUEST'], 'send a Host header');
      else app(req, res);
    }),
  );
  server.on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) =>
    answer(res, errors['any/EXPECTATION_FAILED']),
  );
  // Node would close the connection without a reply.
  server.on('connect', (_req: IncomingMessage, socket: Socket) => endWith(socket, errors['any/BAD_REQUEST']));
  boundConnections(server, connectionsMax);
  return server;
}

/** Requests of one connection that may wait for their turn: some times as many as are read at once. */
const WAITING_MAX = 10_000;

/**
 * An app that gets the requests of one connection one after another. Of requests that were sent without waiting for replies,
 * thousands arrive at once, and would all be served before those of any other connection. So the next one is served when the
 * reply to the one before has left and others have had their turn, and meanwhile nothing is read from the connection.
 */
function inTurn(app: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return (req, res) => {
    const { socket } = req;
    const next = (): void => {
      const queue = queues.get(socket);
      const following = queue?.shift();
      // A connection that is being closed takes no reply any more, so nothing is done for it.
      if (following === undefined || !socket.writable) return void queues.delete(socket);
      if (queue?.length === 0) socket.resume();
      following();
    };
    const serve = (): void => {
      res.once('close', () => {
        if ((queues.get(socket)?.length ?? 0) === 0) return void queues.delete(socket);
        // At the end of a request Node goes on reading.
        socket.pause();
        setImmediate(next);
      });
      app(req, res);
    };
    const queue = queues.get(socket);
    if (queue === undefined) {
      queues.set(socket, []);
      return serve();
    }
    if (queue.push(serve) > WAITING_MAX) socket.destroy();
    else socket.pause();
  };
}

/**
 * When there are too many connections, closes what is idle longest, or does not take its reply; answers what is no request.
 */
function boundConnections(server: Server, connectionsMax: number): void {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  const answering = new Map<Socket, ServerResponse>();
  let open = 0;
  /** The connection that has left its reply unread longest. */
  const unread = (): Socket | undefined => [...answering].find(([, res]) => res.writableEnded)?.[0];
  server.on('connection', (socket: Socket) => {
    open += 1;
    idle.add(socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(socket);
      answering.delete(socket);
    });
    if (open <= connectionsMax) return;
    const [oldest = socket] = idle;
    (oldest === socket ? (unread() ?? socket) : oldest).destroy();
  });
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    idle.delete(socket);
    answering.set(socket, res);
    res.once('close', () => {
      // Another request of this connection, sent before its reply, is still being answered.
      if (answering.get(socket) !== res) return;
      answering.delete(socket);
      if (!socket.destroyed) idle.add(socket);
    });
  });
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) => {
    // The client has gone, or its reply has begun: another one would be taken for part of it.
    const last = answering.get(socket);
    const refuse = (): void => endWith(socket, unreadable[error.code ?? ''] ?? errors['any/BAD_REQUEST']);
    const hasBegun = last?.headersSent === true && !last.writableEnded;
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) socket.destroy(error);
    // What cannot be read came behind whole requests, whose replies come first.
    else if (last?.req.complete) last.once('close', refuse);
    else refuse();
  });
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
