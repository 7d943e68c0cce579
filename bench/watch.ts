/**
 * Measures `aips watch`: exchanges a second and memory over the length of a file, next to a tool that compares traffic with schemas, and how much the
 * proxy adds to a reply at 500 requests a second.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { systemErrorCode } from '../runs/host/failure.js';
import { packageRoot } from '../runs/host/package.js';
import { cpuSecOf } from './process-cost.js';

const AIPS = join(packageRoot(), 'dist/cli/aips.js');
const PEER = '@redocly/cli@2.77.0';
const LENGTHS = [5_000, 20_000, 80_000] as const;
/** The file that both tools get. */
const SHARED = 20_000;
const LOOK_MS = 20;

/** The cost of a process until its end: wall time, CPU of all its threads, and the most memory that it had. */
interface Cost {
  readonly wallSec: number;
  readonly cpuSec: number;
  readonly peakMb: number;
  readonly out: string;
}

/** Runs a program to its end. CPU and memory are those of the last look before it, as Linux reports them. */
async function costOf(command: string, args: readonly string[], folder: string): Promise<Cost> {
  const startMs = performance.now();
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let [out, cpuSec, peakMb] = ['', 0, 0];
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  const looking = setInterval(() => {
    try {
      cpuSec = cpuSecOf(child.pid ?? 0);
      const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
      // A process that has just ended has no such line.
      peakMb = Math.max(peakMb, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024);
    } catch (error) {
      // It has ended since.
      if (systemErrorCode(error) !== 'ENOENT' && systemErrorCode(error) !== 'ESRCH') throw error;
    }
  }, LOOK_MS);
  await new Promise((done) => child.once('close', done));
  clearInterval(looking);
  return { wallSec: (performance.now() - startMs) / 1_000, cpuSec, peakMb, out };
}

async function writeHar(folder: string, count: number): Promise<string> {
  const file = join(folder, `${count}.har`);
  const script = spawn(process.execPath, [join(packageRoot(), 'examples/heartbeats-har.mjs'), `${count}`]);
  await new Promise<void>((done) => script.stdout.pipe(createWriteStream(file)).once('finish', () => done()));
  return file;
}

const round = (value: number, digits = 0): number => Number(value.toFixed(digits));

/** `aips watch` on one file. */
async function watchOf(folder: string, count: number): Promise<object> {
  const file = await writeHar(folder, count);
  const { wallSec, cpuSec, peakMb, out } = await costOf(process.execPath, [AIPS, 'watch', file, '--json'], folder);
  const { breaks } = JSON.parse(out) as { breaks: { level: string; clauses: string[] }[] };
  const must = breaks.filter(({ level }) => level === 'must');
  return {
    exchanges: count,
    a_second: round(count / wallSec),
    a_second_of_cpu: round(count / cpuSec),
    peak_mb: round(peakMb),
    findings: must.length,
    clauses: [...new Set(must.flatMap(({ clauses }) => clauses))].filter((id) => id.startsWith('heartbeat.')),
  };
}

/** The peer on the same file, with the OpenAPI document of the specification; why it cannot run, where it cannot be installed. */
async function peerOf(folder: string): Promise<object> {
  const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, PEER], {
    encoding: 'utf8',
  });
  if (installed.status !== 0) return { peer: PEER, unable: 'the registry of packages cannot be reached' };
  const api = join(folder, 'openapi.json');
  writeFileSync(api, spawnSync(process.execPath, [AIPS, 'spec', 'openapi'], { encoding: 'utf8' }).stdout);
  const report = join(folder, 'drift.json');
  const args = [
    'drift',
    join(folder, `${SHARED}.har`),
    '--api',
    api,
    '--server',
    'https://registry.example',
    '--format',
    'json',
    '-o',
    report,
  ];
  const { wallSec, cpuSec, peakMb } = await costOf(join(folder, 'node_modules/.bin/redocly'), args, folder);
  const { run } = JSON.parse(readFileSync(report, 'utf8')) as {
    run: { totalExchanges: number; totalProblems: number };
  };
  return {
    peer: PEER,
    exchanges: run.totalExchanges,
    a_second: round(run.totalExchanges / wallSec),
    a_second_of_cpu: round(run.totalExchanges / cpuSec),
    peak_mb: round(peakMb),
    findings: run.totalProblems,
  };
}

const RATE = 500;
const SECONDS = 2;
/** Rounds with and without the proxy take turns, since others may use the machine. */
const ROUNDS = 7;
const CONNECTIONS = 16;
/** Answers each request at once, with a reply of the usual length. */
const SERVER = `
const reply = JSON.stringify({ ok: true, agent_hash: '0x' + 'a'.repeat(64), more: 'x'.repeat(1500) });
const server = require('http').createServer((req, res) => req.resume().on('end', () => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length });
  res.end(reply);
}));
server.listen(0, '127.0.0.1', () => console.error('http://127.0.0.1:' + server.address().port + ' passes on to nobody'));`;

/** Starts a program that says on standard error where it listens. */
async function listening(args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  const url = await new Promise<string>((done) => {
    child.stderr.on('data', (piece) => {
      err += piece;
      const [, found] = /^(http:\S+) passes on/m.exec(err) ?? [];
      if (found !== undefined) done(found);
    });
  });
  return { child, url };
}

/** The times of replies in ms, in order, at a fixed rate of requests. */
async function repliesOf(url: string): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const body = JSON.stringify({ payment_tx: 'a'.repeat(88) });
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    authorization: `Bearer pvn_a.${'a'.repeat(64)}`,
  };
  const times: number[] = [];
  const ask = (): Promise<void> =>
    new Promise((done, fail) => {
      const startMs = performance.now();
      const asked = request(`${url}/api/v1/agent/heartbeat`, { method: 'POST', headers, agent }, (reply) => {
        reply.resume().on('end', () => {
          times.push(performance.now() - startMs);
          done();
        });
      });
      asked.on('error', fail).end(body);
    });
  const startMs = performance.now();
  const open: Promise<void>[] = [];
  for (let nth = 0; nth < RATE * SECONDS; nth += 1) {
    const waitMs = startMs + (nth * 1_000) / RATE - performance.now();
    if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
    open.push(ask());
  }
  await Promise.all(open);
  agent.destroy();
  return times.toSorted((one, other) => one - other);
}

const at = (times: readonly number[], share: number): number => times[Math.floor(times.length * share)] ?? 0;

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Medians over the rounds. */
async function proxyOf(): Promise<object> {
  const server = await listening(['-e', SERVER]);
  const proxy = await listening([AIPS, 'watch', '--to', server.url]);
  try {
    // The first round warms both up.
    await repliesOf(proxy.url);
    const rounds: (readonly [direct: readonly number[], through: readonly number[]])[] = [];
    for (let nth = 0; nth < ROUNDS; nth += 1) rounds.push([await repliesOf(server.url), await repliesOf(proxy.url)]);
    const median = (way: 0 | 1, share: number): number => medianOf(rounds.map((round) => at(round[way], share)));
    return {
      requests_a_second: RATE,
      rounds: ROUNDS,
      direct_ms: { p50: round(median(0, 0.5), 2), p99: round(median(0, 0.99), 2) },
      through_ms: { p50: round(median(1, 0.5), 2), p99: round(median(1, 0.99), 2) },
      added_p99_ms: round(medianOf(rounds.map(([direct, through]) => at(through, 0.99) - at(direct, 0.99))), 2),
    };
  } finally {
    proxy.child.kill('SIGKILL');
    server.child.kill('SIGKILL');
  }
}

/** Files of three lengths, the peer, and the proxy. */
export async function benchWatch(): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'aips-bench-watch-'));
  try {
    const files: object[] = [];
    for (const count of LENGTHS) files.push(await watchOf(folder, count));
    return {
      ...Object.fromEntries(files.map((file, at) => [`file ${LENGTHS[at]}`, file])),
      peer: await peerOf(folder),
      proxy: await proxyOf(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
