// The advice of each failure, from servers that cause it.
import { createServer } from 'node:http';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { authority, expired, forAnotherHost, forLocalhost, key } from '../../test/fixtures/certificates.js';
import { failureOf } from './failure.js';
import { httpTransport, TransportFailure, type WireReply } from './transport.js';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

const hello = (_: unknown, response: { end: (text: string) => unknown }): unknown => response.end('{}');
const secure = (cert: string) => createHttpsServer({ key, cert }, hello);

async function asked(url: string, ca?: string): Promise<WireReply | TransportFailure> {
  const target = { baseUrl: url, beatsUrl: null, ...(ca === undefined ? {} : { ca }) };
  const { send, close } = httpTransport({ target, env: {} });
  try {
    return await send({ method: 'GET', url, headers: {}, timeoutMs: 600_000, replyBytesMax: 1_000 });
  } catch (error) {
    if (error instanceof TransportFailure) return error;
    throw error;
  } finally {
    await close();
  }
}

describe('a failure says what to do', () => {
  it.each([
    [
      'an unknown authority',
      'https',
      () => secure(forLocalhost),
      'unreachable',
      /unknown|does not know.*ca: .*NODE_EXTRA_CA_CERTS/,
    ],
    ['a self-signed certificate', 'https', () => secure(forLocalhost), 'unreachable', /self-signed/],
    [
      'TLS to a port without it',
      'https',
      () => createServer(hello),
      'broken',
      /does not speak TLS: should its URL begin with http:\/\//,
    ],
    [
      'no TLS to a port with it',
      'http',
      () => createTcp((s) => s.once('data', () => s.end(Buffer.from('15030300020246', 'hex')))),
      'broken',
      /speaks TLS: should its URL begin with https:\/\//,
    ],
    [
      'no TLS to a port of Node with it',
      'http',
      () => secure(forLocalhost),
      'broken',
      /its URL may have to begin with https:\/\//,
    ],
    [
      'HTTP/2 only, with TLS',
      'https',
      () => createSecureServer({ key, cert: forLocalhost }) as unknown as Server,
      'broken',
      /HTTP\/2 only/,
      authority,
    ],
    ['HTTP/2 only, without TLS', 'http', () => createHttp2Server() as unknown as Server, 'broken', /HTTP\/2 only/],
    ['an expired certificate', 'https', () => secure(expired), 'unreachable', /has expired: renew it/, authority],
    [
      'a certificate for another host',
      'https',
      () => secure(forAnotherHost),
      'unreachable',
      /is for other hosts/,
      authority,
    ],
  ] as const)('%s', async (_what, scheme, server, kind, says, ca?: string) => {
    const failure = await asked(`${scheme}://localhost:${await portOf(server())}/`, ca);
    expect(failure).toMatchObject({ kind, message: says });
  });

  it.each([
    ['ECONNREFUSED', /nothing listens at host:1/],
    ['ENOTFOUND', /no name server knows host:1/],
    ['EAI_AGAIN', /this machine is online/],
    ['ENETUNREACH', /no way leads to host:1/],
    ['ETIMEDOUT', /firewall/],
  ])('%s, for each address of a name', (code, says) => {
    const one = Object.assign(new Error(`connect ${code} ::1`), { code });
    for (const error of [one, new AggregateError([one, one])])
      expect(failureOf(error, 'host:1')).toMatchObject({ kind: 'unreachable', message: says });
  });
});

it.each([
  ['wrong version number', /^host:1 does not speak TLS: .* \(TLS: wrong version number\)$/],
  ['tlsv1 alert protocol version', /^host:1 and the suite agree on no TLS: .* \(TLS: tlsv1 alert protocol version\)$/],
])('%s, where Node gives the text of OpenSSL alone, is said without it', (reason, says) => {
  const text = `write EPROTO 803C641B9A7F0000:error:0A00010B:SSL routines:ssl3_get_record:${reason}:../deps/openssl/ssl3_record.c:350:\n`;
  const { message } = failureOf(Object.assign(new Error(text), { code: 'EPROTO' }), 'host:1');
  expect(message).toMatch(says);
});

it('a certificate of the authority that the target file names is trusted', async () => {
  const url = `https://localhost:${await portOf(secure(forLocalhost))}/`;
  expect(await asked(url, authority)).toMatchObject({ status: 200, body: '{}' });
});
