import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw } from '../../../test/fixtures/http.js';
import { HeldBytes } from '../request/held-bytes.js';
import { type ConnectionLimits, Connections } from './connections.js';
import { closeServer, listen, serverOf, type TimeLimits } from './listen.js';

const TIME_LIMITS: TimeLimits = { idleMs: 60_000, headersMs: 60_000, requestMs: 60_000 };
const boundsOf = (limits: Partial<ConnectionLimits>, unreadMax = 1_000_000_000) => ({
  connections: new Connections({ connectionsMax: 1_000, waitingMax: 10_000, queuesMax: 1_000, ...limits }),
  replies: new HeldBytes(unreadMax),
});
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

  it.each<readonly [string, string, number, string]>([
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
    ...['http://', 'http://[x', 'http://[::error::x/', 'mailto://'].map(
      (target) => [target, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'BAD_REQUEST'] as const,
    ),
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

  it('a request for a whole URL is one for its path', async () => {
    const port = await open(serverOf((req, res) => res.end(JSON.stringify(req.url))));
    const reply = await sendRaw(
      port,
      'GET http://x.example:80/a/b?c=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(JSON.parse(reply.text)).toBe('/a/b?c=1');
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

describe('requests that wait behind others, of all connections', () => {
  const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('are bounded: the connection with the most is closed, and the others get their replies', async () => {
    const bounds = boundsOf({ waitingMax: 100 });
    const replies: (() => void)[] = [];
    const port = await open(serverOf((_req, res) => replies.push(() => res.end('{}')), TIME_LIMITS, bounds));
    const few = connectTo(port);
    few.write(GET.repeat(41));
    while (bounds.connections.counts.waiting < 40) await soon();
    const many = connectTo(port);
    many.write(GET.repeat(1_000));
    await once(many, 'close');
    expect(bounds.connections.counts.waiting).toBe(40);
    let answered = '';
    few.on('data', (chunk) => (answered += String(chunk)));
    while (answered.split('200 OK').length < 42) {
      replies.shift()?.();
      await soon();
    }
    expect(bounds.connections.counts).toEqual({ open: 1, waiting: 0 });
  });

  it('come from a bounded number of connections', async () => {
    const bounds = boundsOf({ queuesMax: 3 });
    const port = await open(serverOf(() => undefined, TIME_LIMITS, bounds));
    const sockets = Array.from({ length: 5 }, () => connectTo(port));
    let closed = 0;
    for (const socket of sockets) socket.on('close', () => (closed += 1)).write(GET.repeat(3));
    while (closed < 2) await soon();
    expect(bounds.connections.counts).toEqual({ open: 3, waiting: 6 });
  });

  it('are not served once their client has gone', async () => {
    const bounds = boundsOf({});
    let served = 0;
    const begun: (() => void)[] = [];
    const port = await open(
      serverOf(
        (_req, res) => {
          served += 1;
          if (served === 1) begun.push(() => res.end('{}'));
          else res.end('{}');
        },
        TIME_LIMITS,
        bounds,
      ),
    );
    const socket = connectTo(port);
    socket.write(GET.repeat(1_000));
    while (bounds.connections.counts.waiting < 999) await soon();
    socket.resetAndDestroy();
    await once(socket, 'close');
    begun[0]?.();
    while (bounds.connections.counts.open > 0) await soon();
    expect(served).toBeLessThan(10);
    expect(bounds.connections.counts.waiting).toBe(0);
  });
});

describe('the memory of a request', () => {
  it('is not that of a buffer for each byte, where a body comes in chunks of one byte', async () => {
    let [pieces, sent] = [0, ''];
    const port = await open(
      serverOf((req, res) => {
        req.on('data', (piece: Buffer) => {
          pieces += 1;
          sent += String(piece);
        });
        req.on('end', () => res.end('{}'));
      }),
    );
    const body = Array.from({ length: 9_000 }, (_, n) => String(n % 10)).join('');
    const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('');
    await sendRaw(
      port,
      `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}0\r\n\r\n`,
      30_000,
    );
    expect(sent).toBe(body);
    expect(pieces).toBeLessThan(100);
  });

  it.each([
    [100, 200],
    [101, 431],
  ])('is bounded by its header fields: with %i it is answered %i', async (fields, status) => {
    const more = Array.from({ length: fields - 2 }, (_, n) => `h${n}: x\r\n`).join('');
    const sent = `GET / HTTP/1.1\r\nHost: x\r\n${more}Connection: close\r\n\r\n`;
    expect((await sendRaw(await open(serverOf(emptyReply)), sent, 30_000)).status).toBe(status);
  });
});

describe('replies that are not read', () => {
  it('are held up to a bound: then the connection that has not read for longest is closed', async () => {
    const bounds = boundsOf({}, 25_000_000);
    const long = Buffer.alloc(16_000_000, ' ');
    const port = await open(serverOf((_req, res) => res.end(long), TIME_LIMITS, bounds));
    const [first, second] = [connectTo(port), connectTo(port)];
    for (const socket of [first, second]) {
      socket.pause();
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await once(socket, 'readable');
    }
    expect(bounds.replies.total).toBeLessThanOrEqual(25_000_000);
    expect((await text(second)).length).toBeGreaterThan(long.length);
    expect((await text(first)).length).toBeLessThan(long.length);
    expect(bounds.replies.total).toBe(0);
  });
});

describe('a connection', () => {
  it('is closed for a new one, however many arrive at once', async () => {
    const bounds = boundsOf({ connectionsMax: 2 });
    const port = await open(serverOf(emptyReply, TIME_LIMITS, bounds));
    let closed = 0;
    for (let i = 0; i < 50; i++) connectTo(port).on('close', () => (closed += 1));
    while (closed < 48) await new Promise((soon) => setImmediate(soon));
    expect(bounds.connections.counts.open).toBe(2);
  });

  it('whose client has not sent its whole request is closed for a new one', async () => {
    const port = await open(
      serverOf((req, res) => req.resume().on('end', () => res.end('{}')), TIME_LIMITS, boundsOf({ connectionsMax: 1 })),
    );
    const first = connectTo(port);
    first.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n');
    await once(first, 'data');
    const second = connectTo(port);
    second.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [reply] = (await once(second, 'data')) as [Buffer];
    expect(String(reply)).toContain('200 OK');
  });

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
    const port = await open(serverOf(emptyReply, TIME_LIMITS, boundsOf({ connectionsMax: 2 })));
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
    const port = await open(
      serverOf((_req, res) => replies.push(() => res.end('{}')), TIME_LIMITS, boundsOf({ connectionsMax: 1 })),
    );
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
    const port = await open(
      serverOf((req, res) => res.end(req.url === '/long' ? long : '{}'), TIME_LIMITS, boundsOf({ connectionsMax: 1 })),
    );
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
