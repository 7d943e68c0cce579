import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw } from '../../../test/fixtures/http.js';
import { closeServer, listen, serverOf, type TimeLimits } from './listen.js';

const TIME_LIMITS: TimeLimits = { idleMs: 60_000, headersMs: 60_000, requestMs: 60_000 };
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const emptyReply: RequestListener = (_req, res) => res.end('{}');

async function open(server: Server): Promise<number> {
  await listen(server, '127.0.0.1', 0);
  closing.push(() => closeServer(server));
  return (server.address() as AddressInfo).port;
}

function connectTo(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  closing.push(async () => socket.destroy());
  socket.on('error', () => undefined);
  return socket;
}

describe('requests that Node would refuse by itself, without JSON', () => {
  const long = 'x'.repeat(20_000);

  it.each([
    ['no HTTP at all', 'GEB / HTTP\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a request without a Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'two Content-Lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    [
      'a chunk of no length',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n',
      400,
      'BAD_REQUEST',
    ],
    ['a CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
    ['headers of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${long}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['a URL of 20 KB', `GET /${long} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    [
      'another Expect',
      'POST / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nContent-Length: 0\r\n\r\n',
      417,
      'EXPECTATION_FAILED',
    ],
    [
      'chunk extensions of 20 KB',
      `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${long}\r\n`,
      413,
      'BODY_TOO_LARGE',
    ],
  ])('%s is refused in JSON, and the connection closed', async (_, sent, status, code) => {
    const readsBody: RequestListener = (req, res) => req.resume().on('end', () => res.end('{}'));
    const reply = await sendRaw(await open(serverOf(readsBody)), sent, 30_000);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect([reply.status, JSON.parse(reply.text)]).toEqual([status, { error: expect.any(String), code }]);
  });

  it('a request of HTTP/1.0 needs no Host', async () => {
    expect((await sendRaw(await open(serverOf(emptyReply)), 'GET / HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('no refusal is appended to a reply that has begun', async () => {
    const partialReply: RequestListener = (_req, res) => {
      res.setHeader('Content-Length', 10);
      res.write('{');
    };
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    const socket = connectTo(await open(serverOf(partialReply)));
    socket.write(request);
    await once(socket, 'data');
    socket.write('GEB\r\n\r\n');
    expect(await text(socket)).not.toContain('BAD_REQUEST');
  });
});

describe('requests that are sent without waiting for replies', () => {
  const FLOOD = 2_000;

  it('are served one after another, and those of other connections in between', async () => {
    let servedOfFlood = 0;
    let servedBefore: number | undefined;
    let other: Socket | undefined;
    const port = await open(
      serverOf((req, res) => {
        if (req.url === '/other') servedBefore = servedOfFlood;
        else if (++servedOfFlood === 1) other?.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
        res.end('{}');
      }),
    );
    other = connectTo(port);
    await once(other, 'connect');
    connectTo(port).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(FLOOD));
    await once(other, 'data');
    expect(servedBefore).toBeLessThan(20);
  });

  it('are all answered, in their order', async () => {
    const echo: RequestListener = (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => setImmediate(() => res.end(`<${Buffer.concat(chunks).toString().trim()}>`)));
    };
    const socket = connectTo(await open(serverOf(echo)));
    const bodies = Array.from({ length: 200 }, (_, n) => String(n).padEnd(1_500));
    const head = (n: number): string =>
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1500\r\n${n === 199 ? 'Connection: close\r\n' : ''}\r\n`;
    socket.write(bodies.map((body, n) => head(n) + body).join(''));
    expect([...(await text(socket)).matchAll(/<(\d+)>/g)].map(([, n]) => Number(n))).toEqual(bodies.map((_, n) => n));
  });

  it('are not served after one with Connection: close', async () => {
    const served: (string | undefined)[] = [];
    const port = await open(
      serverOf((req, res) => {
        served.push(req.url);
        res.end('{}');
      }),
    );
    const socket = connectTo(port);
    socket.write('GET /1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    await text(socket);
    expect(served).toEqual(['/1']);
  });

  it('are answered before unreadable bytes that follow them are refused', async () => {
    const slow: RequestListener = (_req, res) => void setImmediate(() => res.end('{}'));
    const socket = connectTo(await open(serverOf(slow)));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGEB\r\n\r\n');
    const replies = await text(socket);
    expect([...replies.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400']);
  });
});

describe('a connection', () => {
  it.each([
    ['nothing', ''],
    ['half a header', 'GET / HTTP/1.1\r\nHo'],
    ['half a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'],
  ])('on which %s comes is answered 408 and closed', async (_, sent) => {
    const readsBody: RequestListener = (req, res) => req.resume().on('end', () => res.end('{}'));
    const port = await open(serverOf(readsBody, { ...TIME_LIMITS, headersMs: 50, requestMs: 100 }));
    const reply = await sendRaw(port, sent, 60_000);
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([408, { code: 'REQUEST_TIMEOUT' }]);
  });

  it('that has been idle longest is closed where a new one exceeds the maximum', async () => {
    const port = await open(serverOf(emptyReply, TIME_LIMITS, 2));
    const sockets: Socket[] = [];
    for (let i = 0; i < 3; i++) {
      const socket = connectTo(port);
      sockets.push(socket);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
    }
    const [first, second, third] = sockets as [Socket, Socket, Socket];
    if (!first.closed) await once(first, 'close');
    second.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    third.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await Promise.all([once(second, 'data'), once(third, 'data')]);
  });

  it('that waits for its reply stays open, and the new one is closed', async () => {
    const replies: (() => void)[] = [];
    const port = await open(serverOf((_req, res) => replies.push(() => res.end('{}')), TIME_LIMITS, 1));
    const first = connectTo(port);
    first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    while (replies.length === 0) await new Promise((soon) => setTimeout(soon, 2));
    const second = connectTo(port);
    await once(second, 'close');
    replies[0]?.();
    const [reply] = (await once(first, 'data')) as [Buffer];
    expect(String(reply)).toContain('200 OK');
  });

  it('whose client does not read its reply is closed where a new one exceeds the maximum', async () => {
    const long = Buffer.alloc(30_000_000, ' ');
    const port = await open(serverOf((req, res) => res.end(req.url === '/long' ? long : '{}'), TIME_LIMITS, 1));
    const first = connectTo(port);
    first.pause();
    first.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(first, 'readable');
    const second = connectTo(port);
    second.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [reply] = (await once(second, 'data')) as [Buffer];
    expect(String(reply)).toContain('200 OK');
  });
});
