// Connections that a server closes, and replies that come before the reply.

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { IdleTimes } from './connections.js';
import { httpTransport, type WireRequest } from './transport.js';

const REPLY = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0)) await each();
});

interface Seen {
  readonly url: string;
  /** By connection, how many requests came over it. */
  readonly requests: number[];
}

/** A server that has a socket answer its n-th request (from 1) of its c-th connection (from 1). */
async function serve(answer: (socket: Socket, request: number, connection: number) => void): Promise<Seen> {
  const requests: number[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const connection = requests.push(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', () => {
      const request = (requests[connection - 1] ?? 0) + 1;
      requests[connection - 1] = request;
      answer(socket, request, connection);
    });
  });
  cleanUp.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((closed) => server.close(closed));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

function client() {
  const { send, close } = httpTransport();
  cleanUp.unshift(close);
  return (url: string, more: Partial<WireRequest> = {}) =>
    send({ method: 'POST', url, headers: {}, body: '{}', timeoutMs: 600_000, replyBytesMax: 1_000, ...more });
}

describe('interim replies (RFC 9110, 15.2)', () => {
  it.each([
    ['an unsolicited 100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a 102', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['a 103 with headers', 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'],
    ['an unknown one', 'HTTP/1.1 199 Whatever\r\n\r\n'],
    ['many', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'.repeat(50)],
  ])('%s are read, and the final reply is the reply', async (_what, interim) => {
    const { url, requests } = await serve((socket) => socket.write(interim + REPLY));
    const send = client();
    for (const _ of [1, 2])
      expect(await send(url)).toMatchObject({ status: 200, body: '{}', headers: { 'content-length': '2' } });
    expect(requests).toEqual([2]);
  });
});

describe('a connection that is lost', () => {
  const lost = (more: Partial<WireRequest>, answer: Parameters<typeof serve>[0]) => async () => {
    const { url, requests } = await serve(answer);
    const send = client();
    const first = await send(url, more).catch((error: Error) => error.message);
    const second = await send(url, more).catch((error: Error) => error.message);
    return { first, second, requests };
  };
  const onSecond =
    (lose: (socket: Socket) => void) =>
    (socket: Socket, request: number, connection: number): void => {
      if (connection === 1 && request === 2) lose(socket);
      else socket.write(REPLY);
    };

  it.each([
    ['closed', (socket: Socket) => socket.end()],
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'when it is used again, and is %s before a byte of the reply: once more on a new one, and it is said',
    async (_how, lose) => {
      for (const method of ['GET', 'POST']) {
        const { second, requests } = await lost({ method }, onSecond(lose))();
        expect(second).toMatchObject({ status: 200, resent: expect.stringMatching(/lost before a byte of the reply/) });
        expect(requests).toEqual([2, 1]);
      }
    },
  );

  it('again under the second sending fails the request: it is not sent a third time', async () => {
    const { second, requests } = await lost({}, (socket, request, connection) => {
      if (connection === 1 && request === 1) socket.write(REPLY);
      else socket.destroy();
    })();
    expect(second).toEqual(expect.any(String));
    expect(requests).toEqual([2, 1]);
  });

  it('fails a request that must not be served twice', async () => {
    const { second, requests } = await lost(
      { once: true },
      onSecond((socket) => socket.destroy()),
    )();
    expect(second).toMatch(/lost before a byte/);
    expect(requests).toEqual([2]);
  });

  it('in its first use, or after a part of the reply, an interim one too, fails the request', async () => {
    const fresh = await lost({}, (socket) => socket.destroy())();
    expect([typeof fresh.first, fresh.requests]).toEqual(['string', [1, 1]]);
    for (const part of ['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 100 Continue\r\n\r\n', REPLY.slice(0, -1)]) {
      const { second, requests } = await lost(
        {},
        onSecond((socket) => socket.end(part)),
      )();
      expect([typeof second, requests]).toEqual(['string', [2]]);
    }
  });

  it('three times by a server that never keeps one gets each request a connection of its own', async () => {
    const { url, requests } = await serve((socket, request) =>
      request === 1 ? socket.write(REPLY) : socket.destroy(),
    );
    const send = client();
    const replies = [];
    for (let n = 0; n < 8; n += 1) replies.push(await send(url));
    expect(replies.filter(({ resent }) => resent !== undefined)).toHaveLength(3);
    expect(replies.slice(-2).map(({ resent }) => resent)).toEqual([undefined, undefined]);
    expect(requests.slice(-2)).toEqual([1, 1]);
  });

  it('whose reply said close, or whose server keeps it for no time, is not used again', async () => {
    for (const header of ['connection: close', 'keep-alive: timeout=0']) {
      const { url, requests } = await serve((socket) =>
        socket.write(`HTTP/1.1 200 OK\r\n${header}\r\ncontent-length: 2\r\n\r\n{}`),
      );
      const send = client();
      for (const _ of [1, 2]) expect((await send(url)).resent).toBeUndefined();
      expect(requests).toEqual([1, 1]);
    }
  });
});

describe('how long a connection may be idle', () => {
  /** A connection that has been idle since `nowMs`, and whether it is closed after a time. */
  const idle = (teach: (idle: IdleTimes, pass: (ms: number) => void) => void) => (ms: number) => {
    let nowMs = 0;
    const times = new IdleTimes(() => nowMs);
    teach(times, (more) => {
      nowMs += more;
    });
    let closed = false;
    times.begin({ destroy: () => (closed = true) } as never);
    nowMs += ms;
    times.closeOld();
    return closed;
  };
  const other = {} as never;

  it.each([
    ['at first', () => undefined, 4_000],
    ['where the server keeps it for 2 s', (times: IdleTimes) => times.learn('timeout=2, max=100'), 1_000],
    ['where it keeps it for an hour', (times: IdleTimes) => times.learn('max=5, timeout=3600'), 4_000],
    [
      'where it has closed one after 2 s',
      (times: IdleTimes, pass: (ms: number) => void) => {
        times.begin(other);
        pass(2_000);
        times.closed(other);
      },
      1_000,
    ],
    ['where one was lost after 3 s', (times: IdleTimes) => times.lost(3_000), 1_500],
    ['where one was lost at once, which says nothing of idle ones', (times: IdleTimes) => times.lost(1), 4_000],
  ])('%s', (_when, teach, ms) => {
    const isClosedAfter = idle(teach);
    expect([isClosedAfter(ms - 1), isClosedAfter(ms)]).toEqual([false, true]);
  });
});
