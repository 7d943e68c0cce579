/**
 * The entry of `npm run test:fuzz`: requests to every operation of the three OpenAPI documents and of the ledger, right ones
 * and ones with a fault, against a server with a journal.
 *
 * npm run test:fuzz -- [--requests N] [--floods N] [--seed N]
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rssMbOf } from '../../bench/process-cost.js';
import { controlCalls } from '../../reference/http/control/calls.js';
import { controlDocument } from '../../reference/http/control/openapi.js';
import { rpcMethods } from '../../reference/ledger/rpc.js';
import { dialects } from '../../spec/dialect.js';
import type { Facts } from '../../spec/endpoint.js';
import { isJson } from '../../spec/formats.js';
import { openApiOf } from '../../spec/openapi-endpoints.js';
import { withOverlay } from '../../spec/overlay.js';
import { protocol } from '../../spec/protocol.js';
import { Chance } from '../faults/chance.js';
import { undocumented } from '../fixtures/documented.js';
import { ClientSessions } from './client-sessions.js';
import { exhaustOpenFiles, runFloods } from './floods.js';
import { mutated } from './mutation.js';
import type { Schema } from './schema-values.js';
import { type Call, type Reply, runAips, ServerProcess, type Side } from './server-process.js';

/** Sessions that run at the same time. */
const CONCURRENT_SESSIONS = 8;
/**
 * How often every operation is accepted at least in a long run. Sessions run concurrently, so the seed does not determine which requests
 * another session makes impossible: the run goes on until each operation has been accepted so often, but at most twice as long.
 */
const ACCEPTED_MIN = 10;
const LONGER_MAX = 2;
const REQUESTS_FOR_EVERY_OPERATION = 20_000;
/** The server's memory may hold its state, and no more. */
const RSS_MB_MAX = 600;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    floods: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const [requests, seed] = [Number(values.requests), Number(values.seed)];
/** Absent: all. */
const floodsMax = values.floods === undefined ? undefined : Number(values.floods);
if (floodsMax !== undefined && !(floodsMax >= 1)) throw new RangeError('--floods must be 1 or more');

/** No limits: what is behind them is to be reached. */
const LIMITS = Object.fromEntries(Object.keys(protocol.limits).map((name) => [name, { count: 1_000_000_000 }]));
const facts: Facts = {
  protocol: withOverlay({ limits: LIMITS }),
  dialect: dialects.service,
  loopbackWebhooks: true,
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>;
}

/** Every operation, with the schema of its body. */
function operations(): ReadonlyMap<string, Schema | undefined> {
  const found = new Map<string, Schema | undefined>();
  const documents: readonly (readonly [Side, object])[] = [
    ['registry', openApiOf('registry', facts)],
    ['beats', openApiOf('beats', facts)],
    ['control', controlDocument(controlCalls)],
  ];
  for (const [side, document] of documents) {
    for (const [path, methods] of Object.entries((document as Document).paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const short = path.replace('/control/v1/', '');
        const content = requestBody as { content: { 'application/json': { schema: Schema } } } | undefined;
        found.set(`${side} ${method.toUpperCase()} ${short}`, content?.content['application/json'].schema);
      }
    }
  }
  // The clock of a service is moved by the control API alone.
  for (const name of Object.keys(rpcMethods)) if (name !== 'aipsAdvanceClock') found.set(`ledger ${name}`, undefined);
  return found;
}

interface Count {
  sent: number;
  accepted: number;
}

/** The fault of a reply, or null. */
function faultOf({ side, method, path }: Call, { status, text, contentType, body }: Reply): string | null {
  if (status >= 500) return `answered ${status} ${text}`;
  if (side === 'ledger') {
    // To notifications there is no reply.
    if (status === 204 && text === '') return null;
    if (!isJson(text)) return `answered ${status} without JSON: ${text.slice(0, 200)}`;
    return contentType.startsWith('application/json') ? null : `the content type is ${contentType}`;
  }
  return undocumented(facts, { app: side, method, path, status, contentType, body });
}

/** Whether a reply says that the operation was done; the retired check-in only ever answers 410. */
function isAccepted({ side, path }: Call, { status, body }: Reply): boolean {
  if (path === '/api/v1/agent/checkin') return status === 410;
  return status === 200 && (side !== 'ledger' || 'result' in body);
}

/** Sends the requests of sessions, and mutated copies of them. */
class Fuzzer {
  readonly counts: Map<string, Count>;
  readonly faults: string[] = [];
  readonly statuses = new Map<number, number>();
  sent = 0;

  constructor(
    private readonly server: ServerProcess,
    private readonly schemas: ReadonlyMap<string, Schema | undefined>,
    private readonly chance: Chance,
  ) {
    this.counts = new Map([...schemas.keys()].map((operation) => [operation, { sent: 0, accepted: 0 }]));
  }

  readonly send = async (operation: string, call: Call): Promise<Reply> => {
    const copies = this.chance.happens(0.55) ? 0 : 1 + this.chance.below(2);
    for (let copy = 0; copy < copies; copy++) {
      await this.one(operation, mutated(call, this.schemas.get(operation), this.chance));
    }
    return this.one(operation, call);
  };

  private async one(operation: string, call: Call): Promise<Reply> {
    const count = this.counts.get(operation);
    if (count === undefined) throw new Error(`${operation} is in no document`);
    this.sent += 1;
    count.sent += 1;
    const reply = await this.server.call(call).catch((error: unknown) => {
      throw new Error(`no reply to ${JSON.stringify(call).slice(0, 4_000)}`, { cause: error });
    });
    this.statuses.set(reply.status, (this.statuses.get(reply.status) ?? 0) + 1);
    if (isAccepted(call, reply)) count.accepted += 1;
    const fault = faultOf(call, reply);
    if (fault !== null) this.faults.push(`${fault}\n    ${JSON.stringify(call).slice(0, 4_000)}`);
    return reply;
  }
}

/** The operations that were accepted too seldom; none in a run that is too short for all. */
function rareOf({ counts }: Fuzzer): readonly (readonly [string, Count])[] {
  if (requests < REQUESTS_FOR_EVERY_OPERATION) return [];
  return [...counts].filter(([, { accepted }]) => accepted < ACCEPTED_MIN);
}

const root = mkdtempSync(join(tmpdir(), 'aips-fuzz-'));
const [folder, overlay] = [join(root, 'data'), join(root, 'overlay.json')];
writeFileSync(overlay, JSON.stringify({ limits: LIMITS }));
const startMs = performance.now();
const server = await ServerProcess.start([
  ...['--data', folder, '--clock', 'manual', '--seed', String(seed), '--protocol', overlay],
  ...['--allow-loopback-webhooks', '--ledger-port', '0'],
]);
const problems: string[] = [];
try {
  const fuzzer = new Fuzzer(server, operations(), new Chance(seed));
  const sessions = new ClientSessions(fuzzer.send, new Chance(seed + 1));
  const halfway: { mb?: number } = {};
  const goesOn = (): boolean =>
    fuzzer.sent < requests || (fuzzer.sent < LONGER_MAX * requests && rareOf(fuzzer).length > 0);
  const playOn = async (): Promise<void> => {
    while (goesOn() && fuzzer.faults.length < 20) {
      await sessions.play();
      if (fuzzer.sent > requests / 2) halfway.mb ??= rssMbOf(server.pid);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_SESSIONS }, playOn));
  problems.push(...fuzzer.faults);
  const mb = rssMbOf(server.pid);
  if (mb > RSS_MB_MAX) problems.push(`the server holds ${mb.toFixed(0)} MB`);
  const accepted = [...fuzzer.counts.values()].reduce((sum, count) => sum + count.accepted, 0);
  problems.push(
    ...rareOf(fuzzer).map(([operation, count]) => `${operation} was accepted ${count.accepted} times of ${count.sent}`),
  );
  const { sha256 } = await server.control('GET', 'fingerprint');
  const status = await server.end('SIGTERM');
  if (status !== 0) problems.push(`the stop ended with status ${status}`);
  const replayed = await runAips('journal', 'replay', folder, '--json');
  const replay = replayed.status === 0 ? (JSON.parse(replayed.out) as { commands: number; sha256: string }) : undefined;
  if (replay?.sha256 !== sha256) problems.push(`the journal leads to ${replay?.sha256}, the server had ${sha256}`);
  const statuses = [...fuzzer.statuses].toSorted(([a], [b]) => a - b).map(([each, count]) => `${each}: ${count}`);
  console.log(
    [
      `${fuzzer.sent} requests to ${fuzzer.counts.size} operations from seed ${seed}: ${accepted} accepted, ${fuzzer.faults.length} faults`,
      `  statuses ${statuses.join(', ')}`,
      `  ${replay?.commands} commands replayed to the same fingerprint; memory ${halfway.mb?.toFixed(0)} MB halfway, ${mb.toFixed(0)} MB at the end`,
      `  ${((performance.now() - startMs) / 1_000).toFixed(1)} s`,
    ].join('\n'),
  );
  const floods = await runFloods(floodsMax);
  problems.push(...floods.problems, ...(await exhaustOpenFiles(join(root, 'files'))));
  console.log(['floods', ...floods.lines].join('\n'));
} finally {
  if (server.child.exitCode === null) await server.end('SIGKILL');
  rmSync(root, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 40)) console.error(`  ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
