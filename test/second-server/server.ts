/**
 * A second implementation of the service on plain node:http, written from the specification's text alone: a mistake that the
 * reference and the suite share shows here. It imports nothing of this repository, and its clock moves only on request. On request
 * it behaves like the published service, by the table of D-57.
 */

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { init, latestAnchor, submitBeats, verifyBeats, workProof } from './beats.js';
import { control } from './control.js';
import { fileFlag } from './flags.js';
import { beatStatus, checkin, status, verifyBatch, verifyOne } from './lookups.js';
import { changeMetadata } from './metadata.js';
import { buySigil, feesSummary, heartbeat, reissue } from './paid.js';
import { authorityKey, latestPassport } from './passport.js';
import { PUBLISHED_BEATS, PUBLISHED_REGISTRY } from './published.js';
import { Refusal } from './refusal.js';
import { register, registerToken } from './registration.js';
import { resync } from './resync.js';
import { spawn } from './spawn.js';
import { createSponsorship, endSponsorship, listSponsorships } from './sponsor.js';
import { endSubsidy, grantSubsidy } from './subsidy.js';
import { linkWallet } from './wallet.js';
import { isRecord, type Settings, World } from './world.js';

const BODY_BYTES_MAX = 256 * 1024;

export interface Call {
  readonly method: string;
  readonly path: string;
  /** The last part of the path, where it names an agent or a flag. */
  readonly rest: string;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  readonly isJson: boolean;
  readonly body: Record<string, unknown>;
  /** The length of the body. */
  readonly bytes: number;
}
export interface Reply {
  readonly status?: number;
  readonly body: Record<string, unknown>;
}
type Handler = (world: World, call: Call) => Reply;

const REGISTRY: Readonly<Record<string, Handler>> = {
  'POST /register': register,
  'POST /register/token': registerToken,
  'POST /agent/init': init,
  'POST /agent/heartbeat': heartbeat,
  'POST /sigil': buySigil,
  'POST /agent/reissue-proof': reissue,
  'POST /agent/spawn': spawn,
  'POST /agent/beats/submit': submitBeats,
  'POST /agent/resync': resync,
  'PATCH /agent/metadata': changeMetadata,
  'POST /agent/wallet': linkWallet,
  'GET /agent/passport': latestPassport,
  'POST /agent/sponsor': createSponsorship,
  'DELETE /agent/sponsor': endSponsorship,
  'GET /agent/sponsor': listSponsorships,
  'POST /agent/flag': fileFlag,
  'POST /agent/checkin': checkin,
  'POST /verify/batch': verifyBatch,
  'GET /status/:hash': status,
  'GET /verify/:hash': verifyOne,
  'GET /agent/beat-status/:hash': beatStatus,
  'GET /beat/anchor': latestAnchor,
  'POST /beat/verify': verifyBeats,
  'GET /.well-known/authority-key': authorityKey,
  'GET /fees/summary': feesSummary,
  'POST /admin/agent/subsidy': grantSubsidy,
  'DELETE /admin/agent/subsidy': endSubsidy,
};

/** Answers a call to the registry. */
function registry(world: World, call: Call): Reply {
  const own = world.settings.published ? handlerOf(PUBLISHED_REGISTRY, call) : undefined;
  if (own !== undefined) return own(world, { ...call, rest: call.path.slice(call.path.lastIndexOf('/') + 1) });
  const path = call.path.startsWith('/api/v1/') ? call.path.slice('/api/v1'.length) : '';
  const exact = REGISTRY[`${call.method} ${path}`];
  if (exact !== undefined) return exact(world, call);
  const cut = path.lastIndexOf('/');
  const byHash = REGISTRY[`${call.method} ${path.slice(0, cut)}/:hash`];
  if (byHash !== undefined) return byHash(world, { ...call, rest: path.slice(cut + 1) });
  throw new Refusal(404, 'NO_SUCH_PATH', 'There is no such path.');
}

/** The handler of a path, or of one that ends with a hash. */
function handlerOf(handlers: Readonly<Record<string, Handler>>, { method, path }: Call): Handler | undefined {
  return handlers[`${method} ${path}`] ?? handlers[`${method} ${path.slice(0, path.lastIndexOf('/'))}/:hash`];
}

function beatsService(world: World, call: Call): Reply {
  const own = world.settings.published ? handlerOf(PUBLISHED_BEATS, call) : undefined;
  if (own !== undefined) return own(world, call);
  if (call.method === 'POST' && call.path === '/api/v1/beat/work-proof') return workProof(world, call);
  throw new Refusal(404, 'NO_SUCH_PATH', 'There is no such path.');
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = part as Buffer;
    size += bytes.length;
    if (size <= BODY_BYTES_MAX) parts.push(bytes);
  }
  if (size > BODY_BYTES_MAX) throw new Refusal(413, 'TOO_LARGE', `A body has at most ${BODY_BYTES_MAX} bytes.`);
  return Buffer.concat(parts);
}

/** The body as an object: nothing is an empty one; what is no JSON object is refused, by the published service with 500. */
function objectOf(bytes: Buffer, published: boolean): Record<string, unknown> {
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    if (published) throw new Refusal(500, null, 'Internal server error');
    throw new Refusal(400, 'VALIDATION', 'The body is not JSON.');
  }
  if (!isRecord(value) && published) throw new Refusal(500, null, 'Internal server error');
  if (!isRecord(value)) throw new Refusal(400, 'VALIDATION', 'The body is a JSON object.');
  return value;
}

async function answer(handle: (call: Call) => Reply, request: IncomingMessage, published: boolean): Promise<Reply> {
  try {
    const bytes = await bytesOf(request);
    const forwarded = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .at(published ? -1 : 0)
      ?.trim();
    return handle({
      method: request.method ?? 'GET',
      path: (request.url ?? '/').split('?')[0] ?? '/',
      rest: '',
      headers: request.headers,
      ip: forwarded || (request.socket.remoteAddress ?? ''),
      isJson: /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''),
      body: objectOf(bytes, published),
      bytes: bytes.length,
    });
  } catch (error) {
    // The published service has no codes.
    if (error instanceof Refusal) return { status: error.status, body: published ? error.uncoded : error.body };
    throw error;
  }
}

function listen(handle: (call: Call) => Reply, port: number, published: boolean): Promise<Server> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    answer(handle, request, published).then(
      ({ status: code = 200, body }) => {
        const after = body['retry_after'];
        response.writeHead(code, {
          'Content-Type': 'application/json',
          ...(code === 429 && typeof after === 'number' ? { 'Retry-After': String(after) } : {}),
        });
        response.end(JSON.stringify(body));
      },
      (error: unknown) => {
        // A mistake of this server: shown as such, so that no check takes it for a refusal.
        response.writeHead(500, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ error: String(error) }));
      },
    );
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

export interface SecondServer {
  readonly url: string;
  readonly beatsUrl: string;
  readonly controlUrl: string;
  readonly world: World;
  close(): Promise<void>;
}

/** Starts the three services on free ports of the loopback interface, or on `port` and the two after it. */
export async function startSecondServer(
  settings: Partial<Settings> = {},
  token = 'lab',
  port = 0,
): Promise<SecondServer> {
  const world = new World({
    seed: 'second',
    network: 'devnet',
    registrationSecret: null,
    beatsRequired: true,
    byoWallet: true,
    difficulty: 1000,
    published: false,
    numbers: {},
    without: [],
    ...settings,
  });
  const handlers = [
    (call: Call) => registry(world, call),
    (call: Call) => beatsService(world, call),
    (call: Call) => control(world, token, call),
  ];
  const { published } = world.settings;
  // The control API is the same for both.
  const servers = await Promise.all(
    handlers.map((handle, at) => listen(handle, port === 0 ? 0 : port + at, published && at < handlers.length - 1)),
  );
  const [url = '', beatsUrl = '', controlUrl = ''] = servers.map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  const close = async (): Promise<void> => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
  return { url, beatsUrl, controlUrl, world, close };
}
