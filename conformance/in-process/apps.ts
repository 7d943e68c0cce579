/** Calls apps in this process without sockets: a transport for mistakes, chaos and benches. Over HTTP it is wire/transport.ts. */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Transport, WireReply } from '../wire/transport.js';

/** An express app, as a function that answers requests. */
type App = (request: IncomingMessage, response: ServerResponse) => void;

/** A transport to apps by their origins. */
export function appTransport(apps: ReadonlyMap<string, App>): Transport {
  return (request) => {
    const { origin } = new URL(request.url);
    const app = apps.get(origin);
    if (app === undefined) return Promise.reject(new Error(`there is no app at ${origin}`));
    const { pathname, search } = new URL(request.url);
    const { method, headers, body = '' } = request;
    return callApp(app, { method, path: pathname + search, headers: { host: '127.0.0.1', ...headers }, body });
  };
}

/** A connection from an address, that stays open. */
const connectionFrom = (remoteAddress: string | undefined): Socket =>
  Object.assign(new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }), {
    remoteAddress,
  }) as unknown as Socket;
const fromLoopback = connectionFrom('127.0.0.1');

/** A request that has arrived whole. */
interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The length of the body in bytes; absent: the body is complete. */
  readonly bodyBytes?: number;
  /** The address that it came from; absent: that of loopback. */
  readonly remoteAddress?: string | undefined;
  /** Aborts if the caller no longer waits for the reply; then there may be none. */
  readonly gone?: AbortSignal;
}

/** Calls an express app, and returns the reply when it has ended. */
export function callApp(app: App, arrived: ArrivedRequest): Promise<WireReply> {
  const { method, path, headers, body, bodyBytes = Buffer.byteLength(body), gone } = arrived;
  const request = new IncomingMessage(
    'remoteAddress' in arrived ? connectionFrom(arrived.remoteAddress) : fromLoopback,
  );
  Object.assign(request, { method, url: path, complete: true });
  request.headers = { ...headers, 'content-length': String(bodyBytes) };
  if (body.length > 0) request.push(body);
  request.push(null);
  return new Promise((resolve) => {
    const response = new ServerResponse(request);
    // Express replaces the prototype of the response, so the method is set on the object itself.
    response.end = ((chunk: string | Buffer = ''): ServerResponse => {
      resolve({ status: response.statusCode, headers: headersOf(response), body: String(chunk) });
      response.emit('finish');
      response.emit('close');
      return response;
    }) as ServerResponse['end'];
    gone?.addEventListener('abort', () => response.emit('close'), { once: true });
    app(request, response);
  });
}

function headersOf(response: ServerResponse): Record<string, string> {
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
