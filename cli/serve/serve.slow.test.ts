// `aips serve` as a process: what it prints, how it stops, and what it keeps from one start to the next. serve.nightly has more starts.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  aips,
  type Child,
  expectOwnSeed,
  expectWarned,
  failed,
  free,
  type Guessed,
  post,
  type Started,
  started,
  textOf,
} from '../../test/fixtures/served.js';

const ADDRESS = 'GfRA1qaYbNEfBDFVxn2z2ZgmD4kDLxvHLrVGuhfnnByV';

describe('aips serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints one JSON line once all three listen, and stops cleanly on %s',
    async (signal) => {
      const server = await started(['--clock', 'manual']);
      const { base_url, beats_url, control_url, control_token } = server.urls;
      expect(Object.keys(server.urls)).toEqual(['base_url', 'beats_url', 'control_url', 'control_token', 'seed']);
      const answers = await Promise.all([
        fetch(`${base_url}/api/v1/fees/summary`),
        fetch(`${beats_url}/api/health`),
        fetch(`${control_url}/control/v1/capabilities`, { headers: { authorization: `Bearer ${control_token}` } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await server.stop(signal)).toEqual({ status: 0, stderr: '' });
    },
  );

  it('is another server with --chaos, the same for the same seed, and understands what it issued', async () => {
    const said = async (seed: string): Promise<unknown> => {
      const server = await started(['--clock', 'manual', '--chaos', seed]);
      const api = `${server.urls.base_url}/api/v1`;
      const made = await post(`${api}/register`, { name: 'a/b é', metadata: { n: 1.5 } });
      const hash = String(made.json['hash']);
      const begun = await post(`${api}/agent/init`, {}, String(made.json['api_key']));
      const tooLong = await post(`${api}/register`, { name: 'x'.repeat(1_200_000) });
      const lookup = await fetch(`${api}/status/${hash}`);
      expect((await server.stop('SIGTERM')).status).toBe(0);
      return [
        made,
        begun.status >= 200 && begun.status < 300,
        tooLong.status >= 400 && tooLong.status < 500,
        lookup.status,
        await lookup.text(),
      ];
    };
    const [one, again, other] = [await said('11'), await said('11'), await said('12')];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one).toMatchObject([{ json: { name: 'a/b é', metadata: { n: 1.5 } } }, true, true, 200, expect.any(String)]);
  });

  it('opens its ledger by JSON-RPC with --ledger-port, and prints where', async () => {
    const server = await started(['--clock', 'manual', '--ledger-port', '0']);
    const url = (server.urls as Record<string, string>)['rpc_url'] ?? '';
    const said = await post(url, { jsonrpc: '2.0', id: 1, method: 'getSlot', params: [{ commitment: 'processed' }] });
    expect(said.json).toEqual({ jsonrpc: '2.0', id: 1, result: 0 });
    expect((await server.stop('SIGTERM')).status).toBe(0);
  });

  it('takes fees on another ledger, to the address it is given', async () => {
    const flags = ['--rpc-url', 'http://127.0.0.1:9', '--payment-address', ADDRESS];
    const server = await started(flags);
    const said = await fetch(`${server.urls.base_url}/api/v1/fees/summary`);
    expect(((await said.json()) as { payment_address: string }).payment_address).toBe(ADDRESS);
    expect((await server.stop('SIGTERM')).status).toBe(0);
  });

  it('prints, keeps and answers nothing of what the URL of the other ledger holds', async () => {
    const data = mkdtempSync(join(tmpdir(), 'aips-data-'));
    const url = 'http://operator:s3cret@127.0.0.1:9/path-key?api-key=query-key';
    const remote = ['--rpc-url', url, '--payment-address', ADDRESS];
    const server = await started(['--data', data, ...remote]);
    await post(`${server.urls.base_url}/api/v1/register`, { name: 'bare' });
    const { stderr } = await server.stop('SIGTERM');
    const kept = readdirSync(data).map((name) => readFileSync(join(data, name), 'utf8'));
    expect(kept.join('')).toContain('register');
    const refused = await failed([...free, ...remote.with(1, url.replace('http:', 'htp:'))]);
    expect(refused.stderr).toContain('--rpc-url must be');
    const said = [JSON.stringify(server.urls), stderr, refused.stderr, ...kept].join('\n');
    for (const secret of ['operator', 's3cret', 'path-key', 'query-key']) expect(said).not.toContain(secret);
  });

  it('[clock.manual.start] starts a manual clock at 2026-01-01 and leaves it there', async () => {
    const server = await started(['--clock', 'manual']);
    const { control_url, control_token } = server.urls;
    const said = await post(`${control_url}/control/v1/clock/advance`, { ms: 0 }, control_token);
    expect(said.json).toEqual({ now_ms: Date.parse('2026-01-01T00:00:00Z'), anchor_index: 0 });
    await server.stop('SIGTERM');
  });

  it.each([
    ['[wallet.policy.on] [resync.beats-required.default] as it starts', [], [403, 402]],
    ['[wallet.policy.default] on mainnet', ['--network', 'mainnet', '--registration-secret', 's'], [403, 402]],
    ['when flags say otherwise', ['--no-byo-wallet', '--no-beats-required'], [400, 200]],
  ])('%s: a purchase without a wallet and a resync without a receipt', async (_when, flags, statuses) => {
    const server = await started(['--clock', 'manual', ...flags]);
    const { base_url, control_url, control_token } = server.urls;
    const registered = await fetch(`${base_url}/api/v1/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-registration-secret': 's' },
      body: '{"name":"bare"}',
    });
    const { api_key: key } = (await registered.json()) as { api_key: string };
    expect((await post(`${base_url}/api/v1/agent/init`, {}, key)).status).toBe(200);
    const terms = { identity_class: 'narrow_task', principal: 'p', tier: 'org', payment_tx: 'unknown' };
    const bought = await post(`${base_url}/api/v1/sigil`, terms, key);
    await post(`${control_url}/control/v1/clock/advance`, { anchors: 61 }, control_token);
    const resynced = await post(`${base_url}/api/v1/agent/resync`, {}, key);
    expect([bought.status, resynced.status]).toEqual(statuses);
    await server.stop('SIGTERM');
  });

  it('keeps its state in --data: the fingerprint after a restart is the same', async () => {
    const data = mkdtempSync(join(tmpdir(), 'aips-data-'));
    const flags = ['--clock', 'manual', '--data', data];
    const first = await started(flags);
    const registered = await post(`${first.urls.base_url}/api/v1/register`, { name: 'Ada', metadata: { a: [1] } });
    const key = String(registered.json['api_key']);
    await post(`${first.urls.base_url}/api/v1/agent/init`, {}, key);
    await post(`${first.urls.control_url}/control/v1/clock/advance`, { anchors: 61 }, first.urls.control_token);
    const before = await fingerprint(first);
    await first.stop('SIGTERM');
    const second = await started(flags);
    expect(await fingerprint(second)).toBe(before);
    const status = await fetch(`${second.urls.base_url}/api/v1/status/${registered.json['hash']}`);
    expect(((await status.json()) as { status: string }).status).toBe('frozen');
    await second.stop('SIGTERM');
    await crashAndTamper(data, flags, before);
  });

  async function crashAndTamper(data: string, flags: readonly string[], before: string): Promise<void> {
    const path = join(data, 'journal-000001.ndjson');
    appendFileSync(path, '{"seq":3,"comm');
    const third = await started(flags);
    expect(await fingerprint(third)).toBe(before);
    expect((await third.stop('SIGTERM')).stderr).toContain('its last write was cut off by a crash (14 bytes)');
    expect((await failed([...free, ...flags, '--seed', '2'])).stderr).toContain(
      `${data}: this journal is of a service with other options (seed)`,
    );
    writeFileSync(path, readFileSync(path, 'utf8').replace('"Ada"', '"Bob"'));
    const tampered = await failed([...free, ...flags]);
    expect(tampered.status).toBe(2);
    expect(tampered.stderr).toContain(`${path}: was changed or cut off within its first`);
    rmSync(join(data, 'snapshot.json'));
    const replayed = await failed([...free, ...flags]);
    expect(replayed.stderr).toMatch(/the line at byte \d+, before the first command, was changed/);
  }

  it('has a seed of its own on the wall clock, which it prints and which replays its secrets', () =>
    expectOwnSeed(['--clock', 'wall']));

  it.each<Guessed>([
    ['0.0.0.0', 'manual', [], true],
    ['0.0.0.0', 'wall', [], false],
  ])('on %s and the clock %s with %j warns of a seed that can be guessed: %s', expectWarned);

  it('takes its secrets from the environment and from files', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'aips-secret-')), 'secret');
    writeFileSync(file, 'of a file\n');
    process.env['AIPS_CONTROL_TOKEN'] = 'of-the-environment';
    const server = await started(['--network', 'mainnet', '--registration-secret', `@${file}`]);
    delete process.env['AIPS_CONTROL_TOKEN'];
    expect(server.urls.control_token).toBe('of-the-environment');
    const headers = { 'content-type': 'application/json', 'x-registration-secret': 'of a file' };
    const reply = await fetch(`${server.urls.base_url}/api/v1/register`, {
      method: 'POST',
      headers,
      body: '{"name":"x"}',
    });
    expect(reply.status).toBe(200);
    await server.stop('SIGTERM');
  });

  it('goes on with the seed of its journal', async () => {
    const data = mkdtempSync(join(tmpdir(), 'aips-data-'));
    const first = await started(['--data', data]);
    await first.stop('SIGTERM');
    const second = await started(['--data', data]);
    expect(second.urls.seed).toBe(first.urls.seed);
    await second.stop('SIGTERM');
  });

  async function fingerprint({ urls }: Started): Promise<string> {
    const headers = { authorization: `Bearer ${urls.control_token}` };
    const reply = await fetch(`${urls.control_url}/control/v1/fingerprint`, { headers });
    return ((await reply.json()) as { sha256: string }).sha256;
  }

  it.each(['SIGTERM', 'SIGKILL'] as const)('goes on from the time that it has shown, after %s', async (signal) => {
    const data = mkdtempSync(join(tmpdir(), 'aips-data-'));
    const first = await started(['--clock', '60000x', '--start', '2026-01-01', '--data', data]);
    const bare = await post(`${first.urls.base_url}/api/v1/register`, { name: 'Ada' });
    await post(`${first.urls.base_url}/api/v1/agent/init`, {}, String(bare.json['api_key']));
    const read = async (server: Started, path: string) =>
      (await (await fetch(`${server.urls.base_url}/api/v1/${path}`)).json()) as Record<string, unknown>;
    const anchor = async (server: Started) =>
      ((await read(server, 'beat/anchor'))['anchor'] as { beat_index: number }).beat_index;
    const status = async (server: Started) => (await read(server, `status/${bare.json['hash']}`))['status'];
    // A second of 60,000 is 1,000 anchors.
    while ((await status(first)) !== 'frozen') await new Promise((soon) => setTimeout(soon, 10));
    const shown = await anchor(first);
    await first.stop(signal);
    const second = await started(['--clock', 'wall', '--start', '2026-01-01', '--data', data]);
    expect(await anchor(second)).toBeGreaterThanOrEqual(shown);
    expect(await anchor(second)).toBeLessThan(shown + 20_000);
    expect(await status(second)).toBe('frozen');
    await second.stop('SIGTERM');
  });

  it('prints the URLs as flags and target files take them', async () => {
    const child: Child = spawn(process.execPath, [aips, 'serve', ...free], { stdio: ['ignore', 'pipe', 'pipe'] });
    const out = textOf(child.stdout);
    await new Promise<void>((ready) => child.stdout.on('data', () => out().includes('Ctrl-C') && ready()));
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    for (const name of ['registry', 'beats service', 'control API']) {
      expect(out()).toMatch(new RegExp(`^${name} +http://127\\.0\\.0\\.1:\\d+( |$)`, 'm'));
    }
  });

  it('lets one process alone use a --data folder', async () => {
    const data = mkdtempSync(join(tmpdir(), 'aips-data-'));
    const first = await started(['--data', data]);
    const { status, stderr } = await failed([...free, '--data', data]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/lock\.1: process \d+ is using this folder\. Stop it, or give another --data folder\./);
    await first.stop('SIGKILL');
    const next = await started(['--data', data]);
    expect((await next.stop('SIGTERM')).status).toBe(0);
  });
});
