/**
 * A reverse proxy that changes nothing but the header Host: bodies are streamed both ways, and headers keep their order and case. It notes a copy of
 * each exchange, and judges nothing.
 */

import type { ClientRequest, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Unread } from '../../watch/exchange.js';
import { systemErrorCode } from '../host/failure.js';
import { Upstream } from './upstream.js';

/** Longer bodies are passed on, and their exchanges are not judged. */
const BODY_BYTES_MAX = 1_048_576;

/** A body as it passed, within the bound; undefined if it is longer. */
type Copy = Uint8Array | undefined;

/** An exchange that has ended. Headers are names and values in turn, as they were sent. */
export interface Passed {
  readonly nth: number;
  readonly method: string;
  /** The URL at the server. */
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: Copy;
  /** Absent where no complete reply came. */
  readonly reply?: { readonly status: number; readonly headers: readonly string[]; readonly body: Copy };
  readonly unread?: Unread;
  /** Unix ms. */
  readonly beganMs: number;
  readonly endedMs: number;
  readonly client: string | undefined;
}

/** The settings of a proxy. */
interface ProxySettings {
  /** `host:port`; port 0 takes any free one. */
  readonly listen: string;
  /** The base URL of the server. */
  readonly to: string;
  /** Certificates (PEM) of authorities to trust in addition to Node's. */
  readonly ca?: string | undefined;
  /** The clock of the observer, Unix ms with fractions. */
  readonly nowMs: () => number;
  /** Called with each exchange that has ended. */
  readonly onPassed: (passed: Passed) => void;
}

/** A running proxy. */
export interface RunningProxy {
  readonly url: string;
  /** When the oldest of the open exchanges began, Unix ms; infinite without one. */
  readonly oldestMs: () => number;
  /** Ends all connections, and resolves when their exchanges have been noted. */
  readonly close: () => Promise<void>;
}

/** Starts a proxy. Rejects as `listen` does. */
export async function startProxy(settings: ProxySettings): Promise<RunningProxy> {
  const { listen, to } = settings;
  const open = new Set<Passing>();
  const isBusy = (client: Socket): boolean => [...open].some(({ ends }) => ends.req.socket === client);
  const upstream = new Upstream(to, settings.ca, isBusy);
  let nth = 0;
  const server = createServer({ keepAlive: true, noDelay: true, requestTimeout: 0 });
  // The server behind decides how long a connection may be idle.
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, timeout: 0 });
  const take = (req: IncomingMessage, res: ServerResponse): void => {
    nth += 1;
    const passing = new Passing(nth, { req, res, upstream, settings }, () => open.delete(passing));
    open.add(passing);
    passing.begin();
  };
  // Expectations are those of the server behind.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, take);
  await listening(server, listen);
  const { port, address, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    oldestMs: () => Math.min(...[...open].map(({ beganMs }) => beganMs)),
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      for (const each of open) each.abort();
      await closed;
    },
  };
}

function listening(server: Server, listen: string): Promise<void> {
  const colon = listen.lastIndexOf(':');
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(Number(listen.slice(colon + 1)), listen.slice(0, colon).replaceAll(/[[\]]/g, ''), done);
  });
}

/** A body that is copied while it passes. */
class Copier {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(stream: IncomingMessage) {
    stream.on('data', (piece: Buffer) => {
      this.#bytes += piece.length;
      if (this.#bytes <= BODY_BYTES_MAX) this.#pieces.push(piece);
      else this.#pieces.length = 0;
    });
  }

  copy(): Copy {
    return this.#bytes > BODY_BYTES_MAX ? undefined : Buffer.concat(this.#pieces);
  }
}

interface Ends {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly upstream: Upstream;
  readonly settings: ProxySettings;
}

/** One exchange on its way. */
class Passing {
  readonly beganMs: number;
  readonly #sent: Copier;
  #isNoted = false;
  #asked: ClientRequest | undefined;

  constructor(
    readonly nth: number,
    readonly ends: Ends,
    readonly onEnd: () => void,
  ) {
    this.beganMs = ends.settings.nowMs();
    this.#sent = new Copier(ends.req);
  }

  begin(): void {
    const { req, res, upstream } = this.ends;
    let asked: ClientRequest;
    try {
      asked = upstream.request(req.socket, req.method, upstream.target(req.url ?? '/').path, this.#headers());
    } catch (error) {
      this.#refuse(error);
      return;
    }
    this.#asked = asked;
    asked.on('continue', () => res.writeContinue());
    asked.on('information', (information) => {
      const { statusCode, statusMessage, rawHeaders } = information as typeof information & { rawHeaders: string[] };
      if (statusCode === 100) return;
      const lines = pairsOf(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
      res.socket?.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
    });
    asked.on('response', (reply) => this.#answer(reply));
    asked.on('error', (error) => this.#refuse(error));
    // A client that leaves before the reply is complete ends the request behind, too.
    res.on('close', () => {
      if (!res.writableFinished) this.abort();
    });
    req.on('end', () => {
      if (req.rawTrailers.length > 0) asked.addTrailers(pairsOf(req.rawTrailers));
      asked.end();
    });
    req.on('error', () => this.abort());
    req.pipe(asked, { end: false });
  }

  /** The headers for the server: those of the client, with its own Host. docs/watch.md lists all that the proxy changes. */
  #headers(): readonly string[] {
    const { req, upstream } = this.ends;
    const pairs = announced(req.rawHeaders, false).map(([name, value]) => [
      name,
      name.toLowerCase() === 'host' ? upstream.url.host : value,
    ]);
    // Without one of these, Node would write a body in chunks.
    const isSized = pairs.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name ?? ''));
    const takesBody = !['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'].includes(req.method ?? '');
    // HTTP/1.0 may leave Host out, and the request goes on as HTTP/1.1.
    const host = pairs.some(([name]) => name?.toLowerCase() === 'host') ? [] : ['Host', upstream.url.host];
    return [...host, ...pairs.flat(), ...(isSized || !takesBody ? [] : ['Content-Length', '0'])] as string[];
  }

  #answer(reply: IncomingMessage): void {
    const { res } = this.ends;
    const got = new Copier(reply);
    const { statusCode: status = 0, statusMessage, rawHeaders } = reply;
    // Node adds none of its own headers.
    for (const name of ['date', 'connection', 'transfer-encoding']) res.removeHeader(name);
    const isBodiless = this.ends.req.method === 'HEAD' || status === 204 || status === 304;
    try {
      res.writeHead(status, statusMessage, announced(rawHeaders, isBodiless).flat() as never);
    } catch (error) {
      reply.destroy();
      this.#refuse(error);
      return;
    }
    reply.on('end', () => {
      if (!reply.complete) return;
      if (reply.rawTrailers.length > 0) res.addTrailers(pairsOf(reply.rawTrailers));
      res.end();
      const body = got.copy();
      const isWhole = this.ends.req.complete;
      const unread = !isWhole ? 'aborted' : body === undefined ? 'body' : undefined;
      this.#note(unread, { status, headers: rawHeaders, body });
    });
    reply.on('close', () => {
      if (!reply.complete) this.abort();
    });
    reply.on('error', () => this.abort());
    reply.pipe(res, { end: false });
  }

  /** The server cannot be reached, or broke off before its reply, or Node cannot write the request or the reply again. */
  #refuse(error: unknown): void {
    const { res, req, upstream } = this.ends;
    this.#note('aborted');
    if (res.headersSent || res.destroyed) return void res.destroy();
    req.unpipe();
    req.resume();
    const body = `aips watch: no reply from ${upstream.url.origin}: ${systemErrorCode(error) ?? String(error)}\n`;
    res.writeHead(502, { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(body) });
    res.end(body);
  }

  /** Ends both sides, and notes the exchange without a reply. */
  abort(): void {
    this.#note('aborted');
    this.#asked?.destroy();
    this.ends.res.destroy();
  }

  #note(unread?: Unread, reply?: Passed['reply']): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    const { req, upstream, settings } = this.ends;
    this.onEnd();
    settings.onPassed({
      nth: this.nth,
      method: req.method ?? '',
      url: upstream.target(req.url ?? '/').url,
      headers: req.rawHeaders,
      body: this.#sent.copy(),
      ...(reply === undefined ? {} : { reply }),
      ...(unread === undefined ? {} : { unread }),
      beganMs: this.beganMs,
      endedMs: settings.nowMs(),
      client: req.socket.remoteAddress,
    });
  }
}

/** The headers as pairs, without a Trailer that cannot follow, since Node would not write it: trailers need chunks. */
function announced(flat: readonly string[], isBodiless: boolean): readonly [string, string][] {
  const pairs = pairsOf(flat);
  const isChunked = pairs.some(([name, value]) => /^transfer-encoding$/i.test(name) && /\bchunked\b/i.test(value));
  return isChunked && !isBodiless ? pairs : pairs.filter(([name]) => !/^trailer$/i.test(name));
}

/** Names and values in turn, as pairs. */
export function pairsOf(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at] ?? '', flat[2 * at + 1] ?? '']);
}
