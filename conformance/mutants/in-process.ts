/** Calls apps in this process without sockets: a transport for mutants and benches. Over HTTP it is wire/transport.ts. */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Transport, WireReply, WireRequest } from '../wire/transport.js';

/** An express app, as a function that answers requests. */
type App = (request: IncomingMessage, response: ServerResponse) => void;

/** A transport to apps by their origins. */
export function appTransport(apps: ReadonlyMap<string, App>): Transport {
  return (request) => {
    const { origin } = new URL(request.url);
    const app = apps.get(origin);
    return app === undefined ? Promise.reject(new Error(`there is no app at ${origin}`)) : call(app, request);
  };
}

/** The connection of all requests: it has an address, and stays open. */
const socket = Object.assign(new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }), {
  remoteAddress: '127.0.0.1',
}) as unknown as Socket;

/** Calls an express app with a complete request, and returns the reply when it has ended. */
function call(app: App, { method, url, headers, body = '' }: WireRequest): Promise<WireReply> {
  const request = new IncomingMessage(socket);
  const { pathname, search } = new URL(url);
  Object.assign(request, { method, url: pathname + search, complete: true });
  request.headers = { host: '127.0.0.1', ...headers, 'content-length': String(Buffer.byteLength(body)) };
  if (body !== '') request.push(body);
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
    app(request, response);
  });
}

function headersOf(response: ServerResponse): Record<string, string> {
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
