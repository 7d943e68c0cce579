/**
 * Keeps the connections to the servers of a run, and closes idle ones before the server does. proxy.ts chooses a proxy, transport.ts sends
 * requests.
 */
import { Agent, type ClientRequest, type RequestOptions, request as requestPlain } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { failureOf, TransportFailure } from './failure.js';
import { type HttpProxy, type ProxyOf, proxyAuthorization } from './proxy.js';

const CONNECTIONS_MAX = 64;
/** A connection must be made within this time, including proxy and TLS. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** An idle connection is kept at most this long, or less if the server closes it earlier. */
const IDLE_MS_MAX = 4_000;
/** A connection that closes earlier was not closed for being idle. */
const IDLE_CLOSE_MS_MIN = 500;
/** After this many reused connections are lost during a request, each request gets a new connection. */
const LOST_REUSES_MAX = 3;

/** The connections to one origin. */
export interface Origin {
  /** Reuses connections. */
  readonly kept: Agent;
  /** Makes a new connection for each request. */
  readonly fresh: Agent;
  readonly proxy: HttpProxy | undefined;
  readonly idle: IdleTimes;
}

/** The idle connections of an origin, and the time for which a connection may be idle. */
export class IdleTimes {
  /** The time at which each connection became idle. */
  readonly #since = new Map<Duplex, number>();
  /** The idle time of each reused connection before its current request. */
  readonly #before = new WeakMap<Duplex, number>();
  #maxMs = IDLE_MS_MAX;
  #lost = 0;

  constructor(readonly nowMs: () => number) {}

  get maxMs(): number {
    return this.#lost < LOST_REUSES_MAX ? this.#maxMs : 0;
  }

  /** Learns from Keep-Alive how long the server keeps an idle connection (RFC 2068, 19.7.1.1). */
  learn(keepAlive: string | undefined): void {
    const seconds = keepAlive === undefined ? undefined : /\btimeout\s*=\s*(\d+)/i.exec(keepAlive)?.[1];
    if (seconds !== undefined) this.#keptFor(Number(seconds) * 1_000);
  }

  /** A connection becomes idle. */
  begin(socket: Duplex): void {
    this.#since.set(socket, this.nowMs());
  }

  /** An idle connection will be used again. */
  end(socket: Duplex): void {
    this.#before.set(socket, this.#idleMs(socket));
    this.#since.delete(socket);
  }

  /** Takes the idle time of a connection before its current request; undefined for its first request. */
  take(socket: Duplex): number | undefined {
    const idleMs = this.#before.get(socket);
    this.#before.set(socket, 0);
    return idleMs;
  }

  /** A connection has ended. If it was idle, the server has closed it. */
  closed(socket: Duplex): void {
    this.#closedAfter(this.#idleMs(socket));
    this.#since.delete(socket);
  }

  #idleMs(socket: Duplex): number {
    const since = this.#since.get(socket);
    return since === undefined ? 0 : this.nowMs() - since;
  }

  /** A connection was lost when it was used again after `idleMs`. */
  lost(idleMs: number): void {
    this.#lost += 1;
    this.#closedAfter(idleMs);
  }

  /** Closes the connections that the server may close soon. */
  closeOld(): void {
    const [nowMs, maxMs] = [this.nowMs(), this.maxMs];
    for (const [socket, since] of this.#since) {
      if (nowMs - since < maxMs) continue;
      this.#since.delete(socket);
      socket.destroy();
    }
  }

  get any(): boolean {
    return this.#since.size > 0;
  }

  #closedAfter(idleMs: number): void {
    if (idleMs >= IDLE_CLOSE_MS_MIN) this.#keptFor(idleMs);
  }

  /** Uses only half of the server's time: the rest is for the transit of the request, and for busy machines. */
  #keptFor(ms: number): void {
    this.#maxMs = Math.min(this.#maxMs, ms / 2);
  }
}

/** Settings of all connections. */
interface ConnectionSettings {
  /** Certificates (PEM) of trusted authorities, in addition to those of Node. */
  readonly ca?: string | undefined;
  readonly proxyOf: ProxyOf;
  readonly nowMs: () => number;
}

/** The connections of a run, by origin. */
export class Connections {
  readonly #origins = new Map<string, Origin>();
  #secure: Promise<Secure> | undefined;

  constructor(readonly settings: ConnectionSettings) {}

  /** The connections to the origin of a URL. The first https URL loads the modules of TLS. */
  async of(url: URL): Promise<Origin> {
    const known = this.#origins.get(url.origin);
    if (known !== undefined) return known;
    const proxy = this.settings.proxyOf(url);
    const secure = url.protocol === 'https:' || proxy?.url.protocol === 'https:' ? await this.#loadSecure() : undefined;
    const idle = new IdleTimes(this.settings.nowMs);
    const agent = (keepAlive: boolean) => {
      const made = agentFor(url, { proxy, secure, ca: this.settings.ca, keepAlive });
      return keepAlive ? watched(made, idle) : made;
    };
    const origin = { kept: agent(true), fresh: agent(false), proxy, idle };
    this.#origins.set(url.origin, this.#origins.get(url.origin) ?? origin);
    return this.#origins.get(url.origin) ?? origin;
  }

  /** Closes every connection. */
  close(): void {
    for (const { kept, fresh } of this.#origins.values()) for (const agent of [kept, fresh]) agent.destroy();
    this.#origins.clear();
  }

  #loadSecure(): Promise<Secure> {
    this.#secure ??= Promise.all([import('node:https'), import('node:tls')]).then(([https, tls]) => ({ https, tls }));
    return this.#secure;
  }
}

interface Secure {
  readonly https: typeof import('node:https');
  readonly tls: typeof import('node:tls');
}

interface AgentSettings {
  readonly proxy: HttpProxy | undefined;
  readonly secure: Secure | undefined;
  readonly ca: string | undefined;
  readonly keepAlive: boolean;
}

/** The agent for an origin: it connects to the host, to a forwarding proxy, or through a tunnel of a proxy. */
function agentFor(url: URL, { proxy, secure, ca, keepAlive }: AgentSettings): Agent {
  const common = { keepAlive, maxSockets: CONNECTIONS_MAX, maxFreeSockets: CONNECTIONS_MAX };
  if (secure === undefined) return new Agent(common);
  const trusted = ca === undefined ? {} : { ca: [...knownAuthorities(secure.tls), ca] };
  const options = { ...common, ...trusted, ALPNProtocols: ['http/1.1'] };
  const agent = new secure.https.Agent(options);
  return proxy !== undefined && url.protocol === 'https:' ? throughTunnel(agent, proxy, secure, trusted) : agent;
}

/** The certificates of the authorities that Node trusts; without those of NODE_EXTRA_CA_CERTS before Node 22.15. */
export function knownAuthorities(
  tls: Secure['tls'] & { readonly getCACertificates?: () => string[] },
): readonly string[] {
  return tls.getCACertificates?.() ?? tls.rootCertificates;
}

type Connected = (error: Error | null, socket?: Duplex) => void;
type Connecting = { createConnection: (options: RequestOptions, connected: Connected) => Duplex | undefined };

/** Makes an agent connect through a tunnel of the proxy (RFC 9110, 9.3.6). */
function throughTunnel(
  agent: SecureAgent,
  proxy: HttpProxy,
  { https, tls }: Secure,
  trusted: { ca?: string[] },
): Agent {
  const connecting = agent as unknown as Connecting;
  connecting.createConnection = (options, connected) => {
    const { host, port } = options;
    const authority = `${host?.includes(':') === true ? `[${host}]` : host}:${port ?? 443}`;
    const { url } = proxy;
    const ask = url.protocol === 'https:' ? https.request : requestPlain;
    const asked: ClientRequest = ask({
      ...hostAndPortOf(url),
      ...trusted,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(url) },
      agent: false,
    });
    asked.setTimeout(CONNECT_TIMEOUT_MS, () =>
      asked.destroy(new TransportFailure('unreachable', `${proxy.name} opens no tunnel within 10 s`)),
    );
    asked.once('error', (error) => connected(failureOf(error, proxy.name)));
    asked.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      asked.setTimeout(0);
      if (statusCode >= 200 && statusCode < 300)
        return connected(null, tls.connect({ ...(options as object), socket }));
      socket.destroy();
      connected(new TransportFailure('unreachable', refusedBy(proxy, statusCode, `a tunnel to ${authority}`)));
    });
    // The proxy answers CONNECT with an ordinary reply, for example if it does not support tunnels.
    asked.once('response', (reply) => {
      reply.destroy();
      connected(
        new TransportFailure('unreachable', refusedBy(proxy, reply.statusCode ?? 0, `a tunnel to ${authority}`)),
      );
    });
    asked.end();
    return undefined;
  };
  return agent;
}

/** The message for a proxy that refuses a request. */
export function refusedBy(proxy: HttpProxy, status: number, wanted: string): string {
  const advice = status === 407 ? ': it wants a user and a password, as in http://user:password@proxy:3128' : '';
  return `${proxy.name} refuses ${wanted} with status ${status}${advice}`;
}

/** The host and port of a URL or of a proxy. */
export function hostAndPortOf(
  url: URL,
  proxy?: HttpProxy,
): { protocol: string; host: string; port: number; servername?: string } {
  const { hostname, port, protocol } = proxy?.url ?? url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const named = protocol === 'https:' && isIP(host) === 0 ? { servername: host } : {};
  return { protocol, host, port: Number(port || (protocol === 'https:' ? 443 : 80)), ...named };
}

/** Reports to `idle` when connections of an agent become idle, are used again, and end. */
function watched(agent: Agent, idle: IdleTimes): Agent {
  // node:http documents these two methods for this use; its types lack them.
  const { keepSocketAlive, reuseSocket } = agent as unknown as Keeping;
  const known = new WeakSet<Duplex>();
  return Object.assign(agent, {
    keepSocketAlive(socket: Duplex): boolean {
      const kept = idle.maxMs > 0 && keepSocketAlive.call(agent, socket);
      if (!kept) return false;
      idle.begin(socket);
      if (!known.has(socket)) socket.once('close', () => idle.closed(socket));
      known.add(socket);
      return true;
    },
    reuseSocket(socket: Duplex, request: ClientRequest): void {
      idle.end(socket);
      reuseSocket.call(agent, socket, request);
    },
  });
}

interface Keeping {
  readonly keepSocketAlive: (socket: Duplex) => boolean;
  readonly reuseSocket: (socket: Duplex, request: ClientRequest) => void;
}
