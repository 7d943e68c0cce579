import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment, type RawReply, sendRaw } from '../../../test/fixtures/http.js';
import { unfinishedBodies } from './body.js';

let deployment: Deployment;

beforeAll(async () => {
  deployment = await Deployment.start({ overlay: { limits: { register: { count: 1_000 } } } });
});
afterAll(() => deployment.close());

interface RawBody {
  readonly bytes: Uint8Array;
  readonly headers?: readonly string[];
  readonly path?: string;
  readonly app?: 'registry' | 'beats';
}

/** Posts bytes unchanged, by default as JSON to POST /register. */
function post({ bytes, headers = ['Content-Type: application/json'], path = '/register', app = 'registry' }: RawBody) {
  const head = [`POST /api/v1${path} HTTP/1.1`, 'Host: x', 'Connection: close', `Content-Length: ${bytes.length}`];
  const preamble = `${[...head, ...headers].join('\r\n')}\r\n\r\n`;
  return sendRaw(deployment.port(app), Buffer.concat([Buffer.from(preamble), bytes]));
}

const text = (body: string, headers?: readonly string[]): Promise<RawReply> =>
  post({ bytes: Buffer.from(body), ...(headers === undefined ? {} : { headers }) });
const outcomeOf = ({ status, text: body }: RawReply): string =>
  status === 200 ? '200' : `${status} ${(JSON.parse(body) as { code: string }).code}`;
const registration = (metadata: string): string => `{"name":"x","metadata":${metadata}}`;

describe('what a body may be (D-33, D-40)', () => {
  it.each([
    ['an object', '{"name":"x"}', '200'],
    ['an object with space around it', ' \r\n\t{"name":"x"}\n', '200'],
    ['unknown fields', '{"name":"x","unknown":{"deep":[1]}}', '200'],
    ['nothing, which is {}', '', '400 VALIDATION'],
    ['space alone', ' \n', '400 INVALID_JSON'],
    ['a no-break space', '\u00a0', '400 INVALID_JSON'],
    ['a list', '[]', '400 INVALID_JSON'],
    ['a string', '"x"', '400 INVALID_JSON'],
    ['a number', '1', '400 INVALID_JSON'],
    ['null', 'null', '400 INVALID_JSON'],
    ['half an object', '{"name":"x"', '400 INVALID_JSON'],
    ['two objects', '{"name":"x"}{}', '400 INVALID_JSON'],
    ['single quotes', "{'name':'x'}", '400 INVALID_JSON'],
    ['a comma too many', '{"name":"x",}', '400 INVALID_JSON'],
    ['a comment', '{"name":"x"}//', '400 INVALID_JSON'],
    ['NaN', '{"name":NaN}', '400 INVALID_JSON'],
    ['a byte order mark', '\ufeff{"name":"x"}', '400 INVALID_JSON'],
    ['a byte order mark alone', '\ufeff', '400 INVALID_JSON'],
    ['a NUL byte', '{"name":"x"}\0', '400 INVALID_JSON'],
    ['a raw NUL in a string', '{"name":"a\0b"}', '400 INVALID_JSON'],
    ['form data', 'name=x', '400 INVALID_JSON'],
  ])('%s', async (_what, body, outcome) => {
    expect(outcomeOf(await text(body))).toBe(outcome);
  });

  it.each([
    ['a byte that starts no character', [0xff]],
    ['half a character', [0xc3]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate as bytes', [0xed, 0xa0, 0x80]],
  ])('%s is not UTF-8, and not silently another text', async (_what, bad) => {
    const bytes = Buffer.concat([Buffer.from('{"name":"x'), Uint8Array.from(bad), Buffer.from('"}')]);
    expect(outcomeOf(await post({ bytes }))).toBe('400 INVALID_JSON');
  });

  it('an empty body is {} where {} is enough', async () => {
    expect((await post({ bytes: new Uint8Array(0), path: '/register/token' })).status).toBe(200);
  });
});

describe('the content type (D-33)', () => {
  it.each([
    ['application/json', '200'],
    ['application/json; charset=utf-8', '200'],
    ['Application/JSON', '200'],
    [' application/json ;x=y', '200'],
    ['text/plain', '415 CONTENT_TYPE_REQUIRED'],
    ['application/jsonp', '415 CONTENT_TYPE_REQUIRED'],
    ['application/vnd.api+json', '415 CONTENT_TYPE_REQUIRED'],
    ['application/x-www-form-urlencoded', '415 CONTENT_TYPE_REQUIRED'],
    ['text/plain, application/json', '415 CONTENT_TYPE_REQUIRED'],
    ['', '415 CONTENT_TYPE_REQUIRED'],
  ])('%j: %s', async (type, outcome) => {
    expect(outcomeOf(await text('{"name":"x"}', [`Content-Type: ${type}`]))).toBe(outcome);
  });

  it('absent is refused, with and without a body', async () => {
    expect(outcomeOf(await text('{"name":"x"}', []))).toBe('415 CONTENT_TYPE_REQUIRED');
    expect(outcomeOf(await post({ bytes: new Uint8Array(0), headers: [], path: '/register/token' }))).toBe(
      '415 CONTENT_TYPE_REQUIRED',
    );
  });
});

describe('numbers (D-47)', () => {
  it.each([
    ['9007199254740991', 2 ** 53 - 1],
    ['9007199254740993', 2 ** 53],
    ['-12345678901234567890', -12345678901234567000],
    ['0.12345678901234567890', 0.12345678901234568],
    ['1e308', 1e308],
  ])('in metadata are doubles: %s comes back as %d', async (sent, number) => {
    const reply = await text(registration(`{"n":${sent}}`));
    expect((JSON.parse(reply.text) as { metadata: unknown }).metadata).toEqual({ n: number });
  });
});

describe('bodies that have not come to their end', () => {
  it('are held up to a bound: then the connection whose body began first is closed', async () => {
    const BYTES = 262_143;
    const count = Math.ceil(unfinishedBodies.max / BYTES) + 1;
    const head = `POST /api/v1/beat/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BYTES + 1}\r\n\r\n`;
    const sockets: Socket[] = [];
    let closed = 0;
    for (let i = 0; i < count; i++) {
      const socket = connect(deployment.port('beats'), '127.0.0.1').on('error', () => undefined);
      socket.on('close', () => (closed += 1));
      sockets.push(socket);
      socket.write(head + ' '.repeat(BYTES));
    }
    while (closed === 0) await new Promise((soon) => setImmediate(soon));
    expect(unfinishedBodies.total).toBeLessThanOrEqual(67_108_864);
    const last = sockets.findLast((socket) => !socket.closed);
    last?.write(' ');
    const [reply] = (await once(last as Socket, 'data')) as [Buffer];
    expect(String(reply)).toContain('400 Bad Request');
    for (const socket of sockets) socket.destroy();
    while (unfinishedBodies.total > 0) await new Promise((soon) => setImmediate(soon));
  });

  it('are whole when they come byte by byte', async () => {
    const body = `{"name":"${'x'.repeat(60)}","other":"${'y'.repeat(3_000)}"}`;
    const socket = connect(deployment.port('registry'), '127.0.0.1').setNoDelay();
    socket.write(
      `POST /api/v1/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    for (const byte of body) await new Promise<void>((sent) => socket.write(byte, () => sent()));
    const [reply] = (await once(socket, 'data')) as [Buffer];
    expect(String(reply)).toContain('200 OK');
    socket.destroy();
  });
});

describe('size (D-33)', () => {
  const padded = (bytes: number): Buffer => Buffer.from(`{"name":"x"${' '.repeat(bytes - 12)}}`);

  it.each([
    [65_535, '200'],
    [65_536, '200'],
    [65_537, '413 BODY_TOO_LARGE'],
    [5_000_000, '413 BODY_TOO_LARGE'],
  ])('%i bytes: %s', async (bytes, outcome) => {
    expect(padded(bytes)).toHaveLength(bytes);
    expect(outcomeOf(await post({ bytes: padded(bytes) }))).toBe(outcome);
  });

  it.each([
    [262_144, '400 VALIDATION'],
    [262_145, '413 BODY_TOO_LARGE'],
  ])('%i bytes to work-proof: %s', async (bytes, outcome) => {
    expect(outcomeOf(await post({ bytes: padded(bytes), path: '/beat/work-proof', app: 'beats' }))).toBe(outcome);
  });

  it('is counted after decompression, so that a small bomb is large', async () => {
    const headers = ['Content-Type: application/json', 'Content-Encoding: gzip'];
    expect(outcomeOf(await post({ bytes: gzipSync(padded(65_536)), headers }))).toBe('200');
    expect(outcomeOf(await post({ bytes: gzipSync(padded(65_537)), headers }))).toBe('413 BODY_TOO_LARGE');
    expect(outcomeOf(await post({ bytes: gzipSync(padded(50_000_000)), headers }))).toBe('413 BODY_TOO_LARGE');
  });

  it('a body shorter than it says is refused when the client gives up', async () => {
    const head =
      'POST /api/v1/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
    const hanging = sendRaw(deployment.port(), head, 300);
    await expect(hanging).rejects.toThrow(/no answer/);
    expect((await deployment.get('/beat/anchor')).status).toBe(200);
  });
});

describe('encodings', () => {
  const body = Buffer.from('{"name":"x"}');

  it.each([
    ['gzip', 'gzip', gzipSync(body), '200'],
    ['deflate', 'deflate', deflateSync(body), '200'],
    ['br', 'br', brotliCompressSync(body), '200'],
    ['identity', 'identity', body, '200'],
    ['invalid gzip', 'gzip', body, '400 INVALID_JSON'],
    ['gzip that is cut off', 'gzip', gzipSync(body).subarray(0, 15), '400 INVALID_JSON'],
    ['one that nobody knows', 'compress', body, '415 CONTENT_TYPE_REQUIRED'],
    ['two of them', 'gzip, gzip', gzipSync(gzipSync(body)), '415 CONTENT_TYPE_REQUIRED'],
  ])('%s', async (_what, encoding, bytes, outcome) => {
    const headers = ['Content-Type: application/json', `Content-Encoding: ${encoding}`];
    expect(outcomeOf(await post({ bytes, headers }))).toBe(outcome);
  });

  it('a chunked body is read whole', async () => {
    const head = 'POST /api/v1/register HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
    const chunks = 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n7\r\ne":"x"}\r\n0\r\n\r\n';
    expect((await sendRaw(deployment.port(), head + chunks)).status).toBe(200);
  });
});

describe('metadata is free-form: what is sent comes back (2.2, D-45)', () => {
  const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  it.each([
    ['nothing', '{}'],
    ['every kind of value', '{"a":null,"b":[],"c":{},"d":true,"e":-0.5,"f":""}'],
    ['names that objects have', '{"constructor":{"prototype":{"polluted":1}},"prototype":1,"toString":"x"}'],
    ['__proto__ within', '{"a":{"__proto__":{"polluted":1}},"b":[{"__proto__":1}]}'],
    ['empty names', '{"":{"":""}}'],
    ['large and small numbers', '{"a":1e308,"b":5e-324,"c":9007199254740991,"d":-9007199254740991,"e":0.1}'],
    ['control characters', '{"a":"\\u0000\\u0001\\u007f\\u2028\\ufeff\\uffff"}'],
    ['lone surrogates', '{"lone":"\\ud800","\\udfff":"reversed \\udc00\\ud800"}'],
    ['characters beyond the first plane', '{"pair":"\\ud83d\\ude00","raw":"😀","combined":"e\u0301"}'],
    ['numbers as names', '{"1":"a","0":"b","-1":"c"}'],
    ['the deepest nesting that fits', nested(2_044)],
  ])('%s', async (_what, metadata) => {
    const made = await text(registration(metadata));
    expect(made.status).toBe(200);
    const { hash, metadata: returned } = JSON.parse(made.text) as { hash: string; metadata: unknown };
    const sent = JSON.stringify(JSON.parse(metadata));
    expect(JSON.stringify(returned)).toBe(sent);
    const status = await deployment.get(`/status/${hash}`);
    expect(JSON.stringify(status.body.metadata)).toBe(sent);
    const verified = await deployment.get(`/verify/${hash}`);
    expect(JSON.stringify(verified.body.agent.metadata)).toBe(sent);
  });

  it('also a __proto__ of its own', async () => {
    const made = await text(registration('{"__proto__":{"polluted":1}}'));
    expect(made.text).toContain('"metadata":{"__proto__":{"polluted":1}}');
  });

  it('pollutes no prototype', async () => {
    await text(registration('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
    await text('{"__proto__":{"polluted":1},"name":"x"}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each([
    // JSON cannot write these two.
    ['a number over the range', '{"a":1e999}', '400 INVALID_JSON'],
    ['a number under the range, deep', '{"a":[{"b":-1e999}]}', '400 INVALID_JSON'],
    ['nesting over the limit', nested(2_200), '400 INVALID_JSON'],
    ['nesting as deep as a body allows', nested(30_000), '400 INVALID_JSON'],
  ])('but %s is refused', async (_what, metadata, outcome) => {
    expect(outcomeOf(await text(registration(metadata)))).toBe(outcome);
  });

  it('leaves the fingerprint countable', async () => {
    const { body } = await deployment.control('GET', '/fingerprint');
    expect(body.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a body that is too large is refused before it has come', () => {
  /** Sends the bytes, and nothing more, and reads what is answered until the server closes. */
  function left(head: readonly string[], bytes: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(deployment.port(), '127.0.0.1');
      let reply = '';
      socket.on('data', (chunk) => {
        reply += chunk.toString();
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(reply));
      const lines = ['POST /api/v1/register HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...head];
      socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]));
    });
  }
  const begun = Buffer.from('{"name":"x"');
  const chunk = Buffer.concat([Buffer.from('10001\r\n'), Buffer.alloc(65_537, 0x20), Buffer.from('\r\n')]);

  // Each waits for the server to close what is left.
  it.concurrent.each([
    ['is announced', ['Content-Length: 65537'], begun],
    ['is announced by who will close', ['Content-Length: 65537', 'Connection: close'], begun],
    ['is announced as without end', ['Content-Length: 9007199254740991'], begun],
    ['comes in chunks', ['Transfer-Encoding: chunked'], chunk],
  ])('[error.body-too-large] when it %s, and the connection is closed', async (_how, head, bytes) => {
    const reply = await left(head, bytes);
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toContain('"code":"BODY_TOO_LARGE"');
  });

  it('and a connection whose body is complete goes on', async () => {
    const [large, good] = [Buffer.alloc(65_537, 0x20), Buffer.from('{"name":"x"}')];
    const head = (length: number, ...more: string[]): Buffer => {
      const fields = ['Host: x', 'Content-Type: application/json', `Content-Length: ${length}`, ...more];
      return Buffer.from(`POST /api/v1/register HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
    };
    const sent = Buffer.concat([head(65_537), large, head(good.length, 'Connection: close'), good]);
    const { text: replies } = await sendRaw(deployment.port(), sent);
    expect(replies).toContain('"ok":true');
  });
});
