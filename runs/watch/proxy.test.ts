// The proxy passes on what it gets: a client and a server see through it what they see without it.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authority, forLocalhost, key } from '../../test/fixtures/certificates.js';
import { type Passed, pairsOf, startProxy } from './proxy.js';

const passed: Passed[] = [];
let answer: RequestListener = (_, res) => res.end();
let server: Server;
let proxy: Awaited<ReturnType<typeof startProxy>>;
const portOf = (url: string): number => Number(new URL(url).port);
let direct: string;

const take = (req: IncomingMessage, res: ServerResponse): void => answer(req, res);
beforeAll(async () => {
  server = createServer(take).on('checkContinue', take);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  direct = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { listen: '127.0.0.1:0', to: `${direct}/base`, nowMs: () => performance.now() };
  proxy = await startProxy({ ...settings, onPassed: (each) => passed.push(each) });
});
afterAll(async () => {
  await proxy.close();
  server.close().closeAllConnections();
});

interface Sent {
  readonly method: string;
  readonly headers: readonly string[];
  readonly pieces: readonly string[];
}

/** Sends a request, and returns the reply as the client sees it. */
function send(base: string, { method, headers, pieces }: Sent): Promise<object> {
  return new Promise((done, fail) => {
    const { hostname, port, pathname } = new URL(base);
    const own = ['Host', 'a.example', ...headers, 'Connection', 'close'];
    const options = {
      hostname,
      port,
      method,
      path: `${pathname.replace(/\/$/, '')}/x?a=%20b`,
      headers: own,
      agent: false as const,
    };
    const asked = request(options, (reply) => {
      const body: Buffer[] = [];
      reply.on('data', (piece: Buffer) => body.push(piece));
      reply.on('end', () => {
        const { statusCode, statusMessage, rawHeaders, rawTrailers } = reply;
        const seen = pairsOf(rawHeaders).filter(([name]) => name !== 'Date');
        done({ statusCode, statusMessage, seen, rawTrailers, body: Buffer.concat(body).toString('latin1') });
      });
    });
    asked.on('error', fail);
    for (const piece of pieces) asked.write(Buffer.from(piece, 'latin1'));
    asked.end();
  });
}

const name = fc.stringMatching(/^X-[A-Za-z]{1,8}$/);
const value = fc.stringMatching(/^[!-~]{0,20}$/);
const headers = fc.array(fc.tuple(name, value), { maxLength: 6 }).map((pairs) => pairs.flat());
const pieces = fc.array(
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  { maxLength: 4 },
);
const reply = fc.record({
  status: fc.constantFrom(200, 201, 204, 302, 304, 404, 500),
  headers,
  pieces,
  isSized: fc.boolean(),
  hasTrailer: fc.boolean(),
});

describe('through the proxy', () => {
  it('requests and replies are as without it: headers with their order and case, bodies, trailers', async () => {
    let seen: object = {};
    const sent = fc.record({
      method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE'),
      headers,
      pieces,
      isSized: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(sent, reply, async (asked, answered) => {
        const length = (some: readonly string[]): string => `${some.reduce((sum, each) => sum + each.length, 0)}`;
        answer = (req, res) => {
          const body: Buffer[] = [];
          req.on('data', (piece: Buffer) => body.push(piece));
          req.on('end', () => {
            const { method, url, rawHeaders } = req;
            const hasBody = method !== 'HEAD' && ![204, 304].includes(answered.status);
            const hasTrailer = answered.hasTrailer && !answered.isSized && hasBody;
            seen = { method, url, rawHeaders, body: Buffer.concat(body).toString('latin1') };
            const own = [
              ...answered.headers,
              ...(answered.isSized
                ? ['Content-Length', length(answered.pieces)]
                : hasTrailer
                  ? ['Trailer', 'X-T']
                  : []),
            ];
            res.writeHead(answered.status, 'As It Is', own);
            for (const piece of answered.pieces) res.write(Buffer.from(piece, 'latin1'));
            if (hasTrailer) res.addTrailers([['X-T', 'after']]);
            res.end();
          });
        };
        const bodiless = ['GET', 'HEAD', 'DELETE'].includes(asked.method);
        const own = bodiless
          ? []
          : asked.isSized
            ? ['Content-Length', length(asked.pieces)]
            : ['Transfer-Encoding', 'chunked'];
        const wanted = { ...asked, headers: [...asked.headers, ...own], pieces: bodiless ? [] : asked.pieces };
        const without = [await send(`${direct}/base`, wanted), seen];
        const through = [await send(proxy.url, wanted), seen];
        const host = new URL(direct).host;
        expect(JSON.parse(JSON.stringify(through).replace(host, 'a.example'))).toEqual(
          JSON.parse(JSON.stringify(without)),
        );
        const last = passed.at(-1);
        expect(last).toMatchObject({
          method: asked.method,
          url: `${direct}/base/x?a=%20b`,
          reply: { status: answered.status },
        });
        expect(Buffer.from(last?.body ?? []).toString('latin1')).toBe(wanted.pieces.join(''));
      }),
      { numRuns: 40, timeout: 5000 },
    );
  });

  it.each([
    ['GET /x HTTP/1.1\r\nHost: a\r\nX-B: 2', ['Host', '*', 'X-B', '2', 'Connection', 'keep-alive']],
    ['GET /x HTTP/1.0', ['Host', '*', 'Connection', 'keep-alive']],
    ['POST /x HTTP/1.1\r\nHost: a\r\nConnection: close', ['Host', '*', 'Connection', 'close', 'Content-Length', '0']],
    ['GET http://b/x HTTP/1.1\r\nTrailer: T\r\nhost: b\r\nConnection: close', ['host', '*', 'Connection', 'close']],
  ])('changes the headers that its document lists, and no other: %j', async (head, expected) => {
    const got = new Promise<readonly string[]>((done) => {
      answer = (req, res) => {
        done([req.url ?? '', ...req.rawHeaders]);
        res.end();
      };
    });
    const client = connect(portOf(proxy.url), '127.0.0.1');
    client.write(`${head}\r\n\r\n`);
    const host = new URL(direct).host;
    expect(await got).toEqual(['/base/x', ...expected.map((each) => (each === '*' ? host : each))]);
    client.destroy();
  });

  it('a body longer than the bound passes, and is not kept', async () => {
    answer = (req, res) => void req.pipe(res);
    const long = 'x'.repeat(3_000_000);
    const got = await send(proxy.url, { method: 'POST', headers: ['Transfer-Encoding', 'chunked'], pieces: [long] });
    expect((got as { body: string }).body.length).toBe(long.length);
    expect(passed.at(-1)).toMatchObject({ body: undefined, reply: { body: undefined }, unread: 'body' });
  });

  it('1xx replies pass: the server decides whether a body is sent', async () => {
    answer = (req, res) => {
      res.writeEarlyHints({ link: '</a>; rel=preload' });
      res.writeContinue();
      req.on('data', () => {}).on('end', () => res.end('done'));
    };
    const raw = await new Promise<string>((done) => {
      const socket = connect(portOf(proxy.url), '127.0.0.1');
      let got = '';
      let isSent = false;
      socket.on('data', (piece) => {
        got += piece.toString();
        if (got.includes('100 Continue') && !isSent) socket.write('body');
        isSent ||= got.includes('100 Continue');
      });
      socket.on('close', () => done(got));
      socket.write(
        'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n\r\n',
      );
    });
    expect(raw).toMatch(
      /^HTTP\/1.1 103 Early Hints\r\nLink: <\/a>; rel=preload\r\n\r\nHTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n[\s\S]*done$/i,
    );
  });

  it('a client that leaves ends the request behind, and the exchange counts as aborted', async () => {
    const left = new Promise<void>((done) => {
      answer = (_, res) => {
        res.write('half');
        res.on('close', () => done());
      };
    });
    const before = passed.length;
    const { port } = new URL(proxy.url);
    const asked = request({ port, host: '127.0.0.1' }, (reply) => reply.once('data', () => asked.destroy()));
    asked.on('error', () => {}).end();
    await left;
    await expect.poll(() => passed.length).toBe(before + 1);
    expect(passed.at(-1)).toMatchObject({ unread: 'aborted' });
    expect(passed.at(-1)).not.toHaveProperty('reply');
  });

  it('a server that breaks off breaks off for the client, too', async () => {
    answer = (_, res) => {
      res.writeHead(200, { 'content-length': 100 });
      res.write('half', () => res.destroy());
    };
    const { port } = new URL(proxy.url);
    const end = new Promise<string>((done) => {
      request({ port, host: '127.0.0.1', agent: false }, (reply) => {
        reply
          .resume()
          .on('error', (error) => done(error.message))
          .on('end', () => done('whole'));
      }).end();
    });
    expect(await end).toBe('aborted');
    expect(passed.at(-1)).toMatchObject({ unread: 'aborted' });
  });

  it('a server that does not answer is a 502 of its own, which is not kept as a reply', async () => {
    answer = (req) => void req.socket.destroy();
    const got = await send(proxy.url, { method: 'GET', headers: [], pieces: [] });
    expect(got).toMatchObject({ statusCode: 502, body: `aips watch: no reply from ${direct}: ECONNRESET\n` });
    expect(passed.at(-1)).toMatchObject({ unread: 'aborted' });
    expect(passed.at(-1)).not.toHaveProperty('reply');
  });

  it('a server behind https is verified by its authority', async () => {
    const behind = createSecureServer({ key, cert: forLocalhost }, (_, res) => res.end('secure'));
    await new Promise<void>((done) => behind.listen(0, '127.0.0.1', done));
    const to = `https://localhost:${(behind.address() as AddressInfo).port}`;
    const get = async (ca?: string): Promise<object> => {
      const secure = await startProxy({ listen: '127.0.0.1:0', to, ca, nowMs: () => 0, onPassed: () => {} });
      const got = await send(secure.url, { method: 'GET', headers: [], pieces: [] });
      await secure.close();
      return got;
    };
    expect(await get(authority)).toMatchObject({ statusCode: 200, body: 'secure' });
    expect(await get()).toMatchObject({ statusCode: 502, body: expect.stringContaining('UNABLE_TO_VERIFY') });
    behind.close();
  });

  it('a connection is kept, and each has one of its own behind', async () => {
    const ports: (number | undefined)[] = [];
    answer = (req, res) => {
      ports.push(req.socket.remotePort);
      res.end('ok');
    };
    const socket = connect(portOf(proxy.url), '127.0.0.1');
    for (let nth = 0; nth < 2; nth += 1) {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await new Promise((done) => socket.once('data', done));
    }
    socket.end();
    expect(ports.length).toBe(2);
    expect(new Set(ports).size).toBe(1);
  });
});
