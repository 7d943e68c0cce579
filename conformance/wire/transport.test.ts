import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { httpTransport, TransportFailure, type WireRequest } from './transport.js';

const servers: Server[] = [];
const transports: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const transport of transports.splice(0)) await transport.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(url: string, more: Partial<WireRequest> = {}) {
  const transport = httpTransport();
  transports.push(transport);
  return transport.send({ method: 'GET', url, headers: {}, timeoutMs: 600_000, replyBytesMax: 1_000, ...more });
}

const failure = async (sent: Promise<unknown>): Promise<TransportFailure> => {
  const error: unknown = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TransportFailure);
  return error as TransportFailure;
};

describe('transport over HTTP', () => {
  it('sends method, path, headers and body, and brings back status, headers and body', async () => {
    const url = await serve((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        response.writeHead(418, { 'x-echo': `${request.method} ${request.url} ${request.headers['x-one']}` });
        response.end(text.toUpperCase());
      });
    });
    const reply = await send(`${url}/a/b?c=d`, { method: 'POST', headers: { 'x-one': '1' }, body: 'ünï' });
    expect(reply).toMatchObject({ status: 418, headers: { 'x-echo': 'POST /a/b?c=d 1' }, body: 'ÜNÏ' });
  });

  it('tells a closed port from a server that hangs', async () => {
    const url = await serve(() => {});
    expect(await failure(send(url, { timeoutMs: 50 }))).toMatchObject({ kind: 'hang', message: /within 0.05 s/ });
    const [server] = servers.splice(0);
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    expect(await failure(send(url))).toMatchObject({ kind: 'unreachable', message: /ECONNREFUSED/ });
  });

  it('counts a body that never ends as a hang, and one that is cut off as broken', async () => {
    const drip = await serve((_, response) => {
      response.write('never');
    });
    expect((await failure(send(drip, { timeoutMs: 50 }))).kind).toBe('hang');
    const cut = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('cut');
      setTimeout(() => response.destroy(), 5);
    });
    expect((await failure(send(cut))).kind).toBe('broken');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['br, gzip', (text: string) => gzipSync(brotliCompressSync(text))],
  ] as const)('takes a body that came as %s', async (coding, encode) => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(encode('{"short":"ünï"}'));
    });
    expect(await send(url)).toMatchObject({ status: 200, body: '{"short":"ünï"}' });
    const long = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(encode('x'.repeat(1_001)));
    });
    expect(await send(long)).toMatchObject({ status: 200, cut: true });
    const none = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end('plain');
    });
    expect((await failure(send(none))).kind).toBe('broken');
  });

  it('reads no more of a reply than it may, and says so', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(1_001)));
    expect(await send(url)).toMatchObject({ status: 200, cut: true });
    const whole = await send(url, { replyBytesMax: 1_001 });
    expect(whole.body).toHaveLength(1_001);
    expect(whole.cut).toBeUndefined();
  });
});
