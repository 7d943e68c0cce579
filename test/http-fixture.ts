import { z } from 'zod';
import { type Clock, manualClock } from '../reference/http/clock.js';
import { type Running, startServers } from '../reference/http/server.js';
import type { ServicePolicy } from '../reference/service.js';
import type { Command } from '../reference/store/journal.js';
import { type Dialect, dialects } from '../spec/dialect.js';
import type { Endpoint, Facts } from '../spec/endpoint.js';
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

/** How to talk to a reference. Every reply of its services is checked against its schema. */
export interface Wire {
  /** Paths stand without `/api/v1`; those of the beats service with `beats:` before. */
  readonly call: (name: string, body?: unknown, key?: string, headers?: Record<string, string>) => Promise<Told>;
  readonly control: (name: string, body?: unknown) => Promise<Told>;
}

/** A running reference, with a journal in memory. */
export interface Rig extends Wire {
  readonly running: Running;
  readonly commands: Command[];
  readonly close: () => Promise<void>;
}

export interface RigOptions {
  readonly policy?: Partial<ServicePolicy>;
  readonly dialect?: Dialect;
  readonly protocol?: Protocol;
  readonly clock?: Clock;
  /** Commands of before, to begin with. */
  readonly commands?: readonly Command[];
}

const anyRefusal = z.looseObject({ error: z.string(), code: z.string() });

/** Starts the three servers on free ports. */
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
    service: { protocol: facts.protocol, dialect: facts.dialect, policy, seed: 1, startMs: START_MS },
    clock: given.clock ?? manualClock(past.at(-1)?.at ?? START_MS),
    trustForwardedFor: true,
    bind: '127.0.0.1',
    ports: { registry: 0, beats: 0, control: 0 },
    journal: { commands: past, append: (command) => commands.push(structuredClone(command)), close: () => undefined },
  });
  return { running, commands, ...wireTo(running, facts), close: running.close };
}

/** Talks to a reference that has these numbers and names. */
export function wireTo(
  urls: Pick<Running, 'baseUrl' | 'beatsUrl' | 'controlUrl' | 'controlToken'>,
  facts: Facts,
): Wire {
  const documented = replySchemas(facts);
  return {
    call: async (name, body, key, headers = {}) => {
      const [method = '', target = ''] = name.split(' ');
      const beats = target.startsWith('beats:');
      const path = `/api/v1${beats ? target.slice('beats:'.length) : target}`;
      const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const told = await send(`${beats ? urls.beatsUrl : urls.baseUrl}${path}`, method, body, {
        ...bearer,
        ...headers,
      });
      checkReply(documented(beats ? 'beats' : 'registry', method, path), `${method} ${path}`, told);
      return told;
    },
    control: (name, body) => {
      const [method = '', path = ''] = name.split(' ');
      const authorization = `Bearer ${urls.controlToken}`;
      return send(`${urls.controlUrl}/control/v1/${path}`, method, body, { authorization });
    },
  };
}

async function send(url: string, method: string, body: unknown, headers: Record<string, string>): Promise<Told> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers: { 'content-type': 'application/json', ...headers }, ...sent });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

type Schemas = Readonly<Record<number, z.ZodType>>;

/** The reply schemas of the endpoint that a call reaches; made once, since making them is slow. */
function replySchemas(facts: Facts): (service: string, method: string, path: string) => Schemas {
  const made = new Map<Endpoint, Schemas>();
  return (service, method, path) => {
    const segments = path.split('?')[0]?.split('/') ?? [];
    const found = endpoints.find((endpoint) => {
      const wanted = endpoint.path.split('/');
      const fits =
        wanted.length === segments.length && wanted.every((part, i) => part.startsWith(':') || part === segments[i]);
      return endpoint.service === service && endpoint.method === method && fits;
    });
    if (found === undefined) return {};
    const schemas = made.get(found) ?? found.replies(facts);
    made.set(found, schemas);
    return schemas;
  };
}

/** A reply that its endpoint's schema does not know, or with a field that it does not name, fails the test. */
function checkReply(schemas: Schemas, name: string, { status, body }: Told): void {
  const schema = schemas[status];
  const result = (schema ?? anyRefusal).safeParse(body);
  if (!result.success || (schema === undefined && status < 400)) {
    throw new Error(`${name} answered ${status} ${JSON.stringify(body)}: ${result.error?.message ?? 'undocumented'}`);
  }
}
