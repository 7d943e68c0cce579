/**
 * Starts `aips serve` as a process of its own, for the suite to judge. Nothing here imports the reference: the suite
 * sees it over HTTP, as it sees any server.
 */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseTarget, type Target } from '../../conformance/target/target.js';
import { Failure } from '../host/failure.js';
import { parsedOrFail } from '../host/files.js';
import { ownCommand } from '../host/own-program.js';

/** A running reference server, wherever it runs. */
export interface Reference {
  /** The target file of the reference, which offers the suite everything that it can use. */
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

/** A reference in a process of its own. */
export interface ReferenceProcess extends Reference {
  readonly pid: number;
  /** The URL of its ledger's JSON-RPC, where `--ledger-port` opens it. */
  readonly rpcUrl?: string | undefined;
}

/** Options of a reference that is started here. It always has a manual clock, and listens on free ports. */
interface ReferenceOptions {
  readonly seed: number;
  /** Flags of `aips serve` in addition to those that every reference gets. */
  readonly flags?: readonly string[];
  /** Lines of its target file in addition to those that every reference gets. */
  readonly target?: readonly string[];
}

/** Options of a reference that sends its webhooks to the suite on this machine, so that deliveries are judged, too. */
export const WITH_WEBHOOKS = {
  flags: ['--allow-loopback-webhooks'],
  target: ['webhooks: { listen: 127.0.0.1:0 }'],
} as const satisfies Omit<ReferenceOptions, 'seed'>;

/**
 * Starts `aips serve`. It ends with this process, however that ends, because the channel between them closes. Rejects
 * with a Failure when it does not start.
 */
export async function startReference({
  seed,
  flags: moreFlags = [],
  target: moreLines = [],
}: ReferenceOptions): Promise<ReferenceProcess> {
  const flags = ['--clock', 'manual', '--json', '--trust-forwarded-for', '--seed', String(seed)];
  const ports = ['--port', '0'];
  const [command, ...first] = ownCommand();
  const child = spawn(command, [...first, 'serve', ...flags, ...ports, ...moreFlags], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = new Promise<string>((done) => {
    child.once('exit', (status, signal) => done(signal ?? `exit status ${status}`));
    child.once('error', (error) => done(error.message));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    if (child.stdout === null) throw new Error('the server has no standard output');
    const [line, why] = await Promise.race([
      firstLine(child.stdout).then((said) => [said, ''] as const),
      ended.then((reason) => [undefined, reason] as const),
    ]);
    if (line === undefined) throw new Failure(`The reference server did not start (${why}).`);
    const urls = JSON.parse(line) as ReferenceUrls;
    return { target: referenceTarget(urls, moreLines), pid: child.pid ?? 0, rpcUrl: urls.rpc_url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((done) => createInterface({ input: stream }).once('line', done));
}

/** Where a reference listens, as `aips serve --json` prints it. */
type ReferenceUrls = Readonly<Record<'base_url' | 'beats_url' | 'control_url' | 'control_token', string>> & {
  readonly rpc_url?: string;
};

/** The target of a reference; `moreLines` are added to its target file. */
export function referenceTarget(urls: ReferenceUrls, moreLines: readonly string[] = []): Target {
  const sources = { env: {}, readText: () => undefined };
  return parsedOrFail(parseTarget(targetYaml(urls, moreLines), 'the reference', sources));
}

/** The target file of a reference that trusts X-Forwarded-For and whose clock is manual. */
export function targetYaml(urls: ReferenceUrls, moreLines: readonly string[] = []): string {
  return [
    `base_url: ${urls.base_url}`,
    `beats_url: ${urls.beats_url}`,
    `control: { url: ${urls.control_url}, token: ${urls.control_token} }`,
    'payments: { kind: control }',
    'client_ip: x-forwarded-for',
    ...moreLines,
    '',
  ].join('\n');
}
