// Requests of all kinds to the recording proxy: none ends the proxy, and none makes it call another server than its own.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendRaw } from '../test/fixtures/http.js';
import { type RecordingProxy, startProxy } from './recording-proxy.js';

const servers: Server[] = [];
let received: string[] = [];
let receivedElsewhere: string[] = [];
let proxy: RecordingProxy;

async function serve(log: (request: IncomingMessage) => void): Promise<string> {
  const server = createServer((request, response) => {
    log(request);
    request.resume().on('end', () => response.end('{"ok":true}'));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let otherUrl: string;
const port = (): number => Number(new URL(proxy.registryUrl).port);
const request = (
  requestLine: string,
  headersAndBody = '',
): Promise<{ readonly status: number; readonly text: string }> =>
  sendRaw(
    port(),
    `${requestLine} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headersAndBody === '' ? '\r\n' : headersAndBody}`,
  );

beforeEach(async () => {
  [received, receivedElsewhere] = [[], []];
  const url = await serve(({ method, url: path }) => received.push(`${method} ${path}`));
  otherUrl = await serve(({ url: path }) => receivedElsewhere.push(path ?? ''));
  proxy = await startProxy({ registryUrl: url, beatsUrl: url, passAnchors: async () => undefined, nowMs: () => 0 });
  received = [];
});
afterEach(async () => {
  await proxy.close();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

describe('the recording proxy', () => {
  it.each([
    ['a whole URL', () => `GET ${otherUrl}/api/v1/fees/summary`, 'GET /api/v1/fees/summary'],
    ['a path that begins like a host', () => `GET ${otherUrl.slice(5)}/x`, /^GET \/\/127\.0\.0\.1:\d+\/x$/],
    ['an invalid URL', () => 'GET http://[', 'GET /http://['],
    ['an asterisk', () => 'OPTIONS *', 'OPTIONS /*'],
  ])('passes %s on to its own server, and to no other', async (_what, line, wanted) => {
    expect((await request(line())).status).toBe(200);
    expect(received).toEqual([typeof wanted === 'string' ? wanted : expect.stringMatching(wanted)]);
    expect(receivedElsewhere).toEqual([]);
  });

  it.each([
    ['GET with a body', 'GET /api/v1/fees/summary', 'Content-Length: 2\r\n\r\n{}', 200],
    ['TRACE', 'TRACE /', '', 400],
    ['upgrade', 'GET /', 'Upgrade: h2c\r\n\r\n', 200],
    ['body of 2 MB', 'POST /api/v1/register', `Content-Length: 2000000\r\n\r\n${' '.repeat(2_000_000)}`, 200],
  ])('answers a %s', async (_what, line, rest, status) => {
    expect((await request(line, rest)).status).toBe(status);
    for (const { text } of proxy.exchanges) expect(text.length).toBeLessThan(1_200_000);
  });

  it('goes on when a client leaves before the end of its request', async () => {
    const socket = connect(port(), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /api/v1/register HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    while (proxy.exchanges.length === 0) await new Promise((soon) => setTimeout(soon, 2));
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect((await request('GET /api/v1/fees/summary')).status).toBe(200);
    expect(received).toEqual(['GET /api/v1/fees/summary']);
  });
});
