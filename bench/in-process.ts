/**
 * A reference server in this process that is called without sockets, for benches. Over HTTP the command line's
 * reference-process.ts is used.
 */

import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Express } from 'express';
import { referenceTarget } from '../cli/reference-process.js';
import type { Target } from '../conformance/target/target.js';
import type { Transport, WireReply, WireRequest } from '../conformance/wire/transport.js';
import { createControlApp } from '../reference/http/control/control-app.js';
import { manualClock } from '../reference/http/request/clock.js';
import { createHost } from '../reference/http/request/host.js';
import { createApp } from '../reference/http/server/app.js';
import { beatsRoutes, registryRoutes } from '../reference/http/server/routes.js';
import { dialects } from '../spec/dialect.js';
import { type Protocol, protocol } from '../spec/protocol.js';

/** A reference without ports, and the transport to it. */
export interface InProcess {
  readonly target: Target;
  /** Calls the reference's apps directly, without sockets or timeouts. */
  readonly send: Transport;
  readonly close: () => Promise<void>;
}

const START_MS = Date.parse('2026-01-01T00:00:00Z');

/** A reference with these numbers, like that of `aips serve --clock manual --trust-forwarded-for`. */
export function startInProcess(seed: number, numbers: Protocol = protocol): InProcess {
  const policy = { network: 'devnet', registrationSecret: null, byoWallet: true, beatsRequired: true } as const;
  const service = { protocol: numbers, dialect: dialects.service, policy, seed, startMs: START_MS };
  const host = createHost(service, manualClock(START_MS), true);
  const token = randomBytes(24).toString('base64url');
  const urls = { base_url: 'http://127.0.0.1:1', beats_url: 'http://127.0.0.1:2', control_url: 'http://127.0.0.1:3' };
  const apps = new Map<string, Express>([
    [urls.base_url, createApp(host, registryRoutes)],
    [urls.beats_url, createApp(host, beatsRoutes)],
    [urls.control_url, createControlApp(host, token)],
  ]);
  return {
    target: { ...referenceTarget({ ...urls, control_token: token }), protocol: numbers },
    send: (request) => {
      const { origin } = new URL(request.url);
      const app = apps.get(origin);
      return app === undefined ? Promise.reject(new Error(`there is no app at ${origin}`)) : call(app, request);
    },
    close: async () => {
      host.deliveries.stop.abort();
      await host.beatPool.close();
    },
  };
}

/** The connection of all requests: it has an address, and stays open. */
const socket = Object.assign(new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }), {
  remoteAddress: '127.0.0.1',
}) as unknown as Socket;

/** Calls an express app with a complete request, and returns the reply when it has ended. */
function call(app: Express, { method, url, headers, body = '' }: WireRequest): Promise<WireReply> {
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
