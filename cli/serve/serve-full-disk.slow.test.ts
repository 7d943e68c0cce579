// A disk that is full, as the process meets it: the system limits the size of every file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { packageRoot } from '../../runs/host/package.js';

const aips = join(packageRoot(), 'dist/cli/aips.js');
const root = mkdtempSync(join(tmpdir(), 'aips-full-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const FLAGS = `--json --clock manual --trust-forwarded-for --port 0`;

/** Starts a server that can write no file beyond a number of blocks; the signal that comes with it is ignored, so that a write fails. */
async function start(
  blocksMax: number | 'unlimited',
): Promise<{ child: ChildProcess; baseUrl: string; told: () => string }> {
  const command = `trap '' XFSZ; ulimit -f ${blocksMax}; exec "$0" "$1" serve --data "$2" ${FLAGS}`;
  const args = ['-c', command, process.execPath, aips, join(root, 'data')];
  const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += String(chunk);
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, baseUrl: (JSON.parse(line) as { base_url: string }).base_url, told: () => told };
}

async function register(
  baseUrl: string,
  n: number,
): Promise<{ status: number; body: { hash: string; code?: string } }> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` };
  const reply = await fetch(`${baseUrl}/api/v1/register`, { method: 'POST', headers, body: `{"name":"agent ${n}"}` });
  return { status: reply.status, body: (await reply.json()) as { hash: string } };
}

async function stopped(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM');
  const [status] = (await once(child, 'exit')) as [number | null];
  return status;
}

it('a write that falls short is not acknowledged, nothing is any more, and a restart has all that was', async () => {
  const full = await start(64);
  const kept: string[] = [];
  let last = await register(full.baseUrl, 0);
  for (let n = 1; last.status === 200; n++) {
    kept.push(last.body.hash);
    last = await register(full.baseUrl, n);
  }
  expect([last.status, last.body.code]).toEqual([503, 'STORE_UNAVAILABLE']);
  expect(kept.length).toBeGreaterThan(10);
  const again = await register(full.baseUrl, 5_000);
  expect([again.status, again.body.code]).toEqual([503, 'STORE_UNAVAILABLE']);
  expect(await stopped(full.child)).toBe(2);
  expect(full.told()).toContain('EFBIG');

  const roomy = await start('unlimited');
  for (const [n, hash] of kept.entries()) {
    const headers = { 'x-forwarded-for': `10.1.${n >> 8}.${n & 255}` };
    expect((await fetch(`${roomy.baseUrl}/api/v1/status/${hash}`, { headers })).status).toBe(200);
  }
  expect((await register(roomy.baseUrl, 6_000)).status).toBe(200);
  expect(await stopped(roomy.child)).toBe(0);
});
