import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aips, aipsProcess } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';

const REDIS = '/usr/bin/redis-server';
const folder = mkdtempSync(join(tmpdir(), 'aips-queue-'));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const started: ChildProcess[] = [];
let url = '';

/** Starts a process that the tests end. */
function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  return child;
}

const freePort = (): Promise<number> =>
  new Promise((found, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => found(port));
    });
  });

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });

/** A worker, and a promise of the first line that it prints: a run that it has played. */
function startWorker(): { readonly child: ChildProcess; readonly firstRun: Promise<void> } {
  const child = start(process.execPath, [join(root, 'dist/cli/aips.js'), 'worker', '--redis', url, '--lease', '2']);
  const firstRun = new Promise<void>((played) => child.stdout?.once('data', () => played()));
  return { child, firstRun };
}

beforeAll(async () => {
  const port = await freePort();
  url = `redis://127.0.0.1:${port}`;
  if (!existsSync(REDIS)) return;
  start(REDIS, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]);
  while (!(await answers(port))) await delay(50);
  const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
  write('small.yaml', small.replace('duration: 3d', 'duration: 10d').replace('count: 40', 'count: 60'));
  const factors = 'factors: { protocol.dms.missedAnchorsMax: [60, 90] }';
  write(
    'sweep.yaml',
    `format: 1\nname: queued\nquestion: Same?\nscenario: small.yaml\nreplicates: 8\ndesign: { kind: grid, ${factors} }\n`,
  );
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

describe('a sweep over a queue', () => {
  it.skipIf(!existsSync(REDIS))('gives the bytes of one machine, though one of its workers is killed', async () => {
    expect((await aips(folder, 'sweep', 'sweep.yaml', '--out', 'alone')).status).toBe(0);
    const [first] = [startWorker(), startWorker()];
    const swept = aipsProcess(folder, 'sweep', 'sweep.yaml', '--engine', 'bullmq', '--redis', url, '--out', 'queued');
    await first.firstRun;
    first.child.kill('SIGKILL');
    const { status, stderr } = await swept;
    expect([status, stderr.replaceAll(/^.*runs.*\n/gm, '')]).toEqual([0, '']);
    const names = readdirSync(join(folder, 'alone')).toSorted();
    expect(readdirSync(join(folder, 'queued')).toSorted()).toEqual(names);
    for (const name of names) {
      const [alone, queued] = ['alone', 'queued'].map((place) => readFileSync(join(folder, place, name)));
      expect(queued?.equals(alone as Buffer), name).toBe(true);
    }
  });

  it.each([
    [['--engine', 'bullmq'], '--engine bullmq needs --redis URL.\n'],
    [['--redis', 'redis://127.0.0.1:1'], '--redis is for --engine bullmq.\n'],
    [
      ['--engine', 'bullmq', '--redis', 'localhost'],
      '--redis localhost: must be a URL such as redis://127.0.0.1:6379.\n',
    ],
    [
      ['--engine', 'bullmq', '--redis', 'redis://127.0.0.1:1'],
      /^--redis: nothing answers there \(.*ECONNREFUSED.*\)\. Start Redis, or name another URL\.\n$/,
    ],
  ])('%j is refused', async (flags, message) => {
    write('tiny.yaml', 'format: 1\nname: tiny\nquestion: Same?\nscenario: small.yaml\nreplicates: 1\n');
    write('small.yaml', readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8'));
    const { status, stderr } = await aips(folder, 'sweep', 'tiny.yaml', ...flags);
    expect([status, stderr]).toEqual([2, typeof message === 'string' ? message : expect.stringMatching(message)]);
  });
});
