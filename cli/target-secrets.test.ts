// What a command that is no run of the suite prints about a target that sends back the secrets of its file.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { aips } from '../test/fixtures/aips.js';
import { leaksIn } from '../test/fixtures/leaks.js';

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

const scenario = `format: 1
name: one
question: One?
duration: 1h
populations:
  - name: one
    count: 1
    class: narrow_task
    heartbeat: { policy: interval, every: 20m }
    budget: { wallet: 1 SOL }
    hash_rate: 1M hashes/s
measures: { every: 20m }
`;
writeFileSync(join(folder, 'one.yaml'), scenario);

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['fuzz', ['fuzz', '--target', 'target.yaml', '--runs', '1', '--seed', '1', '--report', 'out']],
  ['simulate --against', ['simulate', 'one.yaml', '--against', 'target.yaml']],
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

  it('says which secrets are too short to be hidden everywhere', async () => {
    await serve((_request, response) => response.writeHead(500).end('{}'), 'short');
    expect((await aips(folder, ...args)).stderr).toContain('control.token has fewer than 8 characters: ');
  });
});
