/**
 * `aips serve`: reads the flags, opens the journal, starts the reference until a signal. The servers themselves are in
 * reference/http/server.
 */

import type { Argv, InferredOptionTypes } from 'yargs';
import { chaosOf } from '../../conformance/chaos/chaos.js';
import { numbersWith, signsWithBytes } from '../../conformance/chaos/form.js';
import { readKeyFile } from '../../conformance/target/key-file.js';
import { publicKeyOfAddress } from '../../reference/beats/signing.js';
import type { Clock } from '../../reference/http/request/clock.js';
import { isLoopback } from '../../reference/http/request/local-callers.js';
import type { PaymentLookup } from '../../reference/http/request/payment.js';
import { paymentLookup, type RemoteLedger } from '../../reference/http/request/remote-ledger.js';
import { type RemoteMemos, remoteMemos } from '../../reference/http/request/remote-memos.js';
import { type Running, startServers } from '../../reference/http/server/server.js';
import type { Seed } from '../../reference/registry/columns/stream.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { readText } from '../../runs/host/files.js';
import { failureLines, openData, orFailure, seedIn, snapshotsOf } from '../../runs/server/data-folder.js';
import type { Dialect } from '../../spec/dialect.js';
import { withOverlay } from '../../spec/overlay.js';
import type { Command } from '../flags/command.js';
import { dialectOption, json, protocolFile } from '../flags/common-options.js';
import { readDialect, readProtocol } from '../flags/facts.js';
import {
  defaultSeed,
  listenFailure,
  readClock,
  readPort,
  readSeed,
  readServiceSeed,
  readStart,
  serverFlags,
  stopSignal,
} from '../flags/server-flags.js';
import { chaoticApps } from './chaos.js';
import { readFeeOverrides } from './fee-environment.js';
import { readSecret } from './secrets.js';

const options = {
  port: {
    type: 'number',
    default: 8787,
    describe: 'Port of the registry; the next two are of the beats service, and of the control API, always on loopback',
  },
  ...serverFlags,
  network: { choices: ['devnet', 'mainnet'] as const, default: 'devnet' as const, describe: 'Network to act as' },
  ...dialectOption,
  'anchor-interval': {
    type: 'number',
    describe: 'Seconds between anchors; absent: 60, as replies say in any case',
  },
  'anchor-difficulty': {
    choices: ['auto', 'fixed'] as const,
    describe: 'Whether the difficulty in anchors follows their pace; absent: as the dialect says',
  },
  ...protocolFile,
  data: { type: 'string', describe: 'Folder of the journal, so that the state survives a restart; absent: in memory' },
  seed: {
    type: 'string',
    describe:
      'Seed of every hash, key and nonce: a whole number, or 64 hex digits; absent: that of --data, else random on the wall clock and 1 on others',
  },
  'trust-forwarded-for': { type: 'boolean', default: false, describe: "Take a client's address from X-Forwarded-For" },
  'registration-secret': {
    type: 'string',
    describe: 'Secret of root registration, or @FILE, or AIPS_REGISTRATION_SECRET; required on mainnet',
  },
  'control-token': {
    type: 'string',
    describe: 'Bearer token of the control API, or @FILE, or AIPS_CONTROL_TOKEN; random by default',
  },
  'beats-required': { type: 'boolean', default: true, describe: 'BEATS_REQUIRED: resync needs a receipt' },
  'byo-wallet': { type: 'boolean', default: true, describe: 'Refuse agents without a wallet on paid routes' },
  'payment-address': {
    type: 'string',
    describe: 'Fees are paid to this address on another ledger, that of --rpc-url; absent: on our own',
  },
  'rpc-url': {
    type: 'string',
    describe: 'URL of its Solana JSON-RPC, or @FILE, or AIPS_RPC_URL; user:password@ is sent as HTTP Basic',
  },
  'fee-payer': {
    type: 'string',
    describe: 'Key file of the wallet that pays for memos there, as solana-keygen or aips tools wallet new writes it',
  },
  'ledger-port': { type: 'number', describe: 'Opens the mock ledger by Solana JSON-RPC on this port' },
  'allow-loopback-webhooks': {
    type: 'boolean',
    describe: 'Deliver webhooks to private and loopback addresses too, and to loopback over plain HTTP',
  },
  chaos: {
    type: 'number',
    describe: 'Seed of everything that the specification leaves open: forms, orders, windows, latency, ids',
  },
  ...json,
} as const;

/** The flags of `aips serve`, as yargs reads them. */
export type ServeFlags = InferredOptionTypes<typeof options>;

/** `aips serve`: registry, beats service and control API until SIGTERM or SIGINT. */
export const serveCommand: Command<ServeFlags> = {
  builder: (args: Argv) =>
    args
      .options(options)
      .example('$0 serve', 'on ports 8787 to 8789, on the wall clock')
      .example('$0 serve --clock manual --json', 'for a test: time moves by POST /control/v1/clock/advance')
      .example('$0 serve --chaos 7', 'another server that the specification permits')
      .example('$0 serve --ledger-port 8899', 'fees can be paid by Solana JSON-RPC too')
      .example('$0 serve --protocol overlay.yaml', 'with your own numbers, such as heartbeat: { intervalBeatsMin: 5 }'),
  handler: serve,
};

async function serve(flags: ServeFlags): Promise<void> {
  const seed = await chooseSeed(flags);
  let failed = false;
  const running = await start(flags, seed, (error) => {
    failed = true;
    for (const line of failureLines(String(flags.data), error)) console.error(line);
  });
  if (!isLoopback(flags.host) && typeof seed === 'number') {
    console.error(
      `${flags.host} can be reached from other machines, and every key, token and nonce follows from the seed ${seed}, which can be guessed. Leave --seed out on the wall clock, or give 64 random hex digits.`,
    );
  }
  // A reader of the line below may send a signal at once.
  const stop = stopSignal();
  const { baseUrl, beatsUrl, controlUrl, controlToken, rpcUrl, wsUrl } = running;
  if (flags.json) {
    const line = { base_url: baseUrl, beats_url: beatsUrl, control_url: controlUrl, control_token: controlToken, seed };
    console.log(JSON.stringify(rpcUrl === undefined ? line : { ...line, rpc_url: rpcUrl, ws_url: wsUrl }));
  } else {
    console.log(`registry       ${baseUrl}`);
    console.log(`beats service  ${beatsUrl}`);
    console.log(`control API    ${controlUrl}   (Authorization: Bearer ${controlToken})`);
    if (rpcUrl !== undefined) console.log(`ledger         ${rpcUrl}   (Solana JSON-RPC; subscriptions: ${wsUrl})`);
    console.log(`seed ${seed}, clock ${flags.clock}, ${flags.network}, dialect ${flags.dialect}. Ctrl-C stops.`);
  }
  await stop;
  await running.close();
  if (failed) process.exitCode = EXIT.unable;
  if (process.connected) process.disconnect();
}

/** The seed of `--seed`, else that of the journal that is continued, else a new one, which on a test clock is that of `--chaos`. */
async function chooseSeed({ seed, data, clock, chaos }: ServeFlags): Promise<Seed> {
  if (seed !== undefined) return readServiceSeed(seed);
  const kept = data === undefined ? undefined : await seedIn(data);
  return kept ?? (chaos === undefined || clock === 'wall' ? defaultSeed(clock) : readSeed(chaos, '--chaos'));
}

async function start(flags: ServeFlags, seed: Seed, onFailure: (error: unknown) => void): Promise<Running> {
  const chaos = flags.chaos === undefined ? undefined : chaosOf(readSeed(flags.chaos, '--chaos'));
  const { network } = flags;
  const remote = readLedger(flags);
  const ledgerPort = flags['ledger-port'];
  const registrationSecret = readSecret('registration-secret', flags['registration-secret']) ?? null;
  if (network === 'mainnet' && registrationSecret === null) {
    throw new Failure(
      '--network mainnet enforces the registration secret: give --registration-secret @FILE, or AIPS_REGISTRATION_SECRET.',
    );
  }
  const dialect = readAnchorDifficulty(readDialect(flags.dialect), flags['anchor-difficulty']);
  const forms = chaos?.forms ?? [];
  const facts = { protocol: withOverlay(numbersWith({}, forms), readProtocol(flags.protocol, dialect)), dialect };
  const feeOverrides = readFeeOverrides(process.env);
  const policy = {
    network,
    registrationSecret,
    byoWallet: flags['byo-wallet'],
    beatsRequired: flags['beats-required'],
    // Present only where they are used, so that the owner in an older journal stays equal.
    ...(flags['allow-loopback-webhooks'] === true ? { allowLoopbackWebhooks: true } : {}),
    ...(feeOverrides === undefined ? {} : { feeOverrides }),
  };
  const given = readStart(flags, facts.protocol);
  const paidTo = remote === undefined ? {} : { paymentAddress: remote.paymentAddress };
  const anchorPaceSec = readAnchorPace(flags['anchor-interval']);
  const pace = anchorPaceSec === undefined ? {} : { anchorPaceSec };
  const owner = { ...facts, policy, seed, ...paidTo, ...pace };
  const clock = (lastMs: number): Clock => readClock(flags, facts.protocol, lastMs);
  clock(given);
  const { data } = flags;
  const told = {
    trustForwardedFor: flags['trust-forwarded-for'],
    bind: flags.host,
    ports: portsFrom(readPort('--port', flags.port)),
    ledgerPort: ledgerPort === undefined ? undefined : readPort('--ledger-port', ledgerPort),
    lookUpPayment: remote && lookupOn(remote),
    memos: remote && readFeePayer(remote, flags['fee-payer']),
    controlToken: readSecret('control-token', flags['control-token']),
  };
  // Last of all that can be wrong: it locks the folder.
  const store = data === undefined ? undefined : await openData(data, { ...owner, startMs: given }, onFailure);
  try {
    return await startServers({
      service: { ...owner, startMs: store?.startMs ?? given },
      clock,
      ...told,
      store: store && { recover: (replica) => orFailure(() => store.recover(replica)) },
      snapshots: data === undefined ? undefined : snapshotsOf(data),
      ...(chaos === undefined
        ? {}
        : { rateWindow: chaos.rateWindow, around: chaoticApps(chaos), signsWithBytes: signsWithBytes(forms) }),
    });
  } catch (error) {
    throw listenFailure(error, '--port or --ledger-port');
  }
}

/** The ports of the three servers: one after the other, or any. */
function portsFrom(registry: number): Readonly<Record<'registry' | 'beats' | 'control', number>> {
  if (registry === 0) return { registry, beats: 0, control: 0 };
  return { registry, beats: readPort('--port', registry + 1), control: readPort('--port', registry + 2) };
}

/** The external ledger that fees are paid on; undefined for our own. */
function readLedger(flags: ServeFlags): RemoteLedger | undefined {
  const paymentAddress = flags['payment-address'];
  if (paymentAddress === undefined) {
    const stray = (['rpc-url', 'fee-payer'] as const).find((name) => flags[name] !== undefined);
    if (stray !== undefined) throw new Failure(`--${stray} needs --payment-address ADDRESS, to which fees are paid.`);
    return undefined;
  }
  const rpcUrl = readSecret('rpc-url', flags['rpc-url']);
  if (rpcUrl === undefined) {
    throw new Failure(
      '--payment-address needs --rpc-url URL (or @FILE, or AIPS_RPC_URL), of the JSON-RPC of its ledger.',
    );
  }
  if (flags['ledger-port'] !== undefined) {
    throw new Failure('--ledger-port opens our own ledger, and --payment-address is on another. Leave one out.');
  }
  // The URL itself is not repeated: it may hold a password or a key.
  if (!URL.canParse(rpcUrl) || !/^https?:$/.test(new URL(rpcUrl).protocol)) {
    throw new Failure('--rpc-url must be an http or https URL, such as http://127.0.0.1:8899.');
  }
  if (publicKeyOfAddress(paymentAddress) === undefined) {
    throw new Failure(`--payment-address must be an address, base58 of 32 bytes; "${paymentAddress}" is not.`);
  }
  return { rpcUrl, paymentAddress };
}

function lookupOn(remote: RemoteLedger): PaymentLookup {
  try {
    return paymentLookup(remote);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new Failure('--rpc-url: a % in its user or password must be written %25, as in http://user:p%25w@host.');
  }
}

/** The signer of the fee payer whose key is in a file; undefined without one. */
function readFeePayer(remote: RemoteLedger, file: string | undefined): RemoteMemos | undefined {
  if (file === undefined) return undefined;
  const payer = readKeyFile(readText(file, 'key file'));
  if (typeof payer === 'string') throw new Failure(`--fee-payer: ${file} ${payer}.`);
  return remoteMemos(remote, payer);
}

const PACE_SEC_MAX = 3_600;

function readAnchorPace(seconds: number | undefined): number | undefined {
  if (seconds === undefined || (Number.isInteger(seconds) && seconds >= 1 && seconds <= PACE_SEC_MAX)) return seconds;
  throw new Failure(`--anchor-interval must be a whole number of seconds from 1 to ${PACE_SEC_MAX}.`);
}

/** The dialect with the difficulty of anchors as the flag has it. */
function readAnchorDifficulty(dialect: Dialect, wanted: 'auto' | 'fixed' | undefined): Dialect {
  const { anchorDifficulty, ...rest } = dialect;
  if (wanted === 'fixed') return rest;
  if (wanted === 'auto' && anchorDifficulty === undefined) {
    throw new Failure(
      `--anchor-difficulty auto needs a dialect that says between which bounds (anchorDifficulty): ${dialect.name} has none, and the specification has 1000 in every anchor. Use --dialect provenonce, or leave it out.`,
    );
  }
  return dialect;
}
