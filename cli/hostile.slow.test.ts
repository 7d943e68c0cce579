// Servers that nobody should have to judge: a run against each ends with a verdict and with all its reports.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Socket, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../results/conformance-result.js';
import { aips } from '../test/fixtures/aips.js';

const REQUESTS_MAX = 60;
/** A reply is read to 1 MB; what the kernel holds on the way is no reply that is read. */
const SENT_BYTES_MAX = REQUESTS_MAX * 16_777_216;
const REPORT_BYTES_MAX = 20_000_000;

const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();
let sentBytes = 0;
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server | TcpServer): Promise<string> {
  servers.push(server);
  sentBytes = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sentBytes += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Kind = () => Server | TcpServer;

/** Answers each request so. */
const http =
  (answer: (response: ServerResponse, request: IncomingMessage) => void): Kind =>
  () =>
    createServer((request, response) => answer(response, request));

const JSON_TYPE = { 'content-type': 'application/json' } as const;

/** Answers everything with this body. */
const always = (status: number, body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Kind =>
  http((response) => response.writeHead(status, headers).end(body));

/** Says these bytes once a request has come, and closes the socket then, or does what `after` says. */
const raw =
  (said: string | Buffer, after: (socket: Socket) => void = (socket) => socket.end()): Kind =>
  () =>
    createTcp((socket) => {
      socket.on('data', () => {
        socket.write(said);
        after(socket);
      });
    });

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const stay = (): void => undefined;

/** Writes without end, as fast as the other side reads. */
function endless(socket: Socket, piece: string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

/** Writes one byte now and then, without end. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 20);
  socket.once('close', () => clearInterval(timer));
}

const deep = (open: string, close: string): string => `${open.repeat(160_000)}1${close.repeat(160_000)}`;
const fields = ['hash', 'api_key', 'secret', 'name', 'error', 'code', 'nonce', 'token', 'anchor', 'type', 'status'];
const each = (value: unknown): string => JSON.stringify(Object.fromEntries(fields.map((field) => [field, value])));
const NASTY = '\u001b]0;x\u0007\u001b[2J<script>alert(1)</script>]]>"\'`|**\u202e\u0000\u0008\r\n::error::x\n# x';
const bomb = (encode: (zeros: Buffer) => Buffer): Buffer => encode(Buffer.alloc(64_000_000));

/** A number that follows from another, the same on each machine. */
const mixed = (n: number): number => Math.imul(n ^ (n >>> 15), 0x2c1b3c6d) >>> 0;

/** A server that never answers is given less time than one that does: it never will. */
const HANGS = 'timeout_s: 0.7\n';

const CONTROL = 'control: { url: BASE, token: a-token-of-control }\n';

/** How a run against each ends: its exit status, and what it says. */
const hostile: readonly (readonly [what: string, server: Kind, status: 1 | 2, says: RegExp, more?: string])[] = [
  // Sockets.
  ['closes every socket', () => createTcp((socket) => socket.destroy()), 2, /no reply from the target/],
  ['answers nothing', () => createTcp(stay), 2, /no reply from the target/, HANGS],
  [
    'speaks before it is asked, and no HTTP',
    () => createTcp((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')),
    2,
    /no reply/,
  ],
  ['speaks TLS', raw(Buffer.from('15030100020228', 'hex')), 2, /no reply/],
  ['resets every connection', raw('HTTP/1.1 2', (socket) => socket.resetAndDestroy()), 2, /no reply/],
  // Replies that are not HTTP.
  ['ends after the status', raw('HTTP/1.1 200 OK\r\n'), 2, /no reply/],
  ['falls silent after the status', raw('HTTP/1.1 200 OK\r\n', stay), 2, /no reply within/, HANGS],
  ['sends headers byte by byte without end', raw(head, (socket) => drip(socket, 'x')), 2, /no reply within/, HANGS],
  ['sends headers without end', raw(`${head}x: `, (socket) => endless(socket, 'y'.repeat(65_536))), 2, /no reply/],
  [
    'sends 10,000 headers',
    raw(`${head}${Array.from({ length: 10_000 }, (_, n) => `x${n}: y\r\n`).join('')}\r\n{}`),
    2,
    /no reply/,
  ],
  ['sends headers with zero bytes', raw(`${head}x: a\0b\r\n\r\n{}`), 2, /no reply/],
  [
    'sends a body byte by byte without end',
    raw(`${head}\r\n`, (socket) => drip(socket, ' ')),
    2,
    /no reply within/,
    HANGS,
  ],
  [
    'sends a body without end',
    raw(`${head}\r\n`, (socket) => endless(socket, ' '.repeat(65_536))),
    2,
    /longer than 1048576 bytes/,
  ],
  [
    'sends chunks without end',
    raw(`${head}transfer-encoding: chunked\r\n\r\n`, (socket) => endless(socket, `4000\r\n${' '.repeat(0x4000)}\r\n`)),
    2,
    /longer than/,
  ],
  ['sends less than it announces', raw(`${head}content-length: 100\r\n\r\n{}`), 2, /no reply/],
  ['sends more than it announces', raw(`${head}content-length: 2\r\n\r\n{}${'x'.repeat(100)}`), 1, /FAIL/],
  ['announces less than nothing', raw(`${head}content-length: -5\r\n\r\n{}`), 2, /no reply/],
  ['announces more than there is', raw(`${head}content-length: 99999999999999999999\r\n\r\n{}`), 2, /no reply/],
  ['gives two lengths', raw(`${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `), 2, /no reply/],
  [
    'gives a length and chunks',
    raw(`${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    2,
    /no reply/,
  ],
  ['has a chunk of no length', raw(`${head}transfer-encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`), 2, /no reply/],
  [
    'has a chunk of all lengths',
    raw(`${head}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`, stay),
    2,
    /no reply/,
    HANGS,
  ],
  [
    'answers once more than it was asked',
    raw(`${head}content-length: 2\r\n\r\n{}${head}content-length: 2\r\n\r\n{}`),
    1,
    /FAIL/,
  ],
  ['has a status of no kind', raw('HTTP/1.1 999 Nine\r\ncontent-length: 2\r\n\r\n{}'), 1, /FAIL/],
  [
    'says to continue without end',
    raw('', (socket) => endless(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000))),
    2,
    /no reply/,
    HANGS,
  ],
  [
    'gives hints without end',
    raw('', (socket) => endless(socket, `HTTP/1.1 103 Early Hints\r\nlink: </${'x'.repeat(8_000)}>\r\n\r\n`)),
    2,
    /no reply/,
    HANGS,
  ],
  [
    'sends trailers without end',
    raw(`${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`, (socket) =>
      endless(socket, 'x: y\r\n'.repeat(1_000)),
    ),
    2,
    /no reply/,
    HANGS,
  ],
  [
    'sends the extension of a chunk without end',
    raw(`${head}transfer-encoding: chunked\r\n\r\n2;`, (socket) => endless(socket, 'x'.repeat(65_536))),
    2,
    /no reply/,
    HANGS,
  ],
  [
    'has headers that every object has',
    raw(
      `${head}__proto__: x\r\n__proto__: y\r\nconstructor: x\r\nconstructor: y\r\ntostring: z\r\ncontent-length: 2\r\n\r\n{}`,
    ),
    1,
    /FAIL/,
  ],
  ['switches to another protocol', raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n', stay), 2, /no reply/],
  // Replies that lead elsewhere.
  [
    'redirects to itself',
    http((response, { url }) => response.writeHead(302, { location: url ?? '' }).end()),
    2,
    /Redirects are not followed/,
  ],
  [
    'redirects to a file',
    always(307, '{}', { ...JSON_TYPE, location: 'file:///etc/passwd' }),
    2,
    /Redirects are not followed/,
  ],
  // Bodies that are no JSON, or too much of it.
  ['answers HTML', always(200, '<h1>It works!</h1>', { 'content-type': 'text/html' }), 2, /no route answers with JSON/],
  ['answers with 10 MB', always(200, JSON.stringify({ ok: 'x'.repeat(10_000_000) })), 2, /longer than 1048576 bytes/],
  ['nests objects 160,000 deep', always(200, deep('{"a":', '}')), 2, /no route answers with JSON/],
  ['nests lists 160,000 deep', always(200, deep('[', ']')), 2, /no route answers with JSON/],
  [
    'has 20,000 fields',
    always(200, JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, n])))),
    1,
    /FAIL/,
  ],
  ['answers in UTF-16', always(200, Buffer.from('\ufeff{"ok":true}', 'utf16le')), 2, /no route answers with JSON/],
  [
    'answers with bytes that are no text',
    always(200, Buffer.concat([Buffer.from('{"error":"'), Buffer.alloc(1_000, 0xff), Buffer.from('"}')])),
    1,
    /FAIL/,
  ],
  ['answers with half of a character', always(400, '{"error":"\\ud800","code":"\\udfff"}'), 1, /FAIL/],
  [
    'answers with numbers that do not survive parsing',
    always(200, '{"hash":1e999,"depth":-0,"a":123456789012345678901234567890}'),
    1,
    /FAIL/,
  ],
  [
    'has fields that every object has',
    always(
      200,
      `{"__proto__":{"ok":true},"constructor":{"prototype":{"ok":true}},"toString":1,"hasOwnProperty":2,${each(null).slice(1)}`,
    ),
    1,
    /FAIL/,
  ],
  ['answers with two documents', always(200, '{"ok":true}\n{"ok":true}'), 2, /no route answers with JSON/],
  ['has objects in place of texts', always(200, each({ toString: 1, valueOf: 2, length: -1, toJSON: 3 })), 1, /FAIL/],
  ['has lists in place of texts', always(200, each([[[]], 0])), 1, /FAIL/],
  ['has 30 KB in each field', always(200, each('y'.repeat(30_000))), 1, /FAIL/],
  [
    'writes to the terminal, the page and the log of CI',
    always(400, each(NASTY), { ...JSON_TYPE, 'x-note': 'a\tb' }),
    1,
    /FAIL/,
  ],
  // Codings.
  [
    'names gzip 2,500 times',
    always(200, gzipSync('{}'), { ...JSON_TYPE, 'content-encoding': Array(2_500).fill('gzip').join(',') }),
    2,
    /names 2500 content codings/,
  ],
  ['sends a bomb of gzip', always(200, bomb(gzipSync), { ...JSON_TYPE, 'content-encoding': 'gzip' }), 2, /longer than/],
  [
    'sends a bomb of brotli',
    always(
      200,
      bomb((zeros) => brotliCompressSync(zeros.subarray(0, 8_000_000))),
      { ...JSON_TYPE, 'content-encoding': 'br' },
    ),
    2,
    /longer than/,
  ],
  [
    'sends a bomb in a bomb',
    always(200, gzipSync(bomb(deflateSync)), { ...JSON_TYPE, 'content-encoding': 'deflate, gzip' }),
    2,
    /longer than/,
  ],
  [
    'sends half of a gzip',
    always(200, gzipSync('{"ok":true}').subarray(0, 15), { ...JSON_TYPE, 'content-encoding': 'gzip' }),
    2,
    /no reply/,
  ],
  [
    'names a coding that every object has',
    always(200, '{"ok":true}', { ...JSON_TYPE, 'content-encoding': 'constructor, toString' }),
    1,
    /FAIL/,
  ],
  [
    'names a coding that nobody knows',
    always(200, 'xyz', { ...JSON_TYPE, 'content-encoding': 'aes128gcm' }),
    2,
    /no route answers with JSON/,
  ],
  // Control APIs.
  // The clock alone convicts nobody: the endpoints of these answer as it does.
  [
    'tells a time that has no date',
    always(200, '{"calls":["clock/advance"],"now_ms":1e300,"anchor_index":0}'),
    1,
    /clock\/advance without now_ms/,
    CONTROL,
  ],
  [
    'tells the last time that there is',
    always(200, '{"calls":["clock/advance"],"now_ms":8640000000000000,"anchor_index":0}'),
    1,
    /clock\/advance without now_ms/,
    CONTROL,
  ],
  [
    'tells no time',
    always(200, '{"calls":["clock/advance"],"now_ms":{"valueOf":1}}'),
    1,
    /clock\/advance without now_ms/,
    CONTROL,
  ],
  ['has invalid calls', always(200, '{"calls":[{"toString":1},null,["x"]]}'), 1, /FAIL/, CONTROL],
  // Rules of its own.
  ['answers 200 {} to everything', always(200, '{}'), 1, /FAIL/],
  ['answers 500 to everything', always(500, '{"error":"no","code":"OOPS"}'), 1, /FAIL/],
  [
    'is always too busy',
    always(429, '{"error":"x","code":"RATE_LIMITED"}', { ...JSON_TYPE, 'retry-after': '0' }),
    2,
    /stays rate limited/,
  ],
  [
    'asks to come back in years',
    always(429, '{"error":"x","code":"RATE_LIMITED"}', { ...JSON_TYPE, 'retry-after': '1e12' }),
    2,
    /rate limited/,
  ],
  [
    'asks to come back before now',
    always(429, '{"error":"x","code":"RATE_LIMITED"}', { ...JSON_TYPE, 'retry-after': '-1' }),
    2,
    /rate limited/,
  ],
  [
    'answers each request otherwise',
    () => {
      let turn = 0;
      return createServer((_, response) => {
        turn = mixed(turn + 1);
        const status = [200, 201, 400, 401, 404, 409, 500, 503][turn % 8] ?? 200;
        const body = ['{}', each('x'), each(null), '[]', '"x"', each({ a: [] }), '{"error":"x"}'][turn % 7];
        response.writeHead(status, JSON_TYPE).end(body);
      });
    },
    1,
    /FAIL/,
  ],
];

const CHECKS = ['register/root', 'register/name-missing', 'status/malformed', 'beat-anchor/*', 'verify-batch/empty'];

/** Judges a server by some checks, and reads what is written. */
async function judged(base: string, more = '') {
  const folder = mkdtempSync(join(tmpdir(), 'aips-hostile-'));
  writeFileSync(
    join(folder, 'target.yaml'),
    `base_url: ${base}\nbudget: { requests: ${REQUESTS_MAX} }\n${more.replace('BASE', base)}`,
  );
  const { status, stdout, stderr } = await aips(
    folder,
    'conform',
    '--target',
    'target.yaml',
    '--only',
    ...CHECKS,
    '--out',
    'out',
  );
  const files = readdirSync(join(folder, 'out')).map((name) => {
    const bytes = readFileSync(join(folder, 'out', name));
    return [name, name.endsWith('.gz') ? gunzipSync(bytes) : bytes] as const;
  });
  return { status, told: stdout + stderr, files: new Map(files) };
}

describe('a server that', () => {
  it('there are many kinds of', () => {
    expect(new Set(hostile.map(([what]) => what)).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThanOrEqual(50);
  });

  const rows = hostile.map(([what, kind, wanted, says, more = '']) => [what, kind, wanted, says, more] as const);

  it.each(rows)('%s', async (_what, kind, wanted, says, more) => {
    const { status, told, files } = await judged(await listening(kind()), more);
    expect(told).toMatch(says);
    expect(told).not.toMatch(/\n\s+at .*\(.*:\d+:\d+\)/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal acts on them
    expect(told).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e]/);
    // A run with failures has a baseline of them, too.
    expect([...files.keys()].filter((name) => name !== 'baseline.yaml').sort()).toEqual([
      'annotations.txt',
      'badge.svg',
      'conformance.html',
      'conformance.json',
      'conformance.sarif',
      'ctrf.json',
      'junit.xml',
      'summary.md',
      'transcripts.ndjson.gz',
    ]);
    const result = JSON.parse(files.get('conformance.json')?.toString('utf8') ?? '') as ConformanceResult;
    expect(result.requests).toBeLessThanOrEqual(REQUESTS_MAX);
    expect(result.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    for (const bytes of files.values()) expect(bytes.length).toBeLessThan(REPORT_BYTES_MAX);
    expect(sentBytes + [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)).toBeLessThan(
      SENT_BYTES_MAX,
    );
    expect(status).toBe(wanted);
  });

  it('redirects to another host is not followed', async () => {
    let asked = 0;
    const other = await listening(
      createServer((_, response) => {
        asked += 1;
        response.end('{}');
      }),
    );
    const { status } = await judged(
      await listening(always(307, '{}', { ...JSON_TYPE, location: `${other}/api/v1/register` })()),
    );
    expect([status, asked]).toEqual([2, 0]);
  });
});
