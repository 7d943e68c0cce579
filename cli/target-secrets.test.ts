// Commands other than a run of the suite, against a hostile target: one that sends back secrets, or what nobody can use.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { aips } from '../test/fixtures/aips.js';
import { leaksIn } from '../test/fixtures/leaks.js';
import { ONE_HOUR } from '../test/fixtures/one-hour.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-target-secrets-'));
const secrets = { control: 'Qx7vZk2W-MARKED', admin: 'pva_MARKEDadmin0Xy17', partner: 'pvt_MARKEDpartner0Wv26' };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server, and the target file for it. */
async function serve(listener: RequestListener, token = secrets.control): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines = [`base_url: ${url}`, `beats_url: ${url}`, 'client_ip: x-forwarded-for'];
  const keys = [`admin_key: ${secrets.admin}`, `partner_key: ${secrets.partner}`];
  const control = `control: { url: ${url}, token: ${token} }\n`;
  writeFileSync(join(folder, 'target.yaml'), [...lines, ...keys, control].join('\n'));
}

writeFileSync(join(folder, 'one.yaml'), ONE_HOUR);

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['conform fuzz', ['conform', 'fuzz', '--target', 'target.yaml', '--runs', '1', '--out', 'out']],
  ['simulate against', ['simulate', 'against', 'one.yaml', 'target.yaml']],
];

describe.each(commands)('aips %s', (_name, args) => {
  it('shows no secret of the target file that a refusal holds', async () => {
    await serve((request, response) => {
      const sent = request.headers.authorization ?? '';
      const body = JSON.stringify({ error: `you sent ${sent}`, code: secrets.control, all: secrets });
      response.writeHead(403, { 'content-type': 'application/json' }).end(body);
    });
    const { status, stdout, stderr } = await aips(folder, ...args);
    expect(status).toBe(2);
    expect(stderr).toContain('[CONTROL_TOKEN]');
    expect(leaksIn([stdout, stderr], secrets)).toEqual([]);
  });

  it.each([
    ['nests without end', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`],
    ['is no JSON', '<h1>no</h1>'],
    ['is a long text', JSON.stringify({ error: 'x'.repeat(900_000) })],
  ])('ends in a sentence when a reply %s', async (_what, body) => {
    await serve((_request, response) => response.writeHead(500).end(body));
    const { status, stderr } = await aips(folder, ...args);
    expect([status, stderr.length < 6_000]).toEqual([2, true]);
    expect(stderr).toMatch(/answered/);
  });

  const own = { toString: 1, valueOf: 2, length: 1e9 };
  it.each([
    ['null', null],
    ['a list', [1]],
    ['a text', 'x'],
    ['no field', {}],
    [
      'objects that cannot be made text',
      { hash: own, api_key: own, nonce: own, anchor: own, by_type: own, error: own, code: own },
    ],
    [
      'lists of nothing',
      { anchor: [], by_type: [null], beat_state: 'x', nonce: [], passport: null, sponsorships: null },
    ],
    ['what acts on the terminal', { code: '\u001b[2J\u202e', status: '\u009b1m', error: '\u001b]0;x\u0007' }],
  ])('ends without a fault of its own where replies hold %s', async (_what, body) => {
    const told = { calls: [], now_ms: Date.parse('2026-01-01T00:00:00Z'), anchor_index: 0, signature: own, key: own };
    await serve(({ url }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(url?.startsWith('/control/') ? told : body));
    });
    const { status, stdout, stderr } = await aips(folder, ...args);
    expect([1, 2]).toContain(status);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal acts on them
    expect(stdout + stderr).not.toMatch(/[\u001b\u009b\u202e\u0007]/);
  });

  it.each([
    ['nothing', 'null'],
    ['a time that has no date', '{"calls":[],"now_ms":1e300,"anchor_index":0}'],
    ['an invalid anchor', '{"calls":[],"now_ms":0,"anchor_index":1e400}'],
    ['times as objects', '{"calls":[],"now_ms":{"toString":1},"anchor_index":{"valueOf":1}}'],
  ])('ends in a sentence where the control API tells %s', async (_what, body) => {
    await serve((_request, response) => response.end(body));
    const { status, stderr } = await aips(folder, ...args);
    expect([status, stderr.split('\n').length]).toEqual([2, 2]);
  });

  it('ends in a sentence when the server closes its connections', async () => {
    await serve((request) => request.socket.destroy());
    expect(await aips(folder, ...args)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/no (reply|answer)/),
    });
  });

  it('says which secrets are too short to be hidden everywhere', async () => {
    await serve((_request, response) => response.writeHead(500).end('{}'), 'short');
    expect((await aips(folder, ...args)).stderr).toContain('control.token has fewer than 8 characters: ');
  });
});
