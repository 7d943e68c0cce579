// What a client may send to the proxy that watches it: nothing ends the proxy, and nothing leads past the server behind it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendRaw } from '../test/fixtures/http.js';
import { type Watcher, watch } from './watcher.js';

const servers: Server[] = [];
let asked: string[] = [];
let strays: string[] = [];
let watcher: Watcher;

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

let elsewhere: string;
const port = (): number => Number(new URL(watcher.registryUrl).port);
const request = (line: string, rest = ''): Promise<{ readonly status: number; readonly text: string }> =>
  sendRaw(port(), `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest === '' ? '\r\n' : rest}`);

beforeEach(async () => {
  [asked, strays] = [[], []];
  const url = await serve(({ method, url: path }) => asked.push(`${method} ${path}`));
  elsewhere = await serve(({ url: path }) => strays.push(path ?? ''));
  watcher = await watch({ registryUrl: url, beatsUrl: url, passAnchors: async () => undefined, nowMs: () => 0 });
  asked = [];
});
afterEach(async () => {
  await watcher.close();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

describe('the proxy of a watched client', () => {
  it.each([
    ['a whole URL', () => `GET ${elsewhere}/api/v1/fees/summary`, 'GET /api/v1/fees/summary'],
    ['a path that begins like a host', () => `GET ${elsewhere.slice(5)}/x`, /^GET \/\/127\.0\.0\.1:\d+\/x$/],
    ['a URL that is none', () => 'GET http://[', 'GET /http://['],
    ['an asterisk', () => 'OPTIONS *', 'OPTIONS /*'],
  ])('passes %s on to the server behind it, and to no other', async (_what, line, wanted) => {
    expect((await request(line())).status).toBe(200);
    expect(asked).toEqual([typeof wanted === 'string' ? wanted : expect.stringMatching(wanted)]);
    expect(strays).toEqual([]);
  });

  it.each([
    ['GET with a body', 'GET /api/v1/fees/summary', 'Content-Length: 2\r\n\r\n{}', 200],
    ['TRACE', 'TRACE /', '', 400],
    ['upgrade', 'GET /', 'Upgrade: h2c\r\n\r\n', 200],
    ['body of 2 MB', 'POST /api/v1/register', `Content-Length: 2000000\r\n\r\n${' '.repeat(2_000_000)}`, 200],
  ])('answers a %s', async (_what, line, rest, status) => {
    expect((await request(line, rest)).status).toBe(status);
    for (const { text } of watcher.exchanges) expect(text.length).toBeLessThan(1_200_000);
  });

  it('goes on when a client leaves before the end of its request', async () => {
    const socket = connect(port(), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /api/v1/register HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    while (watcher.exchanges.length === 0) await new Promise((soon) => setTimeout(soon, 2));
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect((await request('GET /api/v1/fees/summary')).status).toBe(200);
    expect(asked).toEqual(['GET /api/v1/fees/summary']);
  });
});
