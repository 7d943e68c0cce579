import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { post } from './post.js';

const REPLY = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
});

/** A server that has a socket answer its n-th request of its c-th connection, and how many requests came over each connection. */
async function serve(answer: (socket: Socket, request: number, connection: number) => unknown) {
  const requests: number[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    const connection = requests.push(0);
    socket.on('data', () => {
      requests[connection - 1] = (requests[connection - 1] ?? 0) + 1;
      answer(socket, requests[connection - 1] ?? 0, connection);
    });
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ask = () => post({ url, headers: {}, body: '{}', signal: new AbortController().signal, replyBytesMax: 2 });
  return { ask, requests };
}

describe('a question to another server', () => {
  it.each(['100 Continue', '103 Early Hints'])('is answered after an interim reply: %s', async (interim) => {
    const { ask } = await serve((socket) => socket.write(`HTTP/1.1 ${interim}\r\n\r\n${REPLY}`));
    expect(await ask()).toEqual({ status: 200, text: '{}' });
  });

  it('is asked once more where a kept connection is lost before a byte of the reply, and not otherwise', async () => {
    const kept = await serve((socket, request, c) =>
      c === 1 && request === 2 ? socket.destroy() : socket.write(REPLY),
    );
    expect([await kept.ask(), await kept.ask()]).toEqual([1, 2].map(() => ({ status: 200, text: '{}' })));
    expect(kept.requests).toEqual([2, 1]);
    const fresh = await serve((socket) => socket.destroy());
    await expect(fresh.ask()).rejects.toThrow();
    const begun = await serve((socket, request) => (request === 1 ? socket.write(REPLY) : socket.end('HTTP/1.1 200')));
    await begun.ask();
    await expect(begun.ask()).rejects.toThrow();
    expect([fresh.requests, begun.requests]).toEqual([[1], [2]]);
  });
});
