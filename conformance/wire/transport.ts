/** Sends one request over HTTP, within bounds of time and size. Pace, budgets and transcripts are in wire.ts, connections in connections.ts. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Access } from '../target/access.js';
import { CONNECT_TIMEOUT_MS, Connections, hostAndPortOf, type Origin, refusedBy } from './connections.js';
import { decoded } from './content-coding.js';
import { type FailureKind, failureOf, TransportFailure } from './failure.js';
import { proxyAuthorization, proxyOfTarget } from './proxy.js';

export { type FailureKind, TransportFailure } from './failure.js';

/** One HTTP request. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The id of the check that sends it; absent for the run itself. It is not sent. */
  readonly owner?: string;
  readonly timeoutMs: number;
  readonly replyBytesMax: number;
  /** The request must not reach the server twice, so it fails if its connection is lost. */
  readonly once?: true;
}

/** One HTTP reply. Header names are in lower case; repeated headers are joined with a comma. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body is longer than allowed, and only its beginning is here. */
  readonly cut?: true;
  /** Why the request was sent twice. The first connection was lost, so the server may have got both. */
  readonly resent?: string;
}

/** Sends a request over HTTP, or in another way in tests. Rejects only with `TransportFailure`. */
export type Transport = (request: WireRequest) => Promise<WireReply>;

/** The options of a transport. */
interface TransportOptions {
  /** Aborts open requests. */
  readonly end?: AbortSignal | undefined;
  /** The target, with proxy and authorities; absent: the environment's proxy, and the authorities of Node. */
  readonly target?: Access;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
}

/** Makes a transport over HTTP with keep-alive connections, and a function that closes them. */
export function httpTransport({
  end,
  target,
  env = process.env,
  nowMs = () => performance.now(),
}: TransportOptions = {}): {
  readonly send: Transport;
  readonly close: () => Promise<void>;
} {
  const connections = new Connections({ ca: target?.ca, proxyOf: proxyOfTarget(target, env), nowMs });
  const underWay = new Set<Attempt>();
  const abort = (): void => {
    for (const attempt of underWay) attempt.fail(new TransportFailure('aborted', 'the run has ended'));
  };
  end?.addEventListener('abort', abort);
  const attempt = async (request: WireRequest, origin: Origin, fresh: boolean): Promise<WireReply> => {
    if (end?.aborted === true) throw new TransportFailure('aborted', 'the run has ended');
    const one = new Attempt(request, origin, fresh);
    underWay.add(one);
    try {
      return await one.reply;
    } finally {
      underWay.delete(one);
    }
  };
  const send = async (request: WireRequest): Promise<WireReply> => {
    const url = new URL(request.url);
    const origin = await connections.of(url).catch((error: unknown) => {
      throw failureOf(error, url.host);
    });
    const { idle } = origin;
    // Let pending close events run first, so that no request is sent on a closed connection.
    if (idle.any) await new Promise(setImmediate);
    idle.closeOld();
    try {
      return await attempt(request, origin, false);
    } catch (error) {
      if (!(error instanceof LostReuse)) throw error;
      idle.lost(error.idleMs);
      if (request.once === true) throw error;
      // RFC 9112, 9.3.1: a server may close an idle connection at any time, even while a request is on its way.
      return { ...(await attempt(request, origin, true)), resent: error.message };
    }
  };
  const close = async (): Promise<void> => {
    end?.removeEventListener('abort', abort);
    connections.close();
  };
  return { send, close };
}

/** A reused connection was lost before a byte of the reply. */
class LostReuse extends TransportFailure {
  constructor(
    readonly idleMs: number,
    { message, short }: TransportFailure,
  ) {
    const idle = `a connection that had been idle for ${Math.round(idleMs)} ms`;
    super('broken', `${idle} was lost before a byte of the reply: ${message}`, short);
  }
}

/** One attempt to send a request. It settles once, with the reply or a failure. */
class Attempt {
  readonly reply: Promise<WireReply>;
  readonly #url: URL;
  readonly #timers: NodeJS.Timeout[] = [];
  #resolve: (reply: WireReply) => void = () => undefined;
  #reject: (error: TransportFailure) => void = () => undefined;
  #sent: ClientRequest | undefined;
  #socket: Socket | undefined;
  #response: IncomingMessage | undefined;
  /** The number of received bytes of the body. */
  #bytes = 0;
  /** The idle time of the connection before this request; undefined for a new one, and after the first byte of the reply. */
  #idleMs: number | undefined;
  readonly #heard = (): void => {
    this.#idleMs = undefined;
  };

  constructor(
    readonly request: WireRequest,
    readonly origin: Origin,
    fresh: boolean,
  ) {
    this.#url = new URL(request.url);
    this.reply = new Promise((resolve, reject) => {
      [this.#resolve, this.#reject] = [resolve, reject];
    });
    const { timeoutMs, method } = request;
    const late = (): string => `no reply within ${timeoutMs / 1_000} s to ${method} ${this.#url.pathname}`;
    this.#failAfter(timeoutMs, 'hang', late);
    try {
      this.#start(fresh ? origin.fresh : origin.kept);
    } catch (error) {
      this.fail(failureOf(error, this.#url.host));
    }
  }

  fail(error: TransportFailure): void {
    this.#end();
    this.#reject(error);
    this.#sent?.destroy();
  }

  #start(agent: Origin['kept']): void {
    const { method, body, headers } = this.request;
    const { proxy } = this.origin;
    const { host, pathname, search, protocol } = this.#url;
    const forwarded = proxy !== undefined && protocol === 'http:';
    this.#sent = httpRequest({
      ...hostAndPortOf(this.#url, forwarded ? proxy : undefined),
      agent,
      method,
      path: forwarded ? `http://${host}${pathname}${search}` : pathname + search,
      headers: {
        host,
        ...(forwarded ? proxyAuthorization(proxy.url) : {}),
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    });
    this.#sent
      .on('error', (error) => this.#fail(error))
      .on('socket', (socket) => this.#use(socket))
      .on('response', (response) => this.#read(response))
      .on('upgrade', (_, socket) => {
        socket.destroy();
        this.fail(switched());
      });
    this.#sent.end(body);
  }

  #use(socket: Socket & Partial<Pick<TLSSocket, 'encrypted'>> & { readonly secureConnecting?: boolean }): void {
    this.#socket = socket;
    this.#idleMs = this.origin.idle.take(socket);
    if (this.#idleMs !== undefined) socket.once('data', this.#heard);
    if (!socket.connecting && socket.secureConnecting !== true) return;
    const late = (): string => `no connection to ${this.#url.host} within ${CONNECT_TIMEOUT_MS / 1_000} s`;
    const timer = this.#failAfter(CONNECT_TIMEOUT_MS, 'unreachable', late);
    socket.once(socket.encrypted === true ? 'secureConnect' : 'connect', () => clearTimeout(timer));
  }

  #read(response: IncomingMessage): void {
    this.#response = response;
    const { proxy } = this.origin;
    if (response.statusCode === 101) {
      this.fail(switched());
      return;
    }
    if (response.statusCode === 407 && proxy !== undefined) {
      this.fail(new TransportFailure('unreachable', refusedBy(proxy, 407, 'to pass requests on')));
      return;
    }
    this.origin.idle.learn(response.headers['keep-alive']?.toString());
    const { replyBytesMax } = this.request;
    const chunks: Buffer[] = [];
    response
      .on('error', (error) => this.#fail(error))
      .on('data', (chunk: Buffer) => {
        this.#bytes += chunk.length;
        if (this.#bytes <= replyBytesMax) return chunks.push(chunk);
        this.#settle(response, Buffer.concat(chunks), undefined);
        return this.#sent?.destroy();
      })
      .on('end', () => {
        const body = Buffer.concat(chunks);
        try {
          this.#settle(response, body, decoded(body, response.headers['content-encoding'], replyBytesMax));
        } catch (error) {
          this.fail(failureOf(error, this.#url.host));
        }
      });
  }

  /** Settles with a reply. `whole`: the decoded body; undefined if it is too long. */
  #settle({ statusCode = 0, rawHeaders }: IncomingMessage, body: Buffer, whole: Buffer | undefined): void {
    this.#end();
    const head = { status: statusCode, headers: joined(rawHeaders) };
    this.#resolve({ ...head, body: (whole ?? body).toString('utf8'), ...(whole === undefined ? { cut: true } : {}) });
  }

  #fail(error: unknown): void {
    // Ignore bytes after the end of the reply.
    if (this.#response?.complete === true) return;
    const { proxy } = this.origin;
    const failure = failureOf(
      error,
      proxy !== undefined && this.#url.protocol === 'http:' ? proxy.name : this.#url.host,
      this.#response && { status: this.#response.statusCode ?? 0, bytes: this.#bytes },
    );
    const lost =
      this.#idleMs !== undefined && error instanceof Error && LOST.test((error as { code?: string }).code ?? '');
    this.fail(lost ? new LostReuse(this.#idleMs ?? 0, failure) : failure);
  }

  #failAfter(ms: number, kind: FailureKind, why: () => string): NodeJS.Timeout {
    const timer = setTimeout(() => this.fail(new TransportFailure(kind, why())), ms);
    this.#timers.push(timer);
    return timer;
  }

  #end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket?.off('data', this.#heard);
  }
}

function switched(): TransportFailure {
  return new TransportFailure('broken', 'the server switches to another protocol (101) without a request for it');
}

const LOST = /^(ECONNRESET|EPIPE|ECONNABORTED)$/;

/** Header fields by name; repeated ones are joined in their order. */
function joined(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at]?.toLowerCase(), raw[at + 1]];
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
