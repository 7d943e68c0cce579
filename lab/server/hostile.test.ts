import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { action, nothing } from './action.js';
import { Credentials } from './credentials.js';
import { type RunningLab, startLabServer } from './lab-server.js';
import { EventStream } from './stream.js';

let lab: RunningLab;
let ran = 0;
let drawn = 0;
const credentials = new Credentials(() => {
  drawn += 1;
  return `secret-${drawn}-${'x'.repeat(32)}`;
});
const stream = new EventStream('run');
const errors: unknown[] = [];
const usedCode = credentials.newCode();

beforeAll(async () => {
  credentials.exchange(usedCode);
  lab = await startLabServer(
    {
      credentials,
      stream,
      assets: new Map([['/', { type: 'text/html; charset=utf-8', bytes: Buffer.from('<!doctype html>') }]]),
      actions: [
        action('act', 'Counts.', nothing, () => {
          ran += 1;
          return { ran };
        }),
      ],
      onError: (error) => errors.push(error),
    },
    0,
  );
});
afterAll(() => lab.close());

/** Sends bytes as they are, and returns the status and all that came back; status 0: the connection was closed without an answer. */
function sendRaw(text: string): Promise<{ readonly status: number; readonly reply: string }> {
  return new Promise((resolve) => {
    const socket = connect(lab.port, '127.0.0.1');
    let reply = '';
    socket.on('data', (chunk) => {
      reply += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1] ?? 0), reply }));
    socket.write(text);
  });
}

type Headers = Readonly<Record<string, string | undefined>>;

/** A request of our own page, changed by what is given. `undefined` takes a header away. */
function request(line: string, headers: Headers = {}, body = '{}'): string {
  const all: Headers = {
    host: `127.0.0.1:${lab.port}`,
    authorization: `Bearer ${credentials.token}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

const ACT = 'POST /api/act';
const bare: Headers = { 'content-type': undefined, 'content-length': undefined };

/** Each with the least status that it may end with; 0: closed. None may run the action or see the token. */
const hostile: readonly (readonly [name: string, text: () => string])[] = [
  // Another name for this machine: DNS rebinding.
  ['Host of a foreign name', () => request(ACT, { host: 'evil.example' })],
  ['Host of a foreign name with our port', () => request(ACT, { host: `evil.example:${lab.port}` })],
  ['Host localhost', () => request(ACT, { host: `localhost:${lab.port}` })],
  ['Host 127.0.0.1 of another port', () => request(ACT, { host: '127.0.0.1:1' })],
  ['Host without port', () => request(ACT, { host: '127.0.0.1' })],
  ['Host that begins as ours', () => request(ACT, { host: `127.0.0.1:${lab.port}.evil.example` })],
  ['Host with user', () => request(ACT, { host: `a@127.0.0.1:${lab.port}` })],
  ['Host 0.0.0.0', () => request(ACT, { host: `0.0.0.0:${lab.port}` })],
  ['Host [::1]', () => request(ACT, { host: `[::1]:${lab.port}` })],
  ['Host as a decimal address', () => request(ACT, { host: `2130706433:${lab.port}` })],
  ['no Host', () => request(ACT, { host: undefined })],
  ['empty Host', () => request(ACT, { host: '' })],
  ['two Hosts', () => request(ACT, {}).replace('\r\n', `\r\nHost: 127.0.0.1:${lab.port}\r\n`)],
  ['the page by a foreign name', () => request('GET /', { ...bare, host: 'evil.example' }, '')],
  // Another site in the same browser.
  ['Origin of another site', () => request(ACT, { origin: 'https://evil.example' })],
  ['Origin null', () => request(ACT, { origin: 'null' })],
  ['Origin of another port', () => request(ACT, { origin: 'http://127.0.0.1:1' })],
  ['Origin localhost', () => request(ACT, { origin: `http://localhost:${lab.port}` })],
  ['Origin with https', () => request(ACT, { origin: `https://127.0.0.1:${lab.port}` })],
  ['Origin that begins as ours', () => request(ACT, { origin: `http://127.0.0.1:${lab.port}.evil.example` })],
  ['empty Origin', () => request(ACT, { origin: '' })],
  ['Sec-Fetch-Site cross-site', () => request(ACT, { 'sec-fetch-site': 'cross-site' })],
  ['Sec-Fetch-Site same-site', () => request(ACT, { 'sec-fetch-site': 'same-site' })],
  ['the page in a frame of another site', () => request('GET /', { ...bare, 'sec-fetch-site': 'cross-site' }, '')],
  ['a form without preflight', () => request(ACT, { 'content-type': 'application/x-www-form-urlencoded' })],
  ['text/plain', () => request(ACT, { 'content-type': 'text/plain' })],
  ['JSON with parameters', () => request(ACT, { 'content-type': 'application/json; charset=utf-7' })],
  ['no Content-Type', () => request(ACT, { 'content-type': undefined })],
  ['a preflight', () => request('OPTIONS /api/act', { ...bare, origin: 'https://evil.example' }, '')],
  // Credentials.
  ['no token', () => request(ACT, { authorization: undefined })],
  ['another token', () => request(ACT, { authorization: `Bearer ${'y'.repeat(40)}` })],
  ['the token without Bearer', () => request(ACT, { authorization: credentials.token })],
  ['the token and more', () => request(ACT, { authorization: `Bearer ${credentials.token}x` })],
  ['two tokens', () => request(ACT, {}).replace('\r\n', '\r\nAuthorization: Bearer a\r\n')],
  ['Basic', () => request(ACT, { authorization: `Basic ${btoa(`:${credentials.token}`)}` })],
  ['the token in a cookie', () => request(ACT, { authorization: undefined, cookie: `token=${credentials.token}` })],
  ['the token in a query', () => request(`${ACT}?token=${credentials.token}`, { authorization: undefined })],
  ['a code as token', () => request(ACT, { authorization: `Bearer ${usedCode}` })],
  ['a used code', () => request('POST /api/session', { authorization: undefined }, JSON.stringify({ code: usedCode }))],
  [
    'a used code with an action',
    () => request('POST /api/session', { authorization: undefined }, JSON.stringify({ code: usedCode, first: 'act' })),
  ],
  ['a code that is a list', () => request('POST /api/session', { authorization: undefined }, '{"code":[""]}')],
  ['the stream without token', () => request('POST /api/stream', { authorization: undefined })],
  ['a new code without token', () => request('POST /api/code', { authorization: undefined })],
  // Paths and methods.
  ['a path above', () => request('GET /../../etc/passwd', bare, '')],
  ['an escaped path above', () => request('GET /%2e%2e/%2e%2e/etc/passwd', bare, '')],
  ['a path with a backslash', () => request('GET /..\\..\\etc\\passwd', bare, '')],
  ['a file URL', () => request('GET /@fs/etc/passwd', bare, '')],
  ['a query', () => request('GET /?raw', bare, '')],
  ['an absolute URL', () => request('GET http://evil.example/', bare, '')],
  ['two slashes', () => request('GET //evil.example/', bare, '')],
  ['an action by GET', () => request('GET /api/act', bare, '')],
  ['an action of the prototype', () => request('POST /api/__proto__')],
  ['TRACE', () => request('TRACE /', bare, '')],
  ['PUT', () => request('PUT /api/act')],
  ['CONNECT', () => request('CONNECT evil.example:443', bare, '')],
  ['an upgrade', () => request('GET /', { ...bare, connection: 'upgrade', upgrade: 'websocket' }, '')],
  // Bodies.
  ['no JSON', () => request(ACT, {}, '{')],
  ['a list', () => request(ACT, {}, '[]')],
  ['null', () => request(ACT, {}, 'null')],
  ['an unknown field', () => request(ACT, {}, '{"path":"/etc/passwd"}')],
  ['a body of the prototype', () => request(ACT, {}, '{"__proto__":{"a":1},"constructor":{}}')],
  ['a body that is too long', () => request(ACT, {}, `{"a":"${'x'.repeat(1 << 20)}"}`)],
  ['GET with a body', () => request('GET /', {}, '{}')],
  ['two lengths', () => request(ACT, {}).replace('\r\n', '\r\nContent-Length: 3\r\n')],
  ['length and chunks', () => request(ACT, { 'transfer-encoding': 'chunked' })],
  ['headers without end', () => request(ACT, { 'x-long': 'x'.repeat(10_000) })],
];

describe('hostile requests', () => {
  it('are at least forty, under different names', () => {
    expect(new Set(hostile.map(([name]) => name)).size).toBeGreaterThanOrEqual(40);
  });

  it.each(hostile)('%s', async (_name, text) => {
    const before = ran;
    const { status, reply } = await sendRaw(text());
    expect(status === 0 || status >= 400).toBe(true);
    expect(reply).not.toContain(credentials.token);
    expect(reply.toLowerCase()).not.toContain('access-control-allow');
    expect(ran).toBe(before);
    expect(errors).toEqual([]);
  });

  it('are refused, and our own are not: the page, a code for the token once, an action', async () => {
    const page = await sendRaw(request('GET /', { ...bare, 'sec-fetch-site': 'none' }, ''));
    expect(page.status).toBe(200);
    expect(page.reply).toContain("default-src 'none'");
    expect(page.reply).toContain("require-trusted-types-for 'script'");
    expect(page.reply.toLowerCase()).not.toContain('set-cookie');
    const code = new URL(lab.newUrl()).hash.slice('#code='.length);
    const exchange = () =>
      sendRaw(request('POST /api/session', { authorization: undefined }, JSON.stringify({ code, first: 'act' })));
    const { reply } = await exchange();
    expect(reply).toContain(credentials.token);
    expect(reply).toContain('"answer":{"ran":1}');
    expect((await exchange()).status).toBe(401);
    const own = await sendRaw(
      request(ACT, { origin: `http://127.0.0.1:${lab.port}`, 'sec-fetch-site': 'same-origin' }),
    );
    expect(own.status).toBe(200);
    expect(ran).toBe(2);
  });
});
