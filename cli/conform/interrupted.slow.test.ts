import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Running } from '../../reference/http/server/server.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { childrenOf, isRunning } from '../../test/fixtures/processes.js';
import { startReferenceHere } from '../../test/fixtures/target.js';
import { root } from '../../test/source-tree.js';

const servers: (Server | Running)[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if ('baseUrl' in server) await server.close();
    else server.close().closeAllConnections();
  }
});

interface Ended {
  /** The exit status, or the signal by which it ended. */
  readonly how: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `aips conform` in a folder, and sends it a signal once `ripe` says so of what it has said, and of itself. */
async function interrupted(
  folder: string,
  args: readonly string[],
  signal: NodeJS.Signals,
  ripe: (said: string, child: ChildProcess) => boolean,
): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, 'dist/cli/aips.js'), 'conform', ...args], { cwd: folder });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  await expect.poll(() => ripe(said.stderr, child)).toBe(true);
  child.kill(signal);
  const [status, by] = await ended;
  return { how: status ?? by, ...said };
}

/** A server that answers only the first `count` requests. */
async function answering(count: number): Promise<{ readonly url: string; readonly asked: () => number }> {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    if (asked <= count) response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no"}');
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'aips-conform-off-'));
const read = (folder: string): ConformanceResult =>
  JSON.parse(readFileSync(join(folder, 'out/conformance.json'), 'utf8')) as ConformanceResult;
const json = ['--out', 'out'];

describe('aips conform that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('by %s while it waits leaves what was judged until then', async (signal) => {
    const server = await startReferenceHere();
    servers.push(server);
    const folder = newFolder();
    const args = [server.baseUrl, '--only', 'status/*', '--wait', '10m', ...json];
    const { how, stdout, stderr } = await interrupted(folder, args, signal, (said) => said.includes('waits until'));
    expect(how).toBe(2);
    expect(stdout).toContain(`stopped: it was interrupted by ${signal}`);
    expect(stderr).toMatch(/^waits until .*\n$/);
    expect(existsSync(join(folder, 'out/baseline.yaml'))).toBe(false);
    const result = read(folder);
    expect(result).toMatchObject({ stopped: `it was interrupted by ${signal}`, exit_status: 2 });
    const waited = { verdict: 'not-tested', reason: `the run was stopped: it was interrupted by ${signal}` };
    expect(result.checks.find(({ id }) => id === 'status/limit')).toMatchObject(waited);
    expect(result.checks.filter(({ verdict }) => verdict === 'error' || verdict === 'inconclusive')).toEqual([]);
    expect(readdirSync(folder)).toEqual(['out']);
  });

  it('waits for no answer that is still to come', async () => {
    const { url, asked } = await answering(20);
    const folder = newFolder();
    const ended = await interrupted(folder, [url, '--record', 'tape', ...json], 'SIGINT', () => asked() > 20);
    expect(ended).toMatchObject({ how: 2, stderr: expect.stringContaining('tape holds no recording') });
    const { checks, stopped } = read(folder);
    expect(stopped).toBe('it was interrupted by SIGINT');
    const late = checks.filter(({ verdict }) => verdict === 'error' || verdict === 'inconclusive');
    expect(late.filter((check) => 'reason' in check && /no reply within|ended/.test(check.reason))).toEqual([]);
    expect(readdirSync(folder)).toEqual(['out']);
  });

  it('leaves no configuration of conform self behind, and begins no other', async () => {
    const folder = newFolder();
    const servers: number[] = [];
    const args = ['self', ...json];
    const { how, stdout } = await interrupted(folder, args, 'SIGTERM', (_, child) => {
      servers.push(...childrenOf(child));
      return servers.length > 0;
    });
    for (const pid of servers) await expect.poll(() => isRunning(pid)).toBe(false);
    expect(how).toBe(2);
    expect(stdout).toContain('stopped: it was interrupted by SIGTERM');
    const { target, checks } = read(folder);
    expect(target.base_url).toBe('aips serve (devnet)');
    expect(checks.filter(({ verdict }) => verdict === 'error' || verdict === 'inconclusive')).toEqual([]);
  });
});
