/** `aips serve` in a process of its own that can be killed, and calls to it. The calls are made in life.ts and client-sessions.ts. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { jsonOf } from '../../spec/formats.js';

/** The built command. */
const AIPS = fileURLToPath(new URL('../../cli/aips.js', import.meta.url));
/** A reply that takes longer is a hang: floods are served in some ten seconds, and in a minute by a machine that does other things. */
const HANG_MS = 600_000;

/** A reply as it came. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Where a call goes. */
export type Side = 'registry' | 'beats' | 'control' | 'ledger';

/** A call: `POST`, `/api/v1/register`, a body that is JSON unless it is text, and headers. */
export interface Call {
  readonly side: Side;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Urls {
  readonly base_url: string;
  readonly beats_url: string;
  readonly control_url: string;
  readonly control_token: string;
  readonly rpc_url?: string;
}

/** A running server. */
export class ServerProcess {
  private constructor(
    readonly child: ChildProcess,
    private readonly urls: Urls,
    private readonly pools: Readonly<Record<Side, Pool | undefined>>,
  ) {}

  /** Resolves when all ports listen. Rejects when the process ends before. `under` is a command that runs it, such as unshare. */
  static async start(flags: readonly string[], under: readonly string[] = []): Promise<ServerProcess> {
    const ports = ['--port', '0'];
    const aips = [process.execPath, AIPS, 'serve', '--json', '--trust-forwarded-for', ...ports, ...flags];
    const [command, ...args] = [...under, ...aips];
    const child = spawn(String(command), args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let complaints = '';
    child.stderr?.on('data', (chunk) => {
      complaints += String(chunk);
    });
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const line = await Promise.race([
      once(lines, 'line').then(([text]) => String(text)),
      once(child, 'exit').then(() => undefined),
    ]);
    if (line === undefined) throw new Error(`aips serve ended at its start: ${complaints}`);
    const urls = JSON.parse(line) as Urls;
    const pool = (url: string): Pool =>
      new Pool(new URL(url).origin, { connections: 32, headersTimeout: HANG_MS, bodyTimeout: HANG_MS });
    return new ServerProcess(child, urls, {
      registry: pool(urls.base_url),
      beats: pool(urls.beats_url),
      control: pool(urls.control_url),
      ledger: urls.rpc_url === undefined ? undefined : pool(urls.rpc_url),
    });
  }

  /** Rejects when the server is gone or does not answer. */
  async call({ side, method, path, body, headers = {} }: Call): Promise<Reply> {
    const pool = this.pools[side];
    if (pool === undefined) throw new Error(`this server has no ${side}`);
    const token = side === 'control' ? { authorization: `Bearer ${this.urls.control_token}` } : {};
    const {
      statusCode,
      headers: replyHeaders,
      body: stream,
    } = await pool.request({
      method: method as 'POST',
      path,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...token, ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await stream.text();
    return { status: statusCode, text, contentType: String(replyHeaders['content-type']), body: objectIn(text) };
  }

  /** A control call that has to be accepted. */
  async control(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
    const reply = await this.call({ side: 'control', method, path: `/control/v1/${path}`, body });
    if (reply.status !== 200) throw new Error(`${method} ${path} was answered ${reply.status}: ${reply.text}`);
    return reply.body;
  }

  /** Ends it by a signal. Resolves with its exit status when it is gone; null after a SIGKILL. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill(signal);
      await gone;
    }
    await Promise.all(Object.values(this.pools).map((pool) => pool?.destroy()));
    return this.child.exitCode;
  }

  /** The port of the registry. */
  get port(): number {
    return Number(new URL(this.urls.base_url).port);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  // Callers that need JSON parse the text.
  const value = jsonOf(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Runs the command to its end: its exit status and what it printed. */
export async function runAips(...args: readonly string[]): Promise<{ readonly status: number; readonly out: string }> {
  const child = spawn(process.execPath, [AIPS, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += String(chunk);
  });
  const [status] = (await once(child, 'close')) as [number];
  return { status, out };
}
