/**
 * Measures the throughput of registrations and heartbeats with `--data` and in memory, relative to a bare Express server that
 * echoes the same bodies in the same run. Start-up from a journal is measured in start-up.ts.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { median } from 'simple-statistics';
import { Pool } from 'undici';
import { signingKey } from '../reference/beats/signing.js';
import { type ReferenceProcess, startReference } from '../runs/server/reference-process.js';
import { cpuSecOf } from './process-cost.js';

const CONNECTIONS = 50;
const ROUNDS = 5;
/** The number of registrations in a round, and of heartbeats, each of which is sent by another agent. */
const CALLS_PER_ROUND = 1_600;

/** Throughput relative to the echo server's: replies per second of time, and per second of CPU. */
interface Share {
  readonly wall: number;
  readonly cpu: number;
}

/** Starts three servers and measures them in turn, so that other load on the machine affects all of them equally. */
export async function benchDurable() {
  const folder = mkdtempSync(join(tmpdir(), 'aips-bench-'));
  const echo = await startEcho();
  const servers = {
    data: await MeasuredServer.start(['--data', folder]),
    memory: await MeasuredServer.start([]),
  };
  const found: Record<string, Measured[]> = {};
  const note = (name: string, measured: Measured): void => {
    found[name] = [...(found[name] ?? []), measured];
  };
  try {
    // The first round warms all of them up.
    for (let round = -1; round < ROUNDS; round++) {
      for (const kind of ['register', 'heartbeat'] as const) {
        for (const [name, server] of Object.entries(servers)) {
          const calls = kind === 'register' ? server.registrations() : await server.heartbeats();
          const own = await measure(server.pool, server.reference.pid, calls);
          if (kind === 'heartbeat') await server.afterHeartbeats();
          const bare = await measure(echo.pool, echo.pid, calls);
          if (round >= 0) note(`${kind}_${name}`, own);
          if (round >= 0) note(`${kind}_${name}_echo`, bare);
        }
      }
    }
  } finally {
    await Promise.all([...Object.values(servers).map((server) => server.stop()), echo.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
  const perS = (name: string): number => Math.round(median((found[name] ?? []).map(({ perSec }) => perSec)));
  const cpuUs = (name: string): number =>
    Math.round(1e6 / median((found[name] ?? []).map(({ perCpuSec }) => perCpuSec)));
  const shareOf = (name: string): Share => ({
    wall: ratio(found[name], found[`${name}_echo`], 'perSec'),
    cpu: ratio(found[name], found[`${name}_echo`], 'perCpuSec'),
  });
  return {
    register_data: shareOf('register_data'),
    register_memory: shareOf('register_memory'),
    heartbeat_data: shareOf('heartbeat_data'),
    heartbeat_memory: shareOf('heartbeat_memory'),
    // Accepted calls per second, and microseconds of CPU per call.
    per_s: Object.fromEntries(Object.keys(found).map((name) => [name, perS(name)])),
    cpu_us: Object.fromEntries(Object.keys(found).map((name) => [name, cpuUs(name)])),
    connections: CONNECTIONS,
  };
}

interface Measured {
  readonly perSec: number;
  readonly perCpuSec: number;
}

/** The median over the rounds of a server's rate divided by the echo's in the same round. */
function ratio(own: readonly Measured[] = [], bare: readonly Measured[] = [], of: keyof Measured): number {
  return Number(median(own.map((each, round) => each[of] / (bare[round] as Measured)[of])).toFixed(2));
}

/** One POST that is ready to be sent. */
interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends all calls over the connections of a pool, and measures the time and the server's CPU. Throws if a reply is not 200. */
async function measure(pool: Pool, pid: number, calls: readonly Call[]): Promise<Measured> {
  const [startMs, startCpuSec] = [performance.now(), cpuSecOf(pid)];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let call = calls[next++]; call !== undefined; call = calls[next++]) {
      const { path, headers, body } = call;
      const reply = await pool.request({ method: 'POST', path, headers: { ...headers }, body });
      const text = await reply.body.text();
      if (reply.statusCode !== 200) throw new Error(`${path} was answered ${reply.statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const wallSec = (performance.now() - startMs) / 1_000;
  return { perSec: calls.length / wallSec, perCpuSec: calls.length / (cpuSecOf(pid) - startCpuSec) };
}

const JSON_BODY = { 'content-type': 'application/json' } as const;

/** A running reference, and agents on it that can send heartbeats. */
class MeasuredServer {
  private names = 0;
  private wallets = 0;
  private readonly agents: { readonly key: string; readonly address: string }[] = [];
  private readonly control: Pool;
  readonly pool: Pool;
  private paymentAddress = '';

  private constructor(readonly reference: ReferenceProcess) {
    const { baseUrl, control } = reference.target;
    this.pool = new Pool(baseUrl, { connections: CONNECTIONS, pipelining: 1 });
    this.control = new Pool(new URL(String(control?.url)).origin, { connections: CONNECTIONS });
  }

  static async start(flags: readonly string[]): Promise<MeasuredServer> {
    const server = new MeasuredServer(await startReference({ seed: 1, flags }));
    await server.prepare();
    return server;
  }

  registrations(): Call[] {
    return Array.from({ length: CALLS_PER_ROUND }, () => this.call('/register', { name: `agent ${this.names++}` }));
  }

  /** One heartbeat of every agent, with its payment. Between rounds `afterHeartbeats` lets the interval pass (4.5). */
  async heartbeats(): Promise<Call[]> {
    const calls = this.agents.map(async ({ key, address }) => {
      const lamports = 500_000;
      const paid = await this.viaControl('/ledger/transfers', { from: address, to: this.paymentAddress, lamports });
      const call = this.call('/agent/heartbeat', { payment_tx: paid['signature'] });
      return { ...call, headers: { ...call.headers, authorization: `Bearer ${key}` } };
    });
    return Promise.all(calls);
  }

  /** Moves the clock by the least interval between two heartbeats of an agent. */
  async afterHeartbeats(): Promise<void> {
    await this.viaControl('/clock/advance', { anchors: 10 });
  }

  async stop(): Promise<void> {
    await Promise.all([this.pool.close(), this.control.close()]);
    await this.reference.stop();
  }

  private async prepare(): Promise<void> {
    const summary = await this.pool.request({ method: 'GET', path: '/api/v1/fees/summary' });
    this.paymentAddress = ((await summary.body.json()) as { payment_address: string }).payment_address;
    for (let i = 0; i < CALLS_PER_ROUND; i++) this.agents.push(await this.agent());
  }

  private async agent(): Promise<{ readonly key: string; readonly address: string }> {
    const wallet = signingKey(Buffer.alloc(32, `wallet ${this.wallets++}`));
    const [name, address] = ['agent', wallet.publicKeyBase58];
    const operator = { name, wallet_model: 'operator' };
    const { nonce } = await this.accepted('/register', operator);
    const signature = wallet.signHex(`service-register-operator:${nonce}:${address}:${name}`);
    const proof = { operator_wallet_address: address, wallet_nonce: nonce, wallet_signature: signature };
    const { api_key: key } = await this.accepted('/register', { ...operator, ...proof });
    await this.viaControl('/ledger/wallets', { address, lamports: 1_000_000_000 });
    const paid = await this.viaControl('/ledger/transfers', {
      from: address,
      to: this.paymentAddress,
      lamports: 50_000_000,
    });
    const sigil = { identity_class: 'narrow_task', principal: 'bench', tier: 'org', payment_tx: paid['signature'] };
    await this.accepted('/sigil', sigil, String(key));
    await this.accepted('/agent/init', {}, String(key));
    return { key: String(key), address };
  }

  /** A call with its own client address, so that no rate limit is met. */
  private call(path: string, body: object): Call {
    const n = this.names++;
    const from = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    return { path: `/api/v1${path}`, headers: { ...JSON_BODY, 'x-forwarded-for': from }, body: JSON.stringify(body) };
  }

  private async accepted(path: string, body: object, key?: string): Promise<Record<string, unknown>> {
    const call = this.call(path, body);
    const headers = key === undefined ? call.headers : { ...call.headers, authorization: `Bearer ${key}` };
    return replyOf(this.pool, { ...call, headers });
  }

  private viaControl(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { ...JSON_BODY, authorization: `Bearer ${this.reference.target.control?.token}` };
    return replyOf(this.control, { path: `/control/v1${path}`, headers, body: JSON.stringify(body) });
  }
}

async function replyOf(pool: Pool, { path, headers, body }: Call): Promise<Record<string, unknown>> {
  const reply = await pool.request({ method: 'POST', path, headers: { ...headers }, body });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(`${path} was answered ${reply.statusCode}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

const ECHO = `
  import express from 'express';
  const app = express();
  app.use(express.json());
  app.post('/*path', (req, res) => res.json(req.body));
  const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

interface Echo {
  readonly pool: Pool;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Starts an Express server that echoes JSON and does nothing else. */
async function startEcho(): Promise<Echo> {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', ECHO], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('the echo has no standard output');
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<string>((done) => lines.once('line', done));
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 });
  const stop = async (): Promise<void> => {
    await pool.close();
    child.kill('SIGTERM');
  };
  return { pool, pid: child.pid ?? 0, stop };
}
