import { createHash } from 'node:crypto';
import type { Argv, CommandModule, InferredOptionTypes } from 'yargs';
import { type Clock, manualClock, runningClock } from '../reference/http/clock.js';
import { type Running, startServers } from '../reference/http/server.js';
import type { ServiceOptions } from '../reference/service.js';
import { type Journal, JournalError, openJournal } from '../reference/store/journal.js';
import { type Dialect, dialectSchema, dialects } from '../spec/dialect.js';
import { parseYaml } from '../spec/document.js';
import { brokenRelations, parseOverlay, withOverlay } from '../spec/overlay.js';
import { type Protocol, protocol } from '../spec/protocol.js';
import { Failure, systemErrorCode } from './failure.js';
import { readFeeOverrides } from './fee-environment.js';
import { ensureFolder, parsedOrFail, readText } from './files.js';

/** D-56. */
const MANUAL_START = '2026-01-01T00:00:00Z';

const options = {
  port: { type: 'number', default: 8787, describe: 'Port of the registry; 0 takes any free one' },
  'beats-port': { type: 'number', default: 8788, describe: 'Port of the beats service' },
  'control-port': { type: 'number', default: 8789, describe: 'Port of the control API, always on loopback' },
  host: { type: 'string', default: '127.0.0.1', describe: 'Address that registry and beats service bind to' },
  clock: { type: 'string', default: 'wall', describe: 'wall; manual (moves only when told); or a speed such as 60x' },
  start: { type: 'string', describe: 'Where the clock starts: an ISO 8601 time or now' },
  network: { choices: ['devnet', 'mainnet'] as const, default: 'devnet' as const, describe: 'Network to be' },
  dialect: { type: 'string', default: 'service', describe: 'service, provenonce, or a YAML file with one of your own' },
  protocol: { type: 'string', describe: 'YAML overlay that replaces numbers of the protocol' },
  data: { type: 'string', describe: 'Folder of the journal, so that the state survives a restart; absent: in memory' },
  seed: { type: 'number', default: 1, describe: 'Seed of every hash, key and nonce' },
  'trust-forwarded-for': { type: 'boolean', default: false, describe: "Take a client's address from X-Forwarded-For" },
  'registration-secret': { type: 'string', describe: 'Secret of root registration; required on mainnet' },
  'control-token': { type: 'string', describe: 'Bearer token of the control API; random by default' },
  'beats-required': { type: 'boolean', default: true, describe: 'BEATS_REQUIRED: resync wants a receipt' },
  'byo-wallet': { type: 'boolean', default: true, describe: 'Refuse agents without a wallet on paid routes' },
  ledger: {
    choices: ['mock', 'solana-rpc'] as const,
    default: 'mock' as const,
    describe: 'Ledger that payments are looked up on; this version has the mock alone',
  },
  'rpc-url': { type: 'string', describe: 'For --ledger solana-rpc; not in this version' },
  'payment-address': { type: 'string', describe: 'For --ledger solana-rpc; not in this version' },
  'ledger-port': { type: 'number', describe: "Port of the mock ledger's JSON-RPC; not in this version" },
  'allow-loopback-webhooks': {
    type: 'boolean',
    describe: 'Deliver webhooks to private and loopback addresses too, and to loopback over plain HTTP',
  },
  chaos: { type: 'number', describe: 'Seed that shuffles what the specification leaves free; not in this version' },
  json: { type: 'boolean', default: false, describe: 'Print one JSON line with the URLs and the control token' },
} as const;

/** The flags of `aips serve`, as yargs reads them. */
export type ServeFlags = InferredOptionTypes<typeof options>;

/** `aips serve`: registry, beats service and control API until SIGTERM or SIGINT. */
export const serveCommand: CommandModule<object, ServeFlags> = {
  command: 'serve',
  describe: 'Run the reference server: registry, beats service and control API',
  builder: (args: Argv) =>
    args
      .options(options)
      .example('$0 serve', 'on ports 8787 to 8789, on the wall clock')
      .example('$0 serve --clock manual --json', 'for a test: time moves by POST /control/v1/clock/advance')
      .example('$0 serve --protocol overlay.yaml', 'with numbers of your own, say heartbeat: { intervalBeatsMin: 5 }'),
  handler: serve,
};

async function serve(flags: ServeFlags): Promise<void> {
  const running = await start(flags);
  // From the line on, whoever reads it may send a signal.
  const stop = stopSignal();
  const { baseUrl, beatsUrl, controlUrl, controlToken } = running;
  if (flags.json) {
    const line = { base_url: baseUrl, beats_url: beatsUrl, control_url: controlUrl, control_token: controlToken };
    console.log(JSON.stringify(line));
  } else {
    console.log(`registry       ${baseUrl}/api/v1`);
    console.log(`beats service  ${beatsUrl}/api/v1`);
    console.log(`control API    ${controlUrl}/control/v1   (Authorization: Bearer ${controlToken})`);
    console.log(`seed ${flags.seed}, clock ${flags.clock}, ${flags.network}, dialect ${flags.dialect}. Ctrl-C stops.`);
  }
  await stop;
  await running.close();
  if (process.connected) process.disconnect();
}

/** Flags that the design has and this version does not serve: refused, so that nobody relies on them. */
const notYet = ['rpc-url', 'payment-address', 'ledger-port', 'chaos'] as const;

function refuseNotYet(flags: ServeFlags): void {
  const given = notYet.find((name) => flags[name] !== undefined);
  if (given !== undefined) throw new Failure(`--${given} is not in this version yet. Leave it out.`);
  if (flags.ledger !== 'mock') throw new Failure('--ledger solana-rpc is not in this version yet. Leave it out.');
}

async function start(flags: ServeFlags): Promise<Running> {
  refuseNotYet(flags);
  const { network, seed } = flags;
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Failure('--seed must be a whole number, 0 or more.');
  const registrationSecret = flags['registration-secret'] ?? null;
  if (network === 'mainnet' && registrationSecret === null) {
    throw new Failure('--network mainnet enforces the registration secret: give one with --registration-secret.');
  }
  const facts = { protocol: readProtocol(flags.protocol), dialect: readDialect(flags.dialect) };
  const feeOverrides = readFeeOverrides(process.env);
  const policy = {
    network,
    registrationSecret,
    byoWallet: flags['byo-wallet'],
    beatsRequired: flags['beats-required'],
    // Named only where they are used, so that the journals of before keep their owner.
    ...(flags['allow-loopback-webhooks'] === true ? { allowLoopbackWebhooks: true } : {}),
    ...(feeOverrides === undefined ? {} : { feeOverrides }),
  };
  const given = readStart(flags);
  const journal = flags.data === undefined ? undefined : readJournal(flags.data, { ...facts, policy, seed }, given);
  const startMs = journal?.startMs ?? given;
  // Time goes on where the journal ends: on a manual clock exactly there, on others not before.
  const lastMs = journal?.commands.at(-1)?.at ?? startMs;
  const clock = readClock(flags.clock, flags.clock === 'manual' ? lastMs : Math.max(given, lastMs));
  try {
    return await startServers({
      service: { ...facts, policy, seed, startMs },
      clock,
      trustForwardedFor: flags['trust-forwarded-for'],
      bind: flags.host,
      ports: {
        registry: readPort('--port', flags.port),
        beats: readPort('--beats-port', flags['beats-port']),
        control: readPort('--control-port', flags['control-port']),
      },
      controlToken: flags['control-token'],
      journal,
    });
  } catch (error) {
    throw listenFailure(error);
  }
}

function readPort(flag: string, port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Failure(`${flag} must be a port: a whole number from 0 to 65535.`);
}

function listenFailure(error: unknown): unknown {
  const port = typeof error === 'object' && error !== null && 'port' in error ? String(error.port) : 'the port';
  switch (systemErrorCode(error)) {
    case 'EADDRINUSE':
      return new Failure(
        `Port ${port} is in use. Stop what holds it, or choose others with --port, --beats-port and --control-port (0 takes any free one).`,
      );
    case 'EACCES':
      return new Failure(`Port ${port} may not be opened by you. Choose one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Failure('--host: this machine has no such address.');
    default:
      return error;
  }
}

/** Reads an overlay file, or gives the specification's own numbers. */
export function readProtocol(path: string | undefined): Protocol {
  if (path === undefined) return protocol;
  const changed = withOverlay(parsedOrFail(parseOverlay(readText(path, 'overlay file'), path)));
  const broken = brokenRelations(changed);
  if (broken.length > 0)
    throw new Failure(broken.map((text) => `${path}: these numbers contradict each other; wanted: ${text}`).join('\n'));
  return changed;
}

/** Reads a dialect: one of ours by name, or a file. */
export function readDialect(nameOrFile: string): Dialect {
  const own = Object.values(dialects).find(({ name }) => name === nameOrFile);
  if (own !== undefined) return own;
  const text = readText(nameOrFile, 'dialect (service, provenonce, or a YAML file)');
  return parsedOrFail(parseYaml(text, nameOrFile, dialectSchema));
}

function readStart(flags: ServeFlags): number {
  const given = flags.start ?? (flags.clock === 'manual' ? MANUAL_START : 'now');
  return given === 'now' ? Date.now() : isoMs(given);
}

function readClock(kind: string, startMs: number): Clock {
  if (kind === 'manual') return manualClock(startMs);
  if (kind === 'wall') return runningClock(startMs, 1);
  const factor = Number(/^(\d+(?:\.\d+)?)x$/.exec(kind)?.[1] ?? Number.NaN);
  if (factor > 0) return runningClock(startMs, factor);
  throw new Failure(`--clock must be wall, manual, or a speed such as 60x; "${kind}" is none of these.`);
}

function readJournal(folder: string, service: Omit<ServiceOptions, 'startMs'>, startMs: number): Journal {
  const { registrationSecret, ...policy } = service.policy;
  const secret = registrationSecret === null ? null : createHash('sha256').update(registrationSecret).digest('hex');
  try {
    ensureFolder(folder);
    const journal = openJournal(
      folder,
      { ...service, policy: { ...policy, registration_secret_sha256: secret } },
      startMs,
    );
    if (journal.droppedBytes > 0) {
      console.error(
        `${journal.path}: its last line was cut off by a crash (${journal.droppedBytes} bytes) and has been dropped.`,
      );
    }
    return journal;
  } catch (error) {
    throw error instanceof JournalError ? new Failure(error.message) : error;
  }
}

function isoMs(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw new Failure(`--start must be now or a UTC time such as ${MANUAL_START}; "${text}" is neither.`);
  return ms;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    // A parent that started this server over a channel is gone.
    if (process.channel !== undefined && process.channel !== null) process.once('disconnect', () => resolve());
  });
}
