/**
 * The HTTP server of the lab, on 127.0.0.1 alone: the files of the page, the actions of the API, and the stream of events. It knows
 * no action; which requests it answers is decided in guard.ts.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Action, ActionRefused } from './action.js';
import type { Asset } from './assets.js';
import type { Credentials } from './credentials.js';
import { guard, type LabRefusal, refusal } from './guard.js';
import type { EventStream } from './stream.js';

/** The parts that the server serves. */
interface LabParts {
  readonly credentials: Credentials;
  readonly stream: EventStream;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly actions: readonly Action[];
  /** Called with an error that is a bug, so that it is not lost. */
  readonly onError: (error: unknown) => void;
}

/** A lab server that listens. */
export interface RunningLab {
  readonly port: number;
  /** The URL of the page, with a new one-use code in its fragment. */
  readonly newUrl: () => string;
  readonly close: () => Promise<void>;
}

const BODY_BYTES_MAX = 1 << 20;
const READERS_MAX = 64;
const LOOPBACK = '127.0.0.1';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Headers of every reply. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cache-control': 'no-store',
};

/** Starts the server; port 0 takes any free one. Rejects with Node's error where the port cannot be opened. */
export async function startLabServer(parts: LabParts, port: number): Promise<RunningLab> {
  const server = createServer({ maxHeaderSize: 8_192, requestTimeout: 30_000, headersTimeout: 10_000 });
  const portOf = (): number => (server.address() as AddressInfo).port;
  server.on('request', (req, res) => {
    answer(parts, portOf(), req, res).catch((error: unknown) => {
      parts.onError(error);
      res.destroy();
    });
  });
  // No protocol but HTTP: an upgrade or a tunnel would bypass the checks above.
  for (const event of ['upgrade', 'connect'] as const) server.on(event, (_req, socket: Socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  const opened = portOf();
  return {
    port: opened,
    newUrl: () => `http://${LOOPBACK}:${opened}/#code=${parts.credentials.newCode()}`,
    close: () => closed(server, parts.stream),
  };
}

function closed(server: Server, stream: EventStream): Promise<void> {
  stream.close();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(parts: LabParts, port: number, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const refused = guard(req, port);
  if (refused !== undefined) {
    sendRefusal(res, refused);
    return;
  }
  const { url = '' } = req;
  if (req.method === 'GET') {
    const asset = parts.assets.get(url);
    return asset === undefined
      ? sendRefusal(res, refusal(404, 'NOT_FOUND', 'no page has this path'))
      : send(res, 200, asset.type, asset.bytes);
  }
  if (url !== '/api/session' && !parts.credentials.isBearer(req.headers.authorization))
    return sendRefusal(res, refusal(401, 'TOKEN_REQUIRED', 'send Authorization: Bearer <token of aips lab>'));
  const body = await bodyOf(req);
  if ('status' in body) return sendRefusal(res, body);
  if (url === '/api/stream') {
    subscribe(parts, body.json, res);
    return;
  }
  try {
    const found = ownActions(parts, port).find(({ path }) => `/api/${path}` === url) ?? find(parts.actions, url);
    if (found === undefined) return sendRefusal(res, refusal(404, 'NOT_FOUND', 'no action has this path'));
    sendJson(res, 200, (await found.run(body.json)) ?? {});
  } catch (error) {
    if (!(error instanceof ActionRefused)) throw error;
    sendRefusal(res, error.refusal);
  }
}

function find(actions: readonly Action[], url: string): Action | undefined {
  return actions.find(({ path }) => `/api/${path}` === url);
}

/** The actions about credentials, which the server has itself. */
function ownActions({ credentials, actions }: LabParts, port: number): readonly Action[] {
  const session = async (given: unknown): Promise<unknown> => {
    const { code, first } = Object(given) as { readonly code?: unknown; readonly first?: unknown };
    const token = typeof code === 'string' ? credentials.exchange(code) : undefined;
    if (token === undefined)
      throw new ActionRefused(401, 'CODE_REFUSED', 'this code is unknown or used: aips lab prints a new address');
    return { token, answer: (await find(actions, `/api/${first}`)?.run({})) ?? null };
  };
  return [
    {
      path: 'session',
      purpose:
        'Exchanges a one-use code for the token, with the answer of the action that `first` names; needs no token.',
      run: session,
    },
    {
      path: 'code',
      purpose: 'Makes an address with a new one-use code, for another tab.',
      run: () => ({ url: `http://${LOOPBACK}:${port}/#code=${credentials.newCode()}` }),
    },
  ];
}

type Body = { readonly json: unknown } | LabRefusal;

async function bodyOf(req: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return refusal(413, 'BODY_TOO_LARGE', `a body has at most ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  try {
    const json = JSON.parse(Buffer.concat(chunks).toString()) as unknown;
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { json };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return refusal(400, 'INVALID_JSON', 'the body must be a JSON object');
}

function subscribe({ stream }: LabParts, body: unknown, res: ServerResponse): void {
  const { run, after = 0 } = Object(body) as { readonly run?: unknown; readonly after?: unknown };
  if (!Number.isSafeInteger(after) || (after as number) < 0 || (run !== undefined && typeof run !== 'string')) {
    sendRefusal(res, refusal(400, 'VALIDATION', 'after must be a whole number, and run a text'));
  } else if (stream.readers >= READERS_MAX) {
    sendRefusal(res, refusal(429, 'TOO_MANY_READERS', `at most ${READERS_MAX} tabs read at the same time`));
  } else {
    res.writeHead(200, { ...HEADERS, 'content-type': 'application/x-ndjson; charset=utf-8' });
    stream.subscribe(res, { run, after: after as number });
    res.once('close', () => stream.unsubscribe(res));
  }
}

function send(res: ServerResponse, status: number, type: string, body: Buffer): void {
  res.writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': body.length });
  res.end(body);
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  send(res, status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(body)));
}

function sendRefusal(res: ServerResponse, { status, code, detail }: LabRefusal): void {
  // The rest of the body is not read, so the connection cannot be used again.
  res.setHeader('connection', 'close');
  sendJson(res, status, { code, detail });
}
