import { z } from 'zod';
import { type Clock, manualClock } from '../reference/http/clock.js';
import { paymentLookup, type RemoteLedger } from '../reference/http/payment-lookup.js';
import { type Running, startServers } from '../reference/http/server.js';
import type { ServicePolicy } from '../reference/service.js';
import type { Command } from '../reference/store/journal.js';
import { type Dialect, dialects } from '../spec/dialect.js';
import type { Facts } from '../spec/endpoint.js';
import { endpoints } from '../spec/endpoints/index.js';
import { type Protocol, protocol } from '../spec/protocol.js';
import { START_MS } from './registry-fixture.js';

/** What a call was answered. */
export interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the reply should hold
  readonly body: any;
  readonly headers: Headers;
}

/** A running reference, with a journal in memory and a check of every reply against its schema. */
export interface Rig {
  readonly running: Running;
  readonly commands: Command[];
  readonly call: (name: string, body?: unknown, key?: string, headers?: Record<string, string>) => Promise<Told>;
  readonly control: (name: string, body?: unknown) => Promise<Told>;
  /** A call of the ledger's JSON-RPC: its result, or the test fails. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the result should hold
  readonly rpc: (method: string, ...params: unknown[]) => Promise<any>;
  readonly close: () => Promise<void>;
}

export interface RigOptions {
  readonly policy?: Partial<ServicePolicy>;
  readonly dialect?: Dialect;
  readonly protocol?: Protocol;
  readonly clock?: Clock;
  /** Opens the ledger's JSON-RPC too. */
  readonly rpc?: boolean;
  /** Fees are paid on somebody else's ledger, to this address. */
  readonly remote?: RemoteLedger;
  /** Commands of before, to begin with. */
  readonly commands?: readonly Command[];
}

const anyRefusal = z.looseObject({ error: z.string(), code: z.string() });

/** Starts the three servers on free ports. Paths stand without `/api/v1`; those of the beats service with `beats:` before. */
export async function startRig(given: RigOptions = {}): Promise<Rig> {
  const facts = {
    protocol: given.protocol ?? protocol,
    dialect: given.dialect ?? dialects.service,
    loopbackWebhooks: given.policy?.allowLoopbackWebhooks ?? false,
  };
  const policy: ServicePolicy = {
    network: 'devnet',
    registrationSecret: null,
    byoWallet: true,
    beatsRequired: true,
    ...given.policy,
  };
  const commands: Command[] = [];
  const past = given.commands ?? [];
  const running = await startServers({
    service: {
      protocol: facts.protocol,
      dialect: facts.dialect,
      policy,
      seed: 1,
      startMs: START_MS,
      ...(given.remote && { paymentAddress: given.remote.paymentAddress }),
    },
    payments: given.remote && paymentLookup(given.remote),
    ledgerPort: given.rpc === true ? 0 : undefined,
    clock: given.clock ?? manualClock(past.at(-1)?.at ?? START_MS),
    trustForwardedFor: true,
    bind: '127.0.0.1',
    ports: { registry: 0, beats: 0, control: 0 },
    journal: { commands: past, append: (command) => commands.push(structuredClone(command)), close: () => undefined },
  });
  return {
    running,
    commands,
    call: async (name, body, key, headers = {}) => {
      const [method = '', target = ''] = name.split(' ');
      const beats = target.startsWith('beats:');
      const path = `/api/v1${beats ? target.slice('beats:'.length) : target}`;
      const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const told = await send(`${beats ? running.beatsUrl : running.baseUrl}${path}`, method, body, {
        ...bearer,
        ...headers,
      });
      checkReply(facts, beats ? 'beats' : 'registry', method, path, told);
      return told;
    },
    control: (name, body) => {
      const [method = '', path = ''] = name.split(' ');
      const authorization = `Bearer ${running.controlToken}`;
      return send(`${running.controlUrl}/control/v1/${path}`, method, body, { authorization });
    },
    rpc: (method, ...params) => rpcResult(running.rpcUrl ?? '', method, params),
    close: running.close,
  };
}

/** Calls a ledger by JSON-RPC and gives the result; an error fails the test. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the result should hold
export async function rpcResult(url: string, method: string, params: readonly unknown[]): Promise<any> {
  const { body } = await send(url, 'POST', { jsonrpc: '2.0', id: 1, method, params }, {});
  if (!('result' in body)) throw new Error(`${method} answered ${JSON.stringify(body)}`);
  return body.result;
}

async function send(url: string, method: string, body: unknown, headers: Record<string, string>): Promise<Told> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers: { 'content-type': 'application/json', ...headers }, ...sent });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** A reply that its endpoint's schema does not know, or with a field that it does not name, fails the test. */
function checkReply(facts: Facts, service: string, method: string, path: string, { status, body }: Told): void {
  const segments = path.split('?')[0]?.split('/') ?? [];
  const found = endpoints.find((endpoint) => {
    const wanted = endpoint.path.split('/');
    const fits =
      wanted.length === segments.length && wanted.every((part, i) => part.startsWith(':') || part === segments[i]);
    return endpoint.service === service && endpoint.method === method && fits;
  });
  const schema = found?.replies(facts)[status];
  const result = (schema ?? anyRefusal).safeParse(body);
  if (!result.success || (schema === undefined && status < 400)) {
    throw new Error(
      `${method} ${path} answered ${status} ${JSON.stringify(body)}: ${result.error?.message ?? 'undocumented'}`,
    );
  }
}
