import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { aips } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';

const servers: (Server | TcpServer)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
});

async function listening(server: Server | TcpServer): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (status: number, type: string, body: string): Server =>
  createServer(((_request, response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  }) satisfies RequestListener);

/** Servers that nobody should have to judge, and how a run against each ends. */
const hostile: readonly (readonly [what: string, server: () => Server | TcpServer, status: number, says: RegExp])[] = [
  ['answers 200 {} to everything', () => answering(200, 'application/json', '{}'), 1, /FAIL/],
  ['answers 500 to everything', () => answering(500, 'application/json', '{"error":"no","code":"OOPS"}'), 1, /FAIL/],
  ['closes every socket', () => createTcp((socket) => socket.destroy()), 2, /no reply from the target/],
  ['answers nothing', () => createTcp(() => undefined), 2, /no reply from the target/],
  ['answers HTML', () => answering(200, 'text/html', '<h1>It works!</h1>'), 2, /no route answers with JSON/],
  [
    'answers 10 MB of JSON',
    () => answering(200, 'application/json', JSON.stringify({ ok: 'x'.repeat(10_000_000) })),
    2,
    /longer than 1048576 bytes/,
  ],
  [
    'answers with JSON that nests 160,000 deep',
    () => answering(200, 'application/json', `${'{"a":'.repeat(160_000)}1${'}'.repeat(160_000)}`),
    2,
    /no route answers with JSON/,
  ],
  [
    'names gzip 2,500 times',
    () =>
      createServer((_request, response) => {
        const codings = Array.from({ length: 2_500 }, () => 'gzip').join(',');
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': codings });
        response.end(gzipSync('{}'));
      }),
    2,
    /names 2500 content codings/,
  ],
  ['speaks no HTTP', () => createTcp((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')), 2, /no reply from the target/],
];

describe('a server that', () => {
  it.each(hostile)('%s', async (_what, server, wanted, says) => {
    const { status, stdout, stderr } = await aips(root, 'conform', await listening(server()));
    expect(stdout + stderr).toMatch(says);
    expect(stdout + stderr).not.toMatch(/\n\s+at .*\(.*:\d+:\d+\)/);
    expect(stderr).not.toContain('Error:');
    expect(status).toBe(wanted);
  });
});

it('a server that sends secrets back finds them in no report and on no console, however it writes them', async () => {
  const secret = 'tok/en+SECRET-0123456789';
  const folder = mkdtempSync(join(tmpdir(), 'aips-echo-'));
  const echo = createServer((request, response) => {
    const word = request.headers.authorization ?? '';
    const bare = word.replace('Bearer ', '');
    const forms = [
      word,
      encodeURIComponent(bare),
      Buffer.from(bare).toString('base64'),
      Buffer.from(bare).toString('hex'),
    ];
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: `refused: ${forms.join(' ')}`, code: 'AUTH_MISSING' }).replaceAll('/', '\\/'));
  });
  const url = await listening(echo);
  const target = `base_url: ${url}\nadmin_key: ${secret}-admin\ncontrol: { url: ${url}, token: ${secret} }\npayments: { kind: control }\n`;
  writeFileSync(join(folder, 'target.yaml'), target);
  const formats = ['--format', 'json,html,junit,markdown', '--report', 'out'];
  const { stdout, stderr } = await aips(folder, 'conform', '--target', 'target.yaml', ...formats);
  const files = readdirSync(join(folder, 'out')).map((name) => readFileSync(join(folder, 'out', name), 'utf8'));
  expect(files.length).toBeGreaterThanOrEqual(4);
  const told = [stdout, stderr, ...files].join('\n');
  expect(told).toContain('[CONTROL_TOKEN]');
  for (const form of [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ]) {
    expect(told).not.toContain(form);
  }
  expect(told).not.toContain('SECRET-0123456789');
});
